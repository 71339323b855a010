#include "harness/stage/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/stage/script_rules.h"
#include "harness/stage/sentence_pattern.h"

namespace locklab::line_reader_test {
namespace {

using namespace std::chrono_literals;
using Verb = Line::Verb;
using Kind = Selector::Kind;

constexpr std::array<std::string_view, 2> kCast{"A", "B"};

struct Good {
    std::string_view sentence;
    Verb verb;
    std::uint32_t client = 0;
    Selector selector = {};
    Duration amount{0};
};

const std::vector<Good> kGood{
    {"A tries", Verb::tries},
    {"B acquires", Verb::acquires, 1},
    {"A waits", Verb::waits},
    {"A gives up", Verb::gives_up},
    {"B takes the lock again", Verb::takes_again, 1},
    {"A writes", Verb::writes},
    {"A releases", Verb::releases},
    {"A runs until before read", Verb::runs_until_before, 0, {Kind::read, ""}},
    {"B runs until after SETNX", Verb::runs_until_after, 1, {Kind::command, "SETNX"}},
    {"A pauses", Verb::pauses},
    {"B resumes", Verb::resumes, 1},
    {"A crashes", Verb::crashes},
    {"A is cut off", Verb::cut_off},
    {"A is reachable", Verb::reachable},
    {"A is cut off from Redis", Verb::cut_off_from},
    {"A reaches Redis", Verb::reaches},
    {"B's watchdog stalls", Verb::watchdog_stalls, 1},
    {"A's watchdog resumes", Verb::watchdog_resumes},
    {"A's clock jumps +5s", Verb::clock_jumps, 0, {}, 5s},
    {"B's clock jumps -250ms", Verb::clock_jumps, 1, {}, -250ms},
    {"A's next acquire is lost", Verb::loses_request, 0, {Kind::acquire, ""}},
    {"B's next renewal is delayed", Verb::delays, 1, {Kind::renewal, ""}},
    {"A's next PEXPIRE is sent twice", Verb::retries, 0, {Kind::command, "EXPIRE"}},
    {"A's next SET gets an error", Verb::gets_error, 0, {Kind::command, "SET"}},
    {"A's next SET is reset", Verb::is_reset, 0, {Kind::command, "SET"}},
    {"the reply to A's next SET is reset", Verb::reply_is_reset, 0, {Kind::command, "SET"}},
    {"A's EXPIRE arrives", Verb::arrives, 0, {Kind::command, "EXPIRE"}},
    {"the reply to B's next release is lost", Verb::loses_reply, 1, {Kind::release, ""}},
    {"the reply to A's next SET is delayed", Verb::delays_reply, 0, {Kind::command, "SET"}},
    {"the reply to B's renewal arrives", Verb::reply_arrives, 1, {Kind::renewal, ""}},
    {"A's write arrives", Verb::arrives, 0, {Kind::write, ""}},
    {"11s pass", Verb::time_passes, 0, {}, 11s},
    {"1.5s passes", Verb::time_passes, 0, {}, 1500ms},
    {"Redis restarts", Verb::redis_restarts},
    {"Redis is down for 11s", Verb::redis_restarts, 0, {}, 11s},
    {"Redis restarts with its data of 2min ago", Verb::redis_restores, 0, {}, 2min},
    {"Redis hangs", Verb::redis_hangs},
    {"Redis goes on", Verb::redis_goes_on},
    {"Redis evicts the key", Verb::redis_evicts},
    {"Redis loses all keys", Verb::redis_flushed},
    {"Redis' clock jumps +10s", Verb::redis_clock_jumps, 0, {}, 10s},
    {"Redis's clock jumps -1s", Verb::redis_clock_jumps, 0, {}, -1s},
    {"an operator deletes the key", Verb::operator_deletes},
    {"the replica is cut off", Verb::replica_cut_off},
    {"the replica takes over", Verb::replica_takes_over},
    {"B learns of the new master", Verb::learns_master, 1},
};

TEST(LineReader, reads_every_sentence) {
    std::set<Verb> verbs;
    for (const Good& good : kGood) {
        SCOPED_TRACE(good.sentence);
        const Line line = read_line(good.sentence, kCast).line;
        EXPECT_EQ(line.verb, good.verb);
        EXPECT_EQ(line.client.value, good.client);
        EXPECT_EQ(line.selector.kind, good.selector.kind);
        EXPECT_EQ(line.selector.name, good.selector.name);
        EXPECT_EQ(line.amount, good.amount);
        EXPECT_EQ(line.text, good.sentence);
        verbs.insert(line.verb);
    }
    EXPECT_EQ(verbs.size() + 1, sentences().size()) << "a restart can be told in two ways";
}

TEST(LineReader, does_not_mind_blanks) {
    EXPECT_EQ(read_line(" A \t acquires\n", kCast).line.text, "A acquires");
}

TEST(LineReader, reads_every_command) {
    for (const std::string& command : commands()) {
        const Line line = read_line("A's " + command + " arrives", kCast).line;
        const bool is_kind = line.selector.kind != Selector::Kind::command;
        EXPECT_EQ(to_string(line.selector), is_kind ? command : command_meant(command));
    }
}

TEST(LineReader, says_where_the_words_stand) {
    const PlacedLine placed = read_line("the reply to B's next DEL is lost", kCast);
    EXPECT_EQ(placed.client_at, 13U);
    EXPECT_EQ(placed.command_at, 22U);
    EXPECT_EQ(placed.last_at, 29U);
}

TEST(LineReader, lists_the_sentences) {
    const std::vector<std::string> all = sentences();
    EXPECT_EQ(all.front(), "X tries");
    EXPECT_NE(std::find(all.begin(), all.end(), "DURATION pass"), all.end());
    EXPECT_NE(std::find(all.begin(), all.end(), "Redis' clock jumps +DURATION"), all.end());
}

/// "offset: message", or nothing if the sentence is good.
std::string complaint(std::string_view sentence) {
    try {
        read_line(sentence, kCast);
        return "";
    } catch (const LineError& error) {
        return std::to_string(error.offset()) + ": " + error.what();
    }
}

struct Bad {
    std::string_view sentence;
    std::string_view complaint;
};

const std::string kVerbs =
    "Known: tries, acquires, waits, gives, takes, writes, releases, runs, pauses, resumes, "
    "crashes, is, reaches, learns";
const std::string kBeginnings = "Known: A, B, the, DURATION, Redis, Redis', an";
const std::string kCommandList = [] {
    std::string list;
    for (const std::string& word : commands()) list += (list.empty() ? "" : ", ") + word;
    return list;
}();

TEST(LineReader, names_the_unknown_word_and_the_nearest) {
    EXPECT_EQ(complaint("A aquires"),
              "2: unknown word 'aquires'; did you mean 'acquires'? " + kVerbs);
    EXPECT_EQ(complaint("A acquires."),
              "2: unknown word 'acquires.'; did you mean 'acquires'? " + kVerbs);
    EXPECT_EQ(complaint("Anna acquires"), "0: unknown word 'Anna'. " + kBeginnings);
    EXPECT_EQ(complaint("pass"), "0: unknown word 'pass'. " + kBeginnings);
    EXPECT_EQ(complaint("A runs until before setnx"),
              "20: unknown command 'setnx'; did you mean 'SETNX'? Known: " + kCommandList);
    EXPECT_EQ(complaint("A's foo arrives"),
              "4: unknown word 'foo'. Known: watchdog, clock, next, " + kCommandList);
}

const std::vector<Bad> kBad{
    {"", "0: the sentence is empty; right would be one like 'A acquires'"},
    {"D acquires", "0: unknown client 'D'. Known: A, B"},
    {"a acquires", "0: unknown client 'a'; did you mean 'A'? Known: A, B"},
    {"the reply to D's next DEL is lost", "13: unknown client 'D'. Known: A, B"},
    {"the reply to A next DEL is lost", "13: 'A' should say whose; right would be 'A's'"},
    {"A next DEL is lost", "0: 'A' does not go with 'next'; right would be 'A's'"},
    {"A's crashes", "0: 'A's' does not go with 'crashes'; right would be 'A'"},
    {"Redis clock jumps +1s", "0: 'Redis' does not go with 'clock'; right would be 'Redis''"},
    {"A\xE2\x80\x99s DEL arrives", "1: the apostrophe is a curly one; right would be 'A's'"},
    {"A runs until befor SETNX",
     "13: unknown word 'befor'; did you mean 'before'? Known: before, after"},
    {"A takes the key again", "12: unknown word 'key'. Known: lock"},
    {"A's watchdog stals",
     "13: unknown word 'stals'; did you mean 'stalls'? Known: stalls, resumes"},
    {"the reply to A's next DEL is late", "29: unknown word 'late'. Known: reset, lost, delayed"},
    {"Redis restart",
     "6: unknown word 'restart'; did you mean 'restarts'? Known: restarts, is, hangs, goes, "
     "evicts, loses"},
    {"Redis restarts now", "15: unknown word 'now'. Known: with, or no more"},
    {"A acquires the lock",
     "11: the sentence is whole before 'the'; right would be to end it after 'acquires'"},
    {"10 pass", "0: '10' is not a duration above nought; right would be like 10s or 250ms"},
    {"0s pass", "0: '0s' is not a duration above nought; right would be like 10s or 250ms"},
    {"1e9s pass", "0: '1e9s' is not a duration above nought; right would be like 10s or 250ms"},
    {"Redis restarts with its data of old ago",
     "32: 'old' is not a duration above nought; right would be like 10s or 250ms"},
    {"A's clock jumps 5s",
     "16: '5s' is not a jump; right would be a time with its sign, like +5s or -5s"},
    {"A's clock jumps +0s",
     "16: '+0s' is not a jump; right would be a time with its sign, like +5s or -5s"},
    {"Redis' clock jumps +-5s",
     "19: '+-5s' is not a jump; right would be a time with its sign, like +5s or -5s"},
    {"A runs until", "7: the sentence ends after 'runs until'; right would be 'before' or 'after'"},
    {"10s", "0: the sentence ends after '10s'; right would be 'pass'"},
    {"A's next",
     "4: the sentence ends after 'A's next'; right would be a command such as 'acquire' or "
     "'SETNX'"},
    {"A's next DEL is",
     "13: the sentence ends after 'DEL is'; right would be 'lost', 'delayed', 'sent' or 'reset'"},
    {"A's clock jumps",
     "10: the sentence ends after 'clock jumps'; right would be a time with its sign, like +5s or "
     "-5s"},
    {"the reply to", "10: the sentence ends after 'reply to'; right would be whose, like 'A's'"},
    {"Redis restarts with its data of",
     "29: the sentence ends after 'data of'; right would be a duration like 10s"},
};

TEST(LineReader, says_what_is_wrong_and_what_right) {
    for (const Bad& bad : kBad) EXPECT_EQ(complaint(bad.sentence), bad.complaint);
}

using Script = std::vector<std::string_view>;

/// "line:offset: message" of the first line, from 1, that the rules refuse.
std::string objection(const Script& script) {
    ScriptRules rules(kCast, Topology{});
    std::size_t number = 0;
    for (const std::string_view sentence : script) {
        PlacedLine placed = read_line(sentence, kCast);
        placed.line.line = ++number;
        try {
            rules.check(placed);
        } catch (const LineError& error) {
            return std::to_string(number) + ":" + std::to_string(error.offset()) + ": " +
                   error.what();
        }
    }
    return "";
}

TEST(ScriptRules, accept_what_can_be_played) {
    EXPECT_EQ(objection({"A pauses", "A resumes", "A pauses", "B acquires", "A resumes", "A tries",
                         "A gives up"}),
              "");
    EXPECT_EQ(objection({"A runs until after SETNX", "A writes", "A releases"}), "");
    EXPECT_EQ(objection({"A's next DEL is delayed", "A's next SET is delayed", "A crashes",
                         "10s pass", "A's SET arrives", "A's DEL arrives"}),
              "");
    EXPECT_EQ(objection({"A's watchdog stalls", "A pauses", "A resumes", "A's watchdog resumes"}),
              "");
    EXPECT_EQ(objection({"A pauses", "A's clock jumps +1s", "A crashes", "Redis restarts"}), "");
}

TEST(ScriptRules, let_nobody_act_who_is_gone) {
    EXPECT_EQ(objection({"A acquires", "A crashes", "B waits", "A releases"}),
              "4:0: A crashed in line 2 and can do no more");
    EXPECT_EQ(objection({"A waits", "A gives up", "the reply to A's next DEL is lost"}),
              "3:13: A gave up in line 2; right would be 'A tries' first");
    EXPECT_EQ(objection({"A waits", "A gives up", "A tries", "A releases"}), "");
    EXPECT_EQ(objection({"A crashes", "A crashes"}), "2:0: A crashed in line 1 and can do no more");
}

TEST(ScriptRules, let_nobody_work_who_is_paused) {
    const std::string right = "A is paused since line 2; right would be 'A resumes' first";
    for (const std::string_view work :
         {"A tries", "A acquires", "A waits", "A gives up", "A takes the lock again", "A writes",
          "A releases", "A runs until before DEL", "A runs until after DEL"}) {
        EXPECT_EQ(objection({"A tries", "A pauses", work}), "3:0: " + right);
    }
    EXPECT_EQ(objection({"A tries", "A pauses", "A pauses"}), "3:2: " + right);
}

TEST(ScriptRules, let_nobody_end_what_was_not_begun) {
    const std::string right =
        "1:0: A has not tried to acquire the lock in any line before; right would be 'A acquires' "
        "first";
    for (const std::string_view end :
         {"A releases", "A writes", "A takes the lock again", "A gives up"}) {
        EXPECT_EQ(objection({end}), right);
    }
    EXPECT_EQ(objection({"A resumes"}),
              "1:2: A is not paused here; right would be 'A pauses' first");
    EXPECT_EQ(objection({"A's watchdog resumes"}),
              "1:13: A's watchdog does not stall here; right would be 'A's watchdog stalls' first");
    EXPECT_EQ(objection({"A is cut off", "A is reachable", "A is reachable"}),
              "3:5: A is not cut off here; right would be 'A is cut off' first");
}

TEST(ScriptRules, let_nothing_stop_twice) {
    EXPECT_EQ(objection({"A is cut off", "A is cut off"}),
              "2:9: A is cut off since line 1; right would be 'A is reachable' first");
    EXPECT_EQ(
        objection({"B's watchdog stalls", "B's watchdog stalls"}),
        "2:13: B's watchdog stalls since line 1; right would be 'B's watchdog resumes' first");
}

TEST(ScriptRules, tell_links_apart_by_their_servers) {
    EXPECT_EQ(objection({"A is cut off from Redis", "A is cut off from Redis"}),
              "2:18: A is cut off from Redis since line 1; right would be 'A reaches Redis' first");
    EXPECT_EQ(objection({"A reaches Redis"}),
              "1:10: A is not cut off from Redis here; right would be 'A is cut off from Redis' "
              "first");
    EXPECT_EQ(objection({"A is cut off from Redis", "B is cut off from Redis", "A reaches Redis",
                         "A is cut off from Redis"}),
              "");
}

TEST(ScriptRules, let_only_what_is_delayed_arrive) {
    EXPECT_EQ(objection({"A's DEL arrives"}),
              "1:4: no DEL of A is delayed here; right would be 'A's next DEL is delayed' first");
    EXPECT_EQ(objection({"A's next DEL is delayed", "A's SET arrives"}),
              "2:4: no SET of A is delayed here; right would be 'A's DEL arrives'");
    EXPECT_EQ(objection({"A's next DEL is delayed", "B's DEL arrives"}),
              "2:4: no DEL of B is delayed here; right would be 'B's next DEL is delayed' first");
    EXPECT_EQ(objection({"A's next DEL is delayed", "A's next DEL is delayed"}),
              "2:9: A's DEL is delayed since line 1; right would be 'A's DEL arrives' first");
}

TEST(ScriptRules, tell_a_delayed_reply_from_a_delayed_request) {
    constexpr std::string_view kDelayed = "the reply to A's next DEL is delayed";
    EXPECT_EQ(objection({kDelayed, "the reply to A's DEL arrives"}), "");
    EXPECT_EQ(objection({kDelayed, "A's next DEL is delayed"}), "");
    EXPECT_EQ(objection({"the reply to A's DEL arrives"}),
              "1:17: no reply to a DEL of A is delayed here; right would be 'the reply to A's next "
              "DEL is delayed' first");
    EXPECT_EQ(objection({kDelayed, "A's DEL arrives"}),
              "2:4: no DEL of A is delayed here; right would be 'the reply to A's DEL arrives'");
    EXPECT_EQ(objection({kDelayed, kDelayed}),
              "2:22: the reply to A's DEL is delayed since line 1; right would be 'the reply to "
              "A's DEL arrives' first");
    EXPECT_EQ(objection({"the reply to A's next write is delayed"}),
              "1:22: the reply to a write is never late; right would be 'A's next write is "
              "delayed'");
}

}  // namespace
}  // namespace locklab::line_reader_test
