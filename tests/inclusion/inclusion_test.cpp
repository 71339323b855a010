// An order of executions is found where there is one, and where there is none the first event
// that no order allows: on histories written by hand.

#include "harness/inclusion/inclusion.h"

#include <gtest/gtest.h>

#include "harness/core/sha1.h"
#include "tests/check/story.h"

namespace locklab::inclusion_test {
namespace {

using Found = Inclusion::Found;

Command set_nx(const char* token, int ttl_ms) {
    return Command::of("SET", "k", token, "NX", "PX", ttl_ms);
}

History live(Story& story, std::int64_t end) {
    History history = story.end(end);
    history.world = "live";
    history.began = kEpoch;
    return history;
}

/// A took the key at 0, for 100 ms; its reply was there at 3.
Story held() {
    Story story;
    story.sent(0, Phase::acquire, 1, set_nx("a", 100)).at(3);
    story.ran(0, Phase::acquire, set_nx("a", 100), Reply::ok(), 3, 1);
    return story;
}

TEST(Inclusion, accepts_what_can_be_said_in_one_order) {
    // B's command was answered before A's, though A's ran first.
    Story story;
    story.sent(0, Phase::acquire, 1, set_nx("a", 100)).sent(1, Phase::acquire, 2, set_nx("b", 100));
    story.at(2).ran(1, Phase::acquire, set_nx("b", 100), Reply(), 2, 2);
    story.at(3).ran(0, Phase::acquire, set_nx("a", 100), Reply::ok(), 3, 1);
    const Inclusion found = find_order(live(story, 10));
    EXPECT_EQ(found.found, Found::accepted) << found.why;
    EXPECT_EQ(found.executions, 2U);
}

TEST(Inclusion, refuses_what_came_before_it_could) {
    // B was refused, and its answer was there before A's command left.
    Story story;
    story.sent(1, Phase::acquire, 2, set_nx("b", 100)).at(2);
    story.ran(1, Phase::acquire, set_nx("b", 100), Reply(), 2, 2).at(10);
    story.sent(0, Phase::acquire, 1, set_nx("a", 100)).at(13);
    story.ran(0, Phase::acquire, set_nx("a", 100), Reply::ok(), 3, 1);
    const Inclusion found = find_order(live(story, 20));
    EXPECT_EQ(found.found, Found::refused);
    EXPECT_EQ(found.event, 1U);
    EXPECT_EQ(found.why, "SET k b NX PX 100 was answered (nil), and by the rules it is OK");
}

/// Its reply took half a second, and what others did meanwhile was answered before.
TEST(Inclusion, a_command_may_have_run_before_many_that_were_answered_sooner) {
    for (const int when : {10, 90}) {
        Story story;
        story.sent(0, Phase::acquire, 1, set_nx("a", 1000));
        for (int i = 0; i < 100; ++i) {
            story.at(1 + i).ran(1, Phase::acquire, Command::of("GET", "k"),
                                i < when ? Reply::nil() : Reply::bulk("a"), 0, 0);
        }
        story.at(500).ran(0, Phase::acquire, set_nx("a", 1000), Reply::ok(), 500, 1);
        const Inclusion found = find_order(live(story, 600));
        EXPECT_EQ(found.found, Found::accepted) << found.why;
    }
    Story story;
    story.sent(0, Phase::acquire, 1, set_nx("a", 1000));
    for (int i = 0; i < 100; ++i) {
        story.at(1 + i).ran(1, Phase::acquire, Command::of("GET", "k"),
                            i == 50 ? Reply::bulk("a") : Reply::nil(), 0, 0);
    }
    story.at(500).ran(0, Phase::acquire, set_nx("a", 1000), Reply::ok(), 500, 1);
    EXPECT_EQ(find_order(live(story, 600)).found, Found::refused) << "it was there once";
}

/// What was sent to a server that hung is answered in any order when it goes on. The key that it
/// gave then ran out at 290.
TEST(Inclusion, many_under_way_at_once_are_put_in_order) {
    constexpr int kSent = 21;
    Story story;
    for (int i = 0; i < kSent; ++i)
        story.at(10 + 8 * i).sent(i % 3, Phase::acquire, i + 1, set_nx("a", 100));
    const auto answer = [&](int i, int at, const Reply& reply) {
        story.at(at).ran(i % 3, Phase::acquire, set_nx("a", 100), reply, at - 10 - 8 * i, i + 1);
    };
    answer(2, 190, Reply());
    answer(1, 190, Reply());
    answer(0, 200, Reply::ok());
    for (int i = kSent; i-- > 3;) answer(i, 210, Reply());
    for (int at = 212; at <= 289; ++at) {
        story.at(at).ran(1, Phase::acquire, set_nx("b", 100), Reply(), 1, 0);
    }
    story.at(292).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 0, 0);
    const Inclusion found = find_order(live(story, 310), {}, 20'000);
    EXPECT_EQ(found.found, Found::accepted) << found.why;
}

TEST(Inclusion, begins_with_the_keys_that_were_there) {
    Story story;
    story.at(5).ran(0, Phase::acquire, Command::of("INCR", "k:fence"), Reply::integer(4), 1, 1);
    const History history = live(story, 10);
    EXPECT_EQ(find_order(history).found, Found::refused);
    ServerNotes notes;
    notes.keys[NodeId{0}] = {KeyEntry{"k:fence", "3"}};
    EXPECT_EQ(find_order(history, notes).found, Found::accepted);
}

TEST(Inclusion, what_strikes_a_server_may_be_noted_later) {
    Story story = held();
    story.at(20).ran(1, Phase::acquire, Command::of("GET", "k"), Reply::nil(), 0, 2);
    story.at(25).fault(1, Hazard::evict);
    const History history = live(story, 30);
    EXPECT_EQ(find_order(history).found, Found::refused);
    ServerNotes notes;
    notes.noted_late = std::chrono::milliseconds(10);
    EXPECT_EQ(find_order(history, notes).found, Found::accepted);
}

TEST(Inclusion, refuses_two_that_took_the_key_at_once) {
    Story story = held();
    story.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 3, 2);
    const Inclusion found = find_order(live(story, 30));
    EXPECT_EQ(found.found, Found::refused);
    EXPECT_EQ(found.event, 2U);
}

TEST(Inclusion, lets_a_key_expire_when_its_time_is_over_and_not_before) {
    for (const auto& [at, expected] :
         {std::pair{90, Found::refused}, std::pair{101, Found::accepted},
          std::pair{200, Found::accepted}}) {
        Story story = held();
        story.at(at).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
        EXPECT_EQ(find_order(live(story, 300)).found, expected) << at;
    }
    Story story = held();
    story.at(200).ran(1, Phase::acquire, set_nx("b", 100), Reply(), 1, 2);
    EXPECT_EQ(find_order(live(story, 300)).found, Found::refused) << "it was still there";
}

/// Its reply took 27 ms: the key may be gone at any time within these, and is gone in the middle.
/// A script may answer a time beside something else, of which no other will do.
TEST(Inclusion, a_time_in_an_array_may_differ_as_a_time_does) {
    const Command reads = Command::of("EVAL", "return {redis.call('pttl', KEYS[1]), -1}", 1, "k");
    const auto answered = [&](std::vector<Reply> reply) {
        Story story = held();
        story.at(50).sent(1, Phase::acquire, 2, reads).at(53);
        story.ran(1, Phase::acquire, reads, Reply::array(std::move(reply)), 3, 2);
        return find_order(live(story, 60)).found;
    };
    EXPECT_EQ(answered({Reply::integer(53), Reply::integer(-1)}), Found::accepted);
    EXPECT_EQ(answered({Reply::integer(53), Reply::integer(-2)}), Found::refused);
    EXPECT_EQ(answered({Reply::integer(53)}), Found::refused);
}

/// However the command came that tells the time: by a digest, or in a transaction.
TEST(Inclusion, a_time_may_differ_in_what_a_digest_or_exec_answers) {
    const std::string reads = "return redis.call('pttl', KEYS[1])";
    const auto answered = [&](const char* counts_as, int left) {
        Story story = held();
        const auto run = [&](const Command& command, Reply reply) {
            story.ran(1, Phase::acquire, command, std::move(reply), 0, 1);
        };
        story.at(50);
        if (std::string_view(counts_as) == "digest") {
            const std::string name = to_hex(sha1(reads));
            run(Command::of("SCRIPT", "LOAD", reads), Reply::bulk(name));
            run(Command::of("EVALSHA", name, 1, "k"), Reply::integer(left));
        } else {
            run(Command::of("MULTI"), Reply::ok());
            run(Command::of("PTTL", "k"), Reply::status("QUEUED"));
            run(Command::of("EXEC"), Reply::array({Reply::integer(left)}));
        }
        return find_order(live(story, 60)).found;
    };
    for (const char* way : {"digest", "exec"}) {
        EXPECT_EQ(answered(way, 20), Found::accepted) << way << ", 30 ms from what is left";
        EXPECT_EQ(answered(way, -1), Found::refused) << way;
    }
}

TEST(Inclusion, finds_when_a_command_ran_by_what_came_of_it) {
    for (const int gone : {505, 512, 518, 525}) {
        Story story;
        story.sent(0, Phase::acquire, 1, set_nx("a", 500)).at(27);
        story.ran(0, Phase::acquire, set_nx("a", 500), Reply::ok(), 27, 1);
        story.at(gone).ran(1, Phase::acquire, set_nx("b", 500), Reply(), 0, 2);
        story.at(gone + 3).ran(2, Phase::acquire, set_nx("c", 500), Reply::ok(), 0, 3);
        const Inclusion found = find_order(live(story, 600));
        EXPECT_EQ(found.found, Found::accepted) << gone << ": " << found.why;
    }
}

TEST(Inclusion, what_nobody_answered_ran_or_not) {
    for (const bool ran : {false, true}) {
        Story story;
        story.sent(0, Phase::acquire, 1, set_nx("a", 100)).at(50);
        story.ran(1, Phase::acquire, set_nx("b", 100), ran ? Reply() : Reply::ok(), 1, 2);
        const Inclusion found = find_order(live(story, 60));
        EXPECT_EQ(found.found, Found::accepted) << found.why;
        EXPECT_EQ(found.unanswered, 1U);
    }
}

/// Its answer was too long to be kept.
TEST(Inclusion, what_was_answered_nobody_knows_how_ran_or_not) {
    for (const bool ran : {false, true}) {
        Story story;
        story.sent(0, Phase::acquire, 1, set_nx("a", 100)).at(5);
        story.ran(0, Phase::acquire, set_nx("a", 100), Reply::unknown(), 5, 1).at(50);
        story.ran(1, Phase::acquire, set_nx("b", 100), ran ? Reply() : Reply::ok(), 1, 2);
        const Inclusion found = find_order(live(story, 60));
        EXPECT_EQ(found.found, Found::accepted) << found.why;
    }
}

TEST(Inclusion, without_the_text_of_a_command_nobody_knows) {
    static constexpr Script kNoText{"SADD (cut off)", ""};
    Story story = held();
    story.at(20).ran(1, Phase::acquire, Command::eval(kNoText, Key{"k"}), Reply::integer(1), 1, 2);
    const Inclusion found = find_order(live(story, 60));
    EXPECT_EQ(found.found, Found::undecided);
    EXPECT_EQ(found.why, "the history does not tell what SADD (cut off) does");
}

TEST(Inclusion, what_was_lost_on_its_way_did_not_run) {
    Story story;
    story.sent(0, Phase::acquire, 1, set_nx("a", 100));
    story.note(0, Phase::acquire, event::Fault{Hazard::lose_request, {}, 1}).at(50);
    story.ran(1, Phase::acquire, set_nx("b", 100), Reply(), 1, 2);
    EXPECT_EQ(find_order(live(story, 60)).found, Found::refused);
}

TEST(Inclusion, a_second_attempt_may_run_once_more) {
    for (const bool retries : {false, true}) {
        Story story;
        story.sent(0, Phase::acquire, 1, set_nx("a", 100));
        if (retries) story.note(0, Phase::acquire, event::Fault{Hazard::retry, {}, 1});
        story.at(3).ran(0, Phase::acquire, set_nx("a", 100), Reply::ok(), 3, 1);
        story.at(150).ran(1, Phase::acquire, set_nx("b", 100), Reply(), 1, 2);
        const Found expected = retries ? Found::accepted : Found::refused;
        EXPECT_EQ(find_order(live(story, 160)).found, expected) << retries;
    }
}

TEST(Inclusion, a_flush_leaves_no_key) {
    Story story = held();
    story.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
    EXPECT_EQ(find_order(live(story, 30)).found, Found::refused);
    Story flushed = held();
    flushed.at(10).fault(1, Hazard::flush);
    flushed.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
    EXPECT_EQ(find_order(live(flushed, 30)).found, Found::accepted);
}

TEST(Inclusion, leaves_open_what_a_server_had_a_while_ago) {
    Story story = held();
    story.at(10).fault(1, Hazard::restart_snapshot);
    const Inclusion found = find_order(live(story, 40));
    EXPECT_EQ(found.found, Found::undecided);
    EXPECT_EQ(found.why, "what a server had a while ago is not followed");
}

TEST(Inclusion, a_restart_ends_what_was_sent_before) {
    Story story = held();
    story.sent(0, Phase::release, 3, Command::of("DEL", "k")).at(10).fault(1, Hazard::restart);
    story.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
    EXPECT_EQ(find_order(live(story, 30)).found, Found::accepted) << "the key is gone";
    story.at(25).ran(0, Phase::acquire, set_nx("c", 100), Reply::ok(), 1, 4);
    const Inclusion found = find_order(live(story, 30));
    EXPECT_EQ(found.found, Found::refused) << "A's DEL went with its connection";
    EXPECT_EQ(found.event, 5U);
}

TEST(Inclusion, without_the_fault_of_which_it_tells_it_is_refused) {
    Story story = held();
    story.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
    EXPECT_EQ(find_order(live(story, 30)).found, Found::refused);
}

TEST(Inclusion, a_replica_has_what_its_master_had_at_some_time_before) {
    const NodeId replica{1};
    for (const bool had : {false, true}) {
        Story story = held();
        story.at(5).fault(0, Hazard::failover, 0, replica).at(20);
        story.ran(1, Phase::acquire, set_nx("b", 100), had ? Reply() : Reply::ok(), 1, 2, replica);
        const Inclusion found = find_order(live(story, 30));
        EXPECT_EQ(found.found, Found::accepted) << "it may lag: " << found.why;
    }
}

TEST(Inclusion, says_so_where_it_does_not_know) {
    Story story = held();
    story.at(20).ran(1, Phase::acquire, Command::of("LPUSH", "k", "b"), Reply::integer(1), 1, 2);
    const Inclusion strange = find_order(live(story, 30));
    EXPECT_EQ(strange.found, Found::undecided);
    EXPECT_NE(to_text(strange).find("the model of Redis does not know"), std::string::npos);
    Story bad = held();
    bad.at(20).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 1, 2);
    EXPECT_EQ(find_order(live(bad, 30), {}, 1).found, Found::undecided) << "one try is too few";
}

TEST(Inclusion, is_counted_over_a_campaign) {
    InclusionCount count;
    count.add({Inclusion::Found::accepted, 3, 0, {}, ""}, 1);
    EXPECT_EQ(to_text(count), "the rules allow 1 history");
    count.add({Inclusion::Found::undecided, 3, 0, {}, "too much"}, 2);
    count.add({Inclusion::Found::undecided, 3, 0, {}, "too late"}, 3);
    EXPECT_EQ(to_text(count),
              "the rules allow 1 of 3 histories, and of the others it is not known: too much");
    count.add({Inclusion::Found::refused, 3, 0, 6, "SET was"}, 3);
    count.add({Inclusion::Found::refused, 3, 0, 7, "GET was"}, 4);
    EXPECT_EQ(to_text(count),
              "the rules do not allow 2 of 5 histories; the first, run 3: no rule allows event 7: "
              "SET was");
}

TEST(Inclusion, an_error_of_the_servers_own_changes_nothing) {
    Story story;
    story.at(3).ran(0, Phase::acquire, set_nx("a", 100), Reply::error("OOM command not allowed"), 3,
                    1);
    story.at(9).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 3, 2);
    EXPECT_EQ(find_order(live(story, 10)).found, Found::accepted);
}

constexpr const char* kTakes = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 100)";

Command by_digest() { return Command::of("EVALSHA", to_hex(sha1(kTakes)), "1", "k", "a"); }

/// A script ran by its name, and nobody had told it in this history.
TEST(Inclusion, a_script_may_have_been_cached_before) {
    Story story;
    story.at(3).ran(0, Phase::acquire, by_digest(), Reply::ok(), 3, 1);
    story.at(9).ran(1, Phase::acquire, set_nx("b", 100), Reply(), 3, 2);
    const History history = live(story, 10);
    const Inclusion unknown = find_order(history);
    EXPECT_EQ(unknown.found, Found::undecided);
    EXPECT_EQ(unknown.why, "the text of a script that the server had cached is not told");
    ServerNotes notes;
    notes.scripts = {kTakes};
    const Inclusion known = find_order(history, notes);
    EXPECT_EQ(known.found, Found::accepted) << known.why;
    Story odd;
    odd.at(3).ran(0, Phase::acquire, by_digest(), Reply::ok(), 3, 1);
    odd.at(9).ran(1, Phase::acquire, set_nx("b", 100), Reply::ok(), 3, 2);
    EXPECT_EQ(find_order(live(odd, 10), notes).found, Found::refused) << "the key was there";
}

TEST(Inclusion, a_script_is_known_that_the_history_brings_later) {
    Story story;
    story.at(3).ran(0, Phase::acquire, by_digest(), Reply::ok(), 3, 1);
    story.at(9).ran(1, Phase::acquire, Command::of("EVAL", kTakes, "1", "k", "b"), Reply(), 3, 2);
    const Inclusion found = find_order(live(story, 10));
    EXPECT_EQ(found.found, Found::accepted) << found.why;
}

/// The answer to what brought it came after that to what needed it, and what found nothing is
/// noted last.
TEST(Inclusion, a_script_need_not_have_been_cached_before) {
    Story story;
    const Command brings = Command::of("SCRIPT", "LOAD", kTakes);
    const Reply missed = Reply::error("NOSCRIPT No matching script. Please use EVAL.");
    story.at(5).ran(0, Phase::acquire, by_digest(), Reply::ok(), 1, 1);
    story.at(6).ran(1, Phase::acquire, by_digest(), missed, 6, 2);
    story.at(7).ran(2, Phase::acquire, brings, Reply::bulk(to_hex(sha1(kTakes))), 7, 3);
    const Inclusion found = find_order(live(story, 10));
    EXPECT_EQ(found.found, Found::accepted) << found.why;
}

TEST(Inclusion, a_server_that_was_asked_says_whether_a_script_was_there) {
    for (const int there : {0, 1}) {
        Story story;
        const Command asks = Command::of("SCRIPT", "EXISTS", to_hex(sha1(kTakes)));
        story.at(3).ran(0, Phase::acquire, asks, Reply::array({Reply::integer(there)}), 3, 1);
        story.at(9).ran(0, Phase::acquire, by_digest(), Reply::ok(), 3, 2);
        ServerNotes notes;
        notes.scripts = {kTakes};
        EXPECT_EQ(find_order(live(story, 10), notes).found,
                  there == 1 ? Found::accepted : Found::refused);
    }
}

}  // namespace
}  // namespace locklab::inclusion_test
