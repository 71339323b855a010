#include "harness/record/judgement_json.h"

#include <gtest/gtest.h>

#include "harness/record/judgement_text.h"
#include "tests/check/story.h"

namespace locklab::judgement_json_test {
namespace {

History expired() {
    return Story()
        .wants(0)
        .wants(1)
        .sets(0, "a", 100)
        .granted(0, "a", 100)
        .at(101)
        .sets(1, "b", 100)
        .granted(1, "b", 100)
        .at(102)
        .wrote(1, 2, 0, 0, 1)
        .at(103)
        .wrote(0, 1, 0, 1, 2)
        .leaving(0)
        .end();
}

TEST(JudgementJson, one_run) {
    const auto json = judgement_json(judge(expired()));
    EXPECT_EQ(json["verdict"], "violated");
    EXPECT_EQ(json["stuck"], false);
    EXPECT_EQ(json["violations"].size(), 3U);
    EXPECT_EQ(json["violations"][0].dump(),
              R"({"kind":"overlap","t_us":101000,"client":1,"grant":2,"other_grant":1,)"
              R"("duration_us":2000,"cause":"expired_while_held","counts":true})");
    EXPECT_EQ(json["violations_not_shown"], 0);
}

TEST(JudgementJson, shows_only_the_first_violations) {
    Story story;
    for (std::uint32_t i = 0; i < 20; ++i) story.granted(i);
    const auto json = judgement_json(judge(story.end()));
    EXPECT_EQ(json["overlaps"], 190);
    EXPECT_EQ(json["violations"].size(), 100U);
    EXPECT_EQ(json["violations_not_shown"], 90);
}

TEST(JudgementJson, says_of_how_many_no_cause_was_looked_for) {
    Story story;
    for (std::uint32_t i = 0; i < 150; ++i) story.granted(i);
    const Judgement judgement = judge(story.end());
    const auto json = judgement_json(judgement);
    EXPECT_EQ(json["overlaps"], 11'175);
    EXPECT_EQ(json["without_cause"], 1'175);
    EXPECT_EQ(json["violations_not_shown"], 11'075);
    const std::string text = to_text(judgement);
    EXPECT_NE(text.find("not looked for in 1175 (after the first 10000 overlaps)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("and 11170 more\n"), std::string::npos) << text;
}

TEST(JudgementText, says_verdict_counts_causes_and_who) {
    EXPECT_EQ(to_text(judge(expired())),
              "violated: mutual exclusion was broken\n"
              "2 grants in 0.103000 s: 1 overlap, 1 lost update, 1 fence inversion\n"
              "cause: expired_while_held 1 (the lease ran out while its holder was still inside)\n"
              "1 holder lost the lock while inside: 0 told, 1 never told, after at most 0.003000 s "
              "(grant 1)\n"
              "at 0.101000 s client 1 was granted the lock (grant 2) while grant 1 was inside, and "
              "both were for 0.002000 s: expired_while_held\n"
              "at 0.103000 s client 0 overwrote (grant 1) an update of grant 2 that it had not "
              "read: expired_while_held\n"
              "at 0.103000 s client 0 wrote under grant 1 after grant 2 had written: "
              "expired_while_held\n");
}

std::string first_line(const History& history) {
    const std::string text = to_text(judge(history));
    return text.substr(0, text.find('\n'));
}

TEST(JudgementText, says_what_was_broken) {
    EXPECT_EQ(first_line(Story().granted(0).granted(1).end()),
              "violated: mutual exclusion was broken");
    EXPECT_EQ(first_line(Story().granted(0).leaving(0).wrote(0, 1, 0, 1, 2).end()),
              "violated: an update was lost, though no two were inside at once");
    Story stale = Story().granted(0).leaving(0).granted(1).leaving(1);
    EXPECT_EQ(first_line(stale.wrote(1, 2, 0, 0, 1).wrote(0, 1, 1, 1, 2).end()),
              "violated: a write came after one of a newer grant, though no two were inside at "
              "once");
    EXPECT_EQ(first_line(Story().granted(0).leaving(0).at(7).wrote(0, 1, 0, 0, 4).end()),
              "unknown: the register goes from version 0 to 4 at 0.007000 s; each write adds one, "
              "so the history lacks writes, which may have been lost");
}

TEST(JudgementText, two_at_one_instant_are_said_to_be) {
    const std::string text = to_text(judge(Story().at(5).granted(0).granted(1).leaving(0).end(9)));
    EXPECT_NE(text.find("and both were at that instant: "), std::string::npos) << text;
}

TEST(JudgementText, says_who_was_told_late) {
    Story story = Story().tells_within(40).wants(0).sets(0, "a", 100).granted(0, "a", 100);
    EXPECT_EQ(to_text(judge(story.at(190).lost(0).end())),
              "holds: nobody was ever inside with another, and no update was lost\n"
              "1 grant in 0.190000 s: 0 overlaps, 0 lost updates, 0 fence inversions\n"
              "1 holder lost the lock while inside: 1 told, 0 never told, after at most 0.090000 s "
              "(grant 1)\n"
              "told late: 1 of them, later than the lock's renewals promise\n");
}

TEST(JudgementText, says_who_was_told_of_a_loss_that_was_none) {
    Story story = Story().tells_within(40).wants(0).sets(0, "a", 100).granted(0, "a", 100);
    EXPECT_EQ(to_text(judge(story.at(90).lost(0).end())),
              "holds: nobody was ever inside with another, and no update was lost\n"
              "1 grant in 0.090000 s: 0 overlaps, 0 lost updates, 0 fence inversions\n"
              "false alarms: 1 holder told of a loss that was none\n");
}

/// What a late machine can make is said to be no verdict where time was real.
TEST(JudgementText, says_what_was_found_beside_the_verdict) {
    const auto text_in = [](const char* world) {
        Story story = Story(world).wants(0).sets(0, "a", 100).at(200).granted(0, "a", 100);
        return to_text(judge(story.leaving(0).end()));
    };
    const std::string late = "granted after the validity had run out: 1 of 1 grants";
    EXPECT_NE(text_in("sim").find(late + "\n"), std::string::npos) << text_in("sim");
    const std::string column =
        " (no verdict: time was real, and a machine that is late can make it)\n";
    EXPECT_NE(text_in("live").find(late + column), std::string::npos) << text_in("live");
}

TEST(JudgementText, says_how_many_commands_were_sent_in_one_second) {
    Story story;
    for (const std::int64_t at : {0, 900, 1800}) {
        story.at(at).sent(0, Phase::acquire, static_cast<std::uint64_t>(at) + 1,
                          Command::of("GET", "k"));
    }
    const std::string text = to_text(judge(story.end()));
    EXPECT_NE(text.find("3 commands, at most 2 of them in one second\n"), std::string::npos)
        << text;
}

TEST(JudgementText, says_which_tries_were_refused_falsely) {
    const Command looks = Command::of("GET", "k");
    Story story = Story().wants(3).sent(3, Phase::acquire, 1, looks).at(40);
    story.ran(3, Phase::acquire, looks, Reply::nil(), 0, 1).refused(3).at(50).refused(3);
    const History history = story.end();
    EXPECT_NE(to_text(judge(history))
                  .find("false refusals: 1 of 2 refused tries (the lock was the "
                        "caller's own 0, nobody's 1), the first at 0.040000 s "
                        "of client 3\n"),
              std::string::npos);
    const auto refusals = judgement_json(judge(history))["refusals"];
    EXPECT_EQ(refusals.dump(), R"({"refused":2,"falsely":1,"of_own":0,"of_nobodys":1,)"
                               R"("first_us":40000,"first_client":3})");
}

TEST(JudgementText, says_how_many_share_the_lock_and_how_many_may) {
    Story story;
    for (std::uint32_t i = 0; i < 3; ++i) {
        story.note(i, Phase::inside,
                   event::Granted{i + std::uint64_t{1}, Token{}, Duration(0), 0, Mode::shared});
    }
    History history = story.end();
    history.permits = 2;
    const std::string text = to_text(judge(history));
    EXPECT_TRUE(text.starts_with("violated: more were inside at once than may be\n")) << text;
    EXPECT_NE(text.find("as one of 3 that share it, where 2 may; grant 1 was inside longest"),
              std::string::npos)
        << text;
    EXPECT_EQ(judgement_json(judge(history))["violations"][0]["sharing"], 3);
    history.permits = 3;
    EXPECT_TRUE(to_text(judge(history)).starts_with("holds: never more were inside at once"));
}

TEST(JudgementText, names_who_is_stuck) {
    const std::string text = to_text(judge(Story().wants(0).end(100, 100)));
    EXPECT_EQ(text,
              "stuck: live clients wait for a lock that no live client holds\n"
              "0 grants in 0.100000 s: 0 overlaps, 0 lost updates, 0 fence inversions\n"
              "stuck: client 0\n");
}

TEST(JudgementText, what_proves_nothing_says_so) {
    EXPECT_TRUE(to_text(judge(History())).starts_with("unknown: there is no grant"));
}

TEST(JudgementText, says_how_long_somebody_waited_for_a_lock_that_nobody_held) {
    const Judgement judgement =
        judge(Story().granted(0).at(10).crash(0).wants(1).at(26'000).granted(1).end());
    EXPECT_NE(to_text(judgement).find("client 1 waited 25.990000 s for a lock that no live client "
                                      "held, the longest of such waits\n"),
              std::string::npos)
        << to_text(judgement);
    // Whether that is too long depends on a TTL that the history does not tell.
    EXPECT_EQ(judgement_json(judgement)["oracles"]["orphan_waits"]["of"], 0);
}

}  // namespace
}  // namespace locklab::judgement_json_test
