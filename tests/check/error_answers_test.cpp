// An error of the server is neither a refusal nor a grant, whoever reads the history.
#include "harness/check/error_answers.h"

#include <gtest/gtest.h>

#include "harness/check/campaign_count.h"
#include "tests/check/story.h"

namespace locklab::error_answers_test {
namespace {

const Reply kReadOnly = Reply::error("READONLY You can't write against a read only replica.");
const Reply kWrongType = Reply::error("WRONGTYPE Operation against a key");

/// One client that wants the lock and gets this for an answer, for longer than anybody waits.
Story kept_out(const Reply& reply, bool is_told = true, const std::string& world = "live") {
    Story story(world);
    story.at(1).wants(0).replied(0, 1, reply);
    if (is_told) story.note(0, Phase::acquire, event::Failed{reply.text()});
    if (!is_told) story.refused(0);
    return story;
}
History cut(Story story) {
    History history = story.at(2'000).end();
    history.patience = std::chrono::seconds(1);
    return history;
}

TEST(ErrorAnswers, are_counted_and_shown) {
    const ErrorAnswers none = error_answers(cut(kept_out(Reply::nil(), false)));
    EXPECT_EQ(none.answers, 0U);
    EXPECT_EQ(none.first, "");
    const ErrorAnswers errors = error_answers(cut(kept_out(Reply::error("ERR \x1b[31m"))));
    EXPECT_EQ(errors.answers, 1U);
    EXPECT_EQ(errors.tries, 1U);
    EXPECT_EQ(errors.first, "ERR \\x1b[31m");
    EXPECT_EQ(errors.servers, "");
    EXPECT_EQ(error_answers(cut(kept_out(kReadOnly))).servers, kReadOnly.text());
}

TEST(ErrorAnswers, of_a_server_that_refuses_are_no_lock_that_is_held) {
    for (const bool is_told : {true, false}) {
        const Judgement judgement = judge(cut(kept_out(kReadOnly, is_told)));
        EXPECT_EQ(judgement.verdict, Verdict::unknown);
        EXPECT_EQ(judgement.why_unknown, "the server refused commands: " + kReadOnly.text());
    }
}

TEST(ErrorAnswers, of_a_script_may_sound_like_those_of_a_server) {
    EXPECT_EQ(judge(cut(kept_out(Reply::error("BUSY"), true, "sim"))).verdict, Verdict::stuck);
}

TEST(ErrorAnswers, of_the_lock_are_the_locks) {
    const Judgement judgement = judge(cut(kept_out(kWrongType)));
    EXPECT_EQ(judgement.verdict, Verdict::stuck);
    EXPECT_EQ(judgement.why_unknown, "");
    EXPECT_EQ(judgement.errors.first, kWrongType.text());
}

/// B was refused while A had the lock, rightly, and once by a try that began before A left.
Story each_fails_after_a_release() {
    Story story("driver");
    const auto fails = [&](std::uint32_t client) {
        story.note(client, Phase::acquire, event::Failed{"no scripts"});
    };
    story.at(1).wants(0).granted(0, "t1").at(2).wants(1).refused(1).refused(1);
    story.at(3).leaving(0).released(0).refused(1).at(4).wants(0);
    fails(0);
    fails(1);
    return story;
}

TEST(ErrorAnswers, of_a_library_after_the_last_release_tell_nothing_of_its_lock) {
    const Judgement judgement = judge(cut(each_fails_after_a_release()));
    EXPECT_EQ(judgement.verdict, Verdict::unknown);
    EXPECT_EQ(judgement.why_unknown,
              "each try since the last holder left ended with an error: no scripts");
}

TEST(ErrorAnswers, of_a_library_between_two_refusals_do_not_free_its_lock) {
    Story story = each_fails_after_a_release();
    EXPECT_EQ(judge(cut(story.refused(1))).verdict, Verdict::stuck);
}

TEST(ErrorAnswers, do_not_undo_what_was_seen) {
    Story story;
    story.at(1).wants(0).granted(0).at(2).wants(1).granted(1);
    story.at(3).replied(0, 1, kReadOnly).leaving(0).leaving(1);
    EXPECT_EQ(judge(story.end()).verdict, Verdict::violated);
}

TEST(ErrorAnswers, are_why_there_was_no_grant) {
    Story story = kept_out(kWrongType);
    EXPECT_EQ(judge(story.end()).why_unknown,
              "there was no grant, and the server answered: " + kWrongType.text());
}

TEST(NotModelled, shows_nothing_at_all) {
    Story story;
    story.at(1).wants(0).granted(0).at(2).wants(1).granted(1);
    History history = story.end();
    history.not_modelled = "LPUSH";
    const Judgement judgement = judge(history);
    EXPECT_EQ(judgement.verdict, Verdict::unknown);
    EXPECT_EQ(judgement.why_unknown, "the model of Redis does not know LPUSH");

    CampaignCount count(FaultBudget(), std::chrono::seconds(1));
    History good = Story().at(1).wants(0).granted(0).end();
    count.add(report_run(good));
    EXPECT_EQ(count.verdict(), Verdict::not_seen);
    count.add(report_run(history));
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "the model of Redis does not know LPUSH");
    EXPECT_FALSE(count.witness());
}

TEST(DiffersAlone, shows_nothing_at_all) {
    History history = Story().at(1).wants(0).granted(0).at(2).wants(1).granted(1).end();
    EXPECT_EQ(judge(history).verdict, Verdict::violated);
    history.differs_alone = ClientId{1};
    const Judgement judgement = judge(history);
    EXPECT_EQ(judgement.verdict, Verdict::unknown);
    EXPECT_EQ(judgement.why_unknown.find("client 1 does something else"), 0U);
}

TEST(WitnessOfACampaign, is_the_same_once_more) {
    const History bad = Story().at(1).wants(0).granted(0).at(2).wants(1).granted(1).end();
    const History good = Story().at(1).wants(0).granted(0).at(2).wants(1).refused(1).end();
    const auto seen_again = [&](const History& again) {
        CampaignCount count(FaultBudget(), std::chrono::seconds(1));
        count.add(report_run(bad));
        count.see_witness_again(report_run(again));
        return count.verdict();
    };
    EXPECT_EQ(seen_again(bad), Verdict::violated);
    EXPECT_EQ(seen_again(good), Verdict::unknown);
}

TEST(CampaignOfErrors, is_unknown_in_the_servers_words) {
    using Kind = Disturbance::Kind;
    CampaignCount count(FaultBudget(), std::chrono::seconds(1));
    count.leave_out_disturbed({Kind::late, ""});
    count.leave_out_disturbed({Kind::refused, "READONLY You can't."});
    count.leave_out_disturbed({Kind::refused, "OOM"});
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "the server refused commands: READONLY You can't.");
    EXPECT_EQ(count.disturbed_runs(), 3U);
    EXPECT_EQ(count.disturbed_runs(Kind::refused), 2U);

    CampaignCount slow(FaultBudget(), std::chrono::seconds(1));
    slow.leave_out_disturbed({Kind::driver, "'step' took 2s"});
    EXPECT_EQ(slow.why_unknown(), "its driver was too slow by itself in most runs: 'step' took 2s");

    CampaignCount gone(FaultBudget(), std::chrono::seconds(1));
    gone.leave_out_disturbed({Kind::disconnected, "Connection refused"});
    EXPECT_EQ(gone.why_unknown(), "the server ended or refused connections: Connection refused");
    gone.cut_short("it is gone");
    EXPECT_EQ(gone.why_unknown(), "the campaign was cut short: it is gone");
}

TEST(DisturbanceOfErrors, is_the_servers_own_alone) {
    const auto found = disturbance_of(cut(kept_out(kReadOnly)));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->kind, Disturbance::Kind::refused);
    EXPECT_EQ(found->words, kReadOnly.text());
    EXPECT_FALSE(was_disturbed(cut(kept_out(kWrongType))));
}

}  // namespace
}  // namespace locklab::error_answers_test
