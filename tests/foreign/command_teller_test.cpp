// Frames at a proxy, written by hand, as they become commands of a history, where what each did to
// the key is seen.

#include "harness/foreign/command_teller.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/foreign/frames.h"

namespace locklab::command_teller_test {
namespace {

using Kind = KeyEffect::Kind;

const std::string kDigest(40, 'a');

std::string_view word_of(Kind kind) {
    switch (kind) {
        case Kind::none: return "none";
        case Kind::created: return "created";
        case Kind::replaced: return "replaced";
        case Kind::extended: return "extended";
        case Kind::deleted: return "deleted";
    }
    return "";
}

/// Of one client and one connection.
class Frames {
public:
    explicit Frames(bool renews = false, std::string key = "lock")
        : story_(head(), RunStory::Clock::time_point(),
                 [] { return RunStory::Clock::time_point(); }),
          teller_({.asked = "lock",
                   .keys = {std::move(key), "beside:lock"},
                   .renews = renews,
                   .sees_effects = true}) {}

    CommandTeller::Name came(const std::string& frame, Phase phase = Phase::acquire) {
        const CommandTeller::Name name{1, ++number_};
        const bool is_asked = phase != Phase::inside;
        teller_.came({name, ClientId{0}, NodeId{}, frame, true, next(), phase, is_asked});
        return name;
    }
    void ran(const CommandTeller::Name& name, const std::string& answer, Kind did = Kind::none) {
        teller_.sent(name);
        teller_.went(name, next(), std::array{KeyEffect{.kind = did}, KeyEffect{}});
        teller_.answered(name, next(), gated_reply(answer));
        if (teller_.awaits_answer(name)) teller_.told(name, next(), gated_reply(answer));
    }
    CommandTeller& teller() { return teller_; }
    /// One line for each event.
    std::string told() {
        teller_.end();
        teller_.tell(story_);
        std::string lines;
        for (const Event& event : story_.finish().events) lines += line(event);
        return lines;
    }

private:
    static HistoryHead head() {
        HistoryHead head;
        head.world = "driver";
        head.clients = 1;
        return head;
    }
    Instant next() { return now_ += Duration(1); }
    static std::string line(const Event& event) {
        const std::string phase = std::string(name_of(event.phase)) + " ";
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            return phase + "sent " + std::to_string(sent->call) + " " + to_string(sent->command) +
                   "\n";
        }
        if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            return phase + "ran " + std::to_string(ran->call) + " " + to_string(ran->reply) + ": " +
                   std::string(word_of(ran->effect.kind)) + "\n";
        }
        const auto* replied = std::get_if<event::Replied>(&event.detail);
        if (replied == nullptr) return "";
        return phase + "told " + std::to_string(replied->call) + " " + to_string(replied->reply) +
               "\n";
    }

    RunStory story_;
    CommandTeller teller_;
    Instant now_;
    std::uint64_t number_ = 0;
};

TEST(CommandTeller, a_digest_that_the_server_does_not_know_asks_nothing) {
    Frames frames;
    const auto digest = frames.came(resp({"EVALSHA", kDigest, "1", "lock"}), Phase::release);
    frames.ran(digest, "-NOSCRIPT No matching script.\r\n");
    const auto text = frames.came(resp({"EVAL", "return 1", "1", "lock"}), Phase::release);
    frames.teller().takes_its_place(digest, text);
    frames.ran(text, ":1\r\n", Kind::deleted);
    const std::string told = frames.told();
    EXPECT_EQ(told.find("NOSCRIPT"), std::string::npos) << told;
    EXPECT_EQ(told.find("release sent 1 EVAL"), 0U) << told;
    EXPECT_NE(told.find("release ran 1 (integer) 1: deleted\nrelease told 1 (integer) 1\n"),
              std::string::npos)
        << told;
}

TEST(CommandTeller, what_is_about_a_channel_is_about_no_key) {
    Frames frames;
    frames.ran(frames.came(resp({"PUBLISH", "lock", "free"})), ":0\r\n");
    frames.ran(frames.came(resp({"GET", "lock"})), "$-1\r\n");
    EXPECT_EQ(frames.told(),
              "acquire sent 1 GET lock\nacquire ran 1 (nil): none\nacquire told 1 (nil)\n");
}

TEST(CommandTeller, of_a_transaction_one_did_what_was_seen) {
    Frames frames;
    frames.came(resp({"MULTI"}));
    const auto queued = frames.came(resp({"DEL", "lock"}), Phase::release);
    frames.came(resp({"GET", "lock"}), Phase::release);
    frames.came(resp({"INCR", "count"}), Phase::release);
    EXPECT_FALSE(frames.teller().knows(queued));
    frames.ran(frames.came(resp({"EXEC"}), Phase::release), "*3\r\n:1\r\n$-1\r\n:4\r\n",
               Kind::deleted);
    EXPECT_EQ(frames.told(),
              "release sent 1 DEL lock\nrelease sent 2 GET lock\n"
              "release ran 1 (integer) 1: deleted\nrelease ran 2 (nil): none\n"
              "release told 1 (integer) 1\nrelease told 2 (nil)\n");
}

/// Somebody else changed what it watched.
TEST(CommandTeller, a_transaction_that_was_not_made_ran_nothing) {
    Frames frames;
    frames.came(resp({"MULTI"}));
    frames.came(resp({"DEL", "lock"}), Phase::release);
    frames.ran(frames.came(resp({"EXEC"}), Phase::release), "*-1\r\n");
    frames.came(resp({"MULTI"}));
    frames.came(resp({"DEL", "lock"}), Phase::release);
    frames.came(resp({"DISCARD"}), Phase::release);
    EXPECT_EQ(frames.told(), "release sent 1 DEL lock\n");
}

TEST(CommandTeller, what_changed_the_key_is_about_it_though_it_does_not_name_it) {
    Frames frames;
    frames.ran(frames.came(resp({"PING"})), "+PONG\r\n");
    frames.ran(frames.came(resp({"RENAME", "a", "b"})), "+OK\r\n", Kind::deleted);
    EXPECT_EQ(frames.told(),
              "background sent 1 RENAME a b\nbackground ran 1 OK: deleted\n"
              "background told 1 OK\n");
}

TEST(CommandTeller, nothing_is_told_where_the_lock_calls_its_key_otherwise) {
    Frames frames;
    frames.ran(frames.came(resp({"SET", "prefix:lock", "t", "NX"})), "+OK\r\n");
    frames.ran(frames.came(resp({"EVALSHA", kDigest, "1", "prefix:lock", "lock"})), ":1\r\n");
    EXPECT_EQ(frames.told(), "");
    Frames named(false, "prefix:lock");
    named.ran(named.came(resp({"SET", "prefix:lock", "t", "NX"})), "+OK\r\n", Kind::created);
    EXPECT_NE(named.told(), "");
}

TEST(CommandTeller, a_grant_does_not_rest_on_what_has_not_gone_on) {
    const auto told = [](bool renews) {
        Frames frames(renews);
        frames.ran(frames.came(resp({"SET", "lock", "t"})), "+OK\r\n", Kind::created);
        const auto later = frames.came(resp({"PEXPIRE", "lock", "9"}));
        frames.teller().is_over(ClientId{0}, true);
        frames.ran(later, ":1\r\n", Kind::extended);
        return frames.told();
    };
    EXPECT_NE(told(true).find("background told 2 (integer) 1\n"), std::string::npos) << told(true);
    EXPECT_NE(told(false).find("acquire ran 2 (integer) 1: extended\n"), std::string::npos);
    EXPECT_EQ(told(false).find("told 2"), std::string::npos) << "its client has given up on it";
}

/// What names the second key alone did that to it; of what names both the second is told beside.
TEST(CommandTeller, of_several_keys_each_has_what_was_done_to_it) {
    const auto told = [](const std::vector<std::string>& words) {
        RunStory story(HistoryHead{}, RunStory::Clock::time_point(),
                       [] { return RunStory::Clock::time_point(); });
        CommandTeller teller(
            {.asked = "lock", .keys = {"lock", "beside:lock"}, .sees_effects = true});
        const CommandTeller::Name name{1, 1};
        const std::string frame = resp(words);
        teller.came({name, ClientId{0}, NodeId{}, frame, true, Instant()});
        teller.sent(name);
        teller.went(name, Instant(), std::array{KeyEffect{}, KeyEffect{.kind = Kind::created}});
        teller.answered(name, Instant(), Reply::integer(1));
        teller.tell(story);
        std::string all;
        for (const Event& event : story.finish().events) {
            const auto* ran = std::get_if<event::Executed>(&event.detail);
            if (ran == nullptr) continue;
            all += word_of(ran->effect.kind);
            for (const event::OtherKey& other : ran->others) all += " " + other.key;
        }
        return all;
    };
    EXPECT_EQ(told({"SET", "beside:lock", "t"}), "created");
    EXPECT_EQ(told({"EVALSHA", kDigest, "2", "lock", "beside:lock"}), "none beside:lock");
}

/// The answer that its client never got tells what it did, if that was seen.
TEST(CommandTeller, what_did_something_ran_though_nobody_saw_its_answer) {
    Frames frames;
    const auto lost = frames.came(resp({"SET", "lock", "t"}));
    frames.teller().sent(lost);
    frames.teller().went(lost, Instant(Duration(9)),
                         std::array{KeyEffect{.kind = Kind::created}, KeyEffect{}});
    const std::string told = frames.told();
    EXPECT_NE(told.find("acquire ran 1 "), std::string::npos) << told;
    EXPECT_NE(told.find(": created\n"), std::string::npos) << told;
}

}  // namespace
}  // namespace locklab::command_teller_test
