// The commands of a run from the log of its proxy, written by hand.

#include "harness/foreign/link_commands.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "harness/core/sha1.h"
#include "tests/foreign/frames.h"

namespace locklab::link_commands_test {
namespace {

using enum LinkMoment;

constexpr std::int64_t kMs = 1'000'000;
const std::string kLua = "return redis.call('del', KEYS[1], KEYS[2])";
const std::string kDigest = to_hex(sha1(kLua));

struct Row {
    std::int64_t at_ms;
    LinkMoment moment;
    std::uint64_t number;
    std::string bytes{};
    LinkFault fault = LinkFault::lose_reply;
};

/// Of one connection of the first client. The run begins at 100 ms.
class Log {
public:
    explicit Log(bool renews = false)
        : began_(std::chrono::milliseconds(100)),
          now_(began_),
          story_(head(), began_, [this] { return now_; }),
          commands_(LinkTable(2, 1), {"lock", {"lock"}, renews, began_}, story_, scripts_) {}

    void phase(std::int64_t at_ms, Phase phase) {
        now_ = RunStory::Clock::time_point(std::chrono::milliseconds(at_ms));
        story_.entered(ClientId{0}, phase);
    }
    /// One line for each event that is told, without its time.
    std::string told(std::initializer_list<Row> rows) {
        for (const Row& row : rows) {
            LinkEvent event;
            event.head.at_ns = row.at_ms * kMs;
            event.head.moment = row.moment;
            event.head.number = row.number;
            event.head.fault = static_cast<std::uint8_t>(row.fault);
            event.head.size = event.head.kept = static_cast<std::uint32_t>(row.bytes.size());
            event.bytes = row.bytes;
            commands_.see(event);
        }
        commands_.tell();
        std::string lines;
        for (const Event& event : story_.finish().events) lines += line(event);
        return lines;
    }

private:
    static HistoryHead head() {
        HistoryHead head;
        head.world = "driver";
        head.clients = 2;
        return head;
    }
    static std::string line(const Event& event) {
        const std::string at = std::to_string(event.at.time_since_epoch().count() / 1000) + " " +
                               std::string(name_of(event.phase)) + " ";
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            return at + "sent " + std::to_string(sent->call) + " " + to_string(sent->command) +
                   "\n";
        }
        if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            return at + "ran " + std::to_string(ran->call) + " " + to_string(ran->reply) + "\n";
        }
        if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            return at + "told " + std::to_string(replied->call) + "\n";
        }
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr) return "";
        return at + std::string(name_of(fault->hazard)) + " " + std::to_string(fault->call) + "\n";
    }

    ScriptTexts scripts_;
    RunStory::Clock::time_point began_;
    RunStory::Clock::time_point now_;
    RunStory story_;
    LinkCommands commands_;
};

TEST(LinkCommands, are_told_as_they_came_and_were_answered) {
    EXPECT_EQ(Log().told({{50, request, 1, resp({"SET", "lock", "warm"})},
                          {60, answer, 1, "+OK\r\n"},
                          {101, request, 2, resp({"SET", "lock", "t", "NX"})},
                          {102, request, 3, resp({"PING"})},
                          {103, answer, 2, "+OK\r\n"},
                          {104, answer, 3, "+PONG\r\n"}}),
              "1 idle sent 1 SET lock t NX\n3 idle ran 1 OK\n3 idle told 1\n");
}

/// FLUSHALL takes the lock's key too, and names no key.
TEST(LinkCommands, are_also_those_that_take_every_key) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"flushall"})}, {103, answer, 1, "+OK\r\n"}}), "");
    EXPECT_EQ(Log().told({{101, request, 1, resp({"GET", "lock"})},
                          {102, answer, 1, "$1\r\nt\r\n"},
                          {103, request, 2, resp({"FLUSHDB", "ASYNC"})},
                          {104, answer, 2, "+OK\r\n"}}),
              "1 idle sent 1 GET lock\n2 idle ran 1 \"t\"\n2 idle told 1\n"
              "3 idle sent 2 FLUSHDB ASYNC\n4 idle ran 2 OK\n4 idle told 2\n");
}

/// A script may do so too, and be sent by its digest afterwards.
TEST(LinkCommands, are_also_scripts_that_take_every_key) {
    const std::string text = "return redis.call('flush' .. 'all') -- FlushAll";
    const std::string digest = to_hex(sha1(text));
    const std::string told =
        Log().told({{101, request, 1, resp({"GET", "lock"})},
                    {102, answer, 1, "$1\r\nt\r\n"},
                    {103, request, 2, resp({"SCRIPT", "LOAD", text})},
                    {104, answer, 2, "$1\r\nx\r\n"},
                    {105, request, 3, resp({"EVALSHA", digest, "0"})},
                    {106, answer, 3, "+OK\r\n"},
                    {107, request, 4, resp({"EVAL", "return redis.call('PING')", "0"})},
                    {108, answer, 4, "+PONG\r\n"}});
    EXPECT_NE(told.find("5 idle sent 2 script " + digest.substr(0, 8)), std::string::npos) << told;
    EXPECT_EQ(told.find(" sent 3 "), std::string::npos) << told;
}

/// Or every script: what another client then finds missing is this one's doing.
TEST(LinkCommands, are_also_those_that_take_every_script) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"GET", "lock"})},
                          {102, answer, 1, "$1\r\nt\r\n"},
                          {103, request, 2, resp({"SCRIPT", "flush", "ASYNC"})},
                          {104, answer, 2, "+OK\r\n"},
                          {105, request, 3, resp({"SCRIPT", "LOAD", "return 1"})},
                          {106, answer, 3, "$1\r\nx\r\n"}}),
              "1 idle sent 1 GET lock\n2 idle ran 1 \"t\"\n2 idle told 1\n"
              "3 idle sent 2 SCRIPT flush ASYNC\n4 idle ran 2 OK\n4 idle told 2\n");
}

TEST(LinkCommands, ran_where_the_answer_came_to_the_proxy_and_not_to_the_client) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"GET", "lock"})},
                          {101, struck, 1, "", LinkFault::lose_reply},
                          {103, withheld, 1, "$1\r\nt\r\n"}}),
              "1 idle sent 1 GET lock\n1 background lose_reply 1\n3 idle ran 1 \"t\"\n");
    EXPECT_EQ(Log().told({{101, request, 1, resp({"GET", "lock"})},
                          {101, struck, 1, "", LinkFault::delay_reply},
                          {103, delayed, 1, "$-1\r\n"},
                          {200, released, 1},
                          {200, answer, 1, "$-1\r\n"}}),
              "1 idle sent 1 GET lock\n1 background delay_reply 1\n3 idle ran 1 (nil)\n"
              "100 idle told 1\n");
}

/// An error of a fault runs nothing; neither does what is reset before it comes to the server.
TEST(LinkCommands, ran_only_where_no_error_of_a_fault_answered) {
    const std::string error = "READONLY You can't write against a read only replica.";
    EXPECT_EQ(Log().told({{101, request, 1, resp({"DEL", "lock"})},
                          {101, struck, 1, error, LinkFault::error},
                          {102, answer, 1, "-" + error + "\r\n"}}),
              "1 idle sent 1 DEL lock\n1 background error_reply 1\n2 idle told 1\n");
    EXPECT_EQ(Log().told({{101, request, 1, resp({"DEL", "lock"})},
                          {101, struck, 1, "", LinkFault::reset_request}}),
              "1 idle sent 1 DEL lock\n1 background reset 1\n");
    EXPECT_EQ(Log().told({{101, request, 1, resp({"DEL", "lock"})},
                          {101, struck, 1, "", LinkFault::reset_reply},
                          {103, withheld, 1, ":1\r\n"}}),
              "1 idle sent 1 DEL lock\n1 background reset 1\n3 idle ran 1 (integer) 1\n");
}

TEST(LinkCommands, one_that_comes_again_is_the_same_command) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"DEL", "lock"})},
                          {101, struck, 1, "", LinkFault::repeat_request},
                          {102, withheld, 1, ":1\r\n"},
                          {150, answer, 2, ":0\r\n"}}),
              "1 idle sent 1 DEL lock\n1 background retry 1\n2 idle ran 1 (integer) 1\n"
              "50 idle ran 1 (integer) 0\n50 idle told 1\n");
}

TEST(LinkCommands, a_digest_is_the_script_that_was_loaded_and_where_it_is_not_known_nothing) {
    const std::string call = resp({"EVALSHA", kDigest, "2", "lock", "other", "t"});
    EXPECT_EQ(Log().told({{50, request, 1, resp({"script", "load", kLua})},
                          {101, request, 2, call},
                          {102, answer, 2, "-NOSCRIPT No matching script.\r\n"},
                          {103, request, 3, call},
                          {104, answer, 3, ":1\r\n"}}),
              "3 idle sent 2 script " + kDigest.substr(0, 8) +
                  "(lock, other, t)\n4 idle ran 2 (integer) 1\n4 idle told 2\n");
}

TEST(LinkCommands, of_a_transaction_run_as_it_is_executed) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"MULTI"})},
                          {101, request, 2, resp({"INCR", "count"})},
                          {101, request, 3, resp({"DEL", "lock"})},
                          {101, request, 4, resp({"EXEC"})},
                          {102, answer, 1, "+OK\r\n"},
                          {102, answer, 2, "+QUEUED\r\n"},
                          {102, answer, 3, "+QUEUED\r\n"},
                          {103, answer, 4, "*2\r\n:7\r\n:1\r\n"}}),
              "1 idle sent 1 DEL lock\n3 idle ran 1 (integer) 1\n3 idle told 1\n");
    // Somebody else changed what it watched.
    EXPECT_EQ(Log().told({{101, request, 1, resp({"MULTI"})},
                          {101, request, 2, resp({"DEL", "lock"})},
                          {101, request, 3, resp({"EXEC"})},
                          {103, answer, 3, "*-1\r\n"}}),
              "1 idle sent 1 DEL lock\n");
}

TEST(LinkCommands, of_a_transaction_are_told_and_struck_as_its_end_is) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"MULTI"})},
                          {101, request, 2, resp({"DEL", "lock"})},
                          {101, request, 3, resp({"EXEC"})},
                          {102, struck, 3, "", LinkFault::delay_reply},
                          {103, delayed, 3, "*1\r\n:1\r\n"},
                          {200, answer, 3, "*1\r\n:1\r\n"}}),
              "1 idle sent 1 DEL lock\n2 background delay_reply 1\n3 idle ran 1 (integer) 1\n"
              "100 idle told 1\n");
}

TEST(LinkCommands, that_name_the_key_in_a_channel_are_left_out) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"SUBSCRIBE", "channel:lock"})},
                          {102, request, 2, resp({"GET", "lock"})}}),
              "2 idle sent 1 GET lock\n");
}

TEST(LinkCommands, are_not_told_where_the_lock_calls_its_key_otherwise) {
    EXPECT_EQ(Log().told({{101, request, 1, resp({"SET", "prefix:lock", "t"})},
                          {101, struck, 1, "", LinkFault::lose_reply},
                          {103, answer, 1, "+OK\r\n"}}),
              "1 background lose_reply 0\n");
}

/// A key is what stands among the keys.
TEST(LinkCommands, are_not_told_where_the_key_is_only_an_argument) {
    EXPECT_EQ(Log().told({{50, request, 1, resp({"script", "load", kLua})},
                          {101, request, 2, resp({"EVALSHA", kDigest, "1", "prefix:lock", "lock"})},
                          {102, answer, 2, ":1\r\n"}}),
              "");
}

/// Whatever it is taken for would be wrong.
TEST(LinkCommands, that_are_longer_than_is_kept_have_no_words) {
    std::vector<std::string> words{"SADD", "lock"};
    words.resize(Command::kMostWords + 1, "t");
    EXPECT_EQ(Log().told({{101, request, 1, resp(words)},
                          {102, answer, 1, ":1\r\n"},
                          {103, request, 2, resp({"GET", "lock"})}}),
              "1 idle sent 1 SADD (cut off)(lock)\n2 idle ran 1 (integer) 1\n2 idle told 1\n"
              "3 idle sent 2 GET lock\n");
}

TEST(LinkCommands, of_a_kind_that_ever_came_unasked_are_a_watchdogs) {
    const auto told = [](bool renews) {
        Log log(renews);
        log.phase(100, Phase::acquire);
        log.phase(105, Phase::inside);
        return log.told({{101, request, 1, resp({"SET", "lock", "t"})},
                         {102, request, 2, resp({"PEXPIRE", "lock", "9"})},
                         {106, request, 3, resp({"PEXPIRE", "lock", "9"})}});
    };
    EXPECT_EQ(told(true),
              "1 acquire sent 1 SET lock t\n2 background sent 2 PEXPIRE lock 9\n"
              "6 background sent 3 PEXPIRE lock 9\n");
    EXPECT_EQ(told(false),
              "1 acquire sent 1 SET lock t\n2 acquire sent 2 PEXPIRE lock 9\n"
              "6 inside sent 3 PEXPIRE lock 9\n");
}

}  // namespace
}  // namespace locklab::link_commands_test
