#include "harness/record/history_json.h"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/check/judge.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/check/story.h"

namespace locklab::history_json_test {
namespace {

std::string written(const History& history) {
    std::ostringstream out;
    write_history(out, history);
    return out.str();
}

History parsed(const std::string& text) {
    std::istringstream in(text);
    return read_history(in, "h");
}

/// The whole message of the FormatError, or "read".
std::string error_of(const std::string& text) {
    try {
        parsed(text);
    } catch (const FormatError& error) {
        return error.what();
    }
    return "read";
}

/// With two keys.
Command of_two_keys() {
    Command command(kDeleteOwn, 2);
    for (const char* word : {"k", "other", "a"}) command.add(word);
    return command;
}

/// `return redis.call('FLUSHALL')`, say: it needs no word.
Command of_no_words() { return Command(kDeleteOwn, 0); }

/// A history that has everything.
History rich() {
    const Reply nested = Reply::array({Reply::nil(), Reply::integer(-7), Reply::array({})});
    Story story;
    story.wants(0).wants(1);
    story.at(1)
        .sent(0, Phase::acquire, 1, Command::of("SET", "k", "a", "NX", "PX", 100))
        .at(2)
        .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 1, 1)
        .replied(0, 1, Reply::ok())
        .granted(0, "a", 100)
        .note(0, Phase::inside, event::Read{0})
        .note(1, Phase::acquire, event::Refused{true})
        .wrote(0, 1, 0, 0, 1)
        .leaving(0)
        .sent(0, Phase::release, 2, Command::eval(kDeleteOwn, Key{"k"}, "a"))
        .at(3)
        .ran(0, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, "a"), Reply::integer(1), 1, 2)
        .note(0, Phase::release, event::Released{Release::not_ours})
        .sent(0, Phase::release, 7, of_two_keys())
        .ran(0, Phase::release, of_no_words(), Reply::ok())
        .lost(0)
        .finished(0)
        .fault(1, Hazard::clock_jump, -5)
        .ran(1, Phase::background, Command::of("PEXPIRE", "k", 70), Reply::integer(1))
        .replied(1, 3, Reply::unknown())
        .replied(1, 4, Reply::error("WRONGTYPE \"x\""))
        .replied(1, 5, Reply::bulk("zw\xc3\xb6lf\n\x01"))
        .replied(1, 6, nested)
        .crash(1);
    History history = story.end(9, 60'000);
    history.algorithm = "set_nx_lua";
    history.seed = 0xFFFF'FFFF'FFFF'FFFF;
    history.run = 3;
    return history;
}

TEST(HistoryJson, is_written_as_documented) {
    const History history = Story().wants(0).at(2).sets(0, "a", 100).granted(0, "a", 100).end(5, 7);
    EXPECT_EQ(
        written(history),
        R"({"format":"locklab-history","version":1,"world":"sim","algorithm":"","clients":1,)"
        R"("seed":0,"run":0,"key":"k","patience_us":7000}
{"t_us":0,"client":0,"phase":"acquire","event":"wants"}
{"t_us":2000,"client":0,"phase":"acquire","event":"executed","call":0,"node":0,"sent_us":2000,)"
        R"("command":["SET","k","a","NX","PX","100"],"reply":{"ok":"OK"},"effect":"created","ttl_us":100000}
{"t_us":2000,"client":0,"phase":"inside","event":"granted","grant":1,"token":"a","lease_us":100000}
{"event":"end","t_us":5000}
)");
}

TEST(HistoryJson, round_trips) {
    const std::string once = written(rich());
    const History read = parsed(once);
    EXPECT_EQ(written(read), once);
    EXPECT_EQ(read.events.size(), rich().events.size());
    const auto is_of_two = [](const Event& event) {
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        return sent != nullptr && sent->command.keys() == 2;
    };
    EXPECT_EQ(std::ranges::count_if(read.events, is_of_two), 1);
    const auto is_of_none = [](const Event& event) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        return ran != nullptr && ran->command.script() != nullptr && ran->command.empty();
    };
    EXPECT_EQ(std::ranges::count_if(read.events, is_of_none), 1);
    EXPECT_EQ(read.patience, std::chrono::minutes(1));
    EXPECT_EQ(read.seed, 0xFFFF'FFFF'FFFF'FFFF);
    EXPECT_EQ(read.clients, 2U);
}

TEST(HistoryJson, tells_which_error_answered_and_what_ran_before_a_reset) {
    History history = Story().wants(0).end();
    event::Fault refused{.hazard = Hazard::error_reply, .call = 7};
    refused.error = ErrorKind::oom;
    event::Fault cut{.hazard = Hazard::reset, .call = 8};
    cut.ran = true;
    history.events.push_back({Instant(), ClientId{0}, Phase::acquire, refused});
    history.events.push_back({Instant(), ClientId{0}, Phase::acquire, cut});
    const std::string once = written(history);
    EXPECT_NE(once.find(R"("error":"OOM")"), std::string::npos) << once;
    const History read = parsed(once);
    EXPECT_EQ(written(read), once);
    EXPECT_TRUE(std::get<event::Fault>(read.events.back().detail).ran);
}

TEST(HistoryJson, tells_what_calls_promise_whose_clocks_they_are_and_who_died) {
    History history = Story().wants(0).end();
    history.answers_within = std::chrono::milliseconds(70);
    history.virtual_time = true;
    EXPECT_TRUE(history.has_exact_clocks());
    const event::Fault died{.hazard = Hazard::crash, .by_itself = true};
    history.events.push_back({Instant(), ClientId{0}, Phase::inside, died});
    const std::string once = written(history);
    EXPECT_NE(once.find(R"("answers_within_us":70000)"), std::string::npos) << once;
    const History read = parsed(once);
    EXPECT_EQ(written(read), once);
    EXPECT_EQ(read.answers_within, std::chrono::milliseconds(70));
    EXPECT_TRUE(read.virtual_time);
    EXPECT_TRUE(std::get<event::Fault>(read.events.back().detail).by_itself);
}

TEST(HistoryJson, tells_how_a_lock_is_shared) {
    History history = Story().wants(0).end();
    history.permits = 2;
    history.in_order = true;
    history.unequal = {{ClientId{0}, {}, {}, {}, Mode::shared}};
    history.events.push_back({Instant(), ClientId{0}, Phase::inside,
                              event::Granted{1, Token{}, Duration(0), 0, Mode::shared}});
    const std::string once = written(history);
    EXPECT_NE(once.find(R"("permits":2)"), std::string::npos) << once;
    EXPECT_NE(once.find(R"("mode":"shared"}])"), std::string::npos) << once;
    const History read = parsed(once);
    EXPECT_EQ(written(read), once);
    EXPECT_EQ(read.permits, 2U);
    EXPECT_TRUE(read.in_order);
    EXPECT_EQ(read.unequal, history.unequal);
    EXPECT_EQ(std::get<event::Granted>(read.events.back().detail).mode, Mode::shared);
}

TEST(HistoryJson, tells_which_of_several_locks) {
    History history = Story().wants(0).end();
    history.resources = 2;
    history.events.push_back(
        {Instant(), ClientId{0}, Phase::acquire, event::Wants{}, ResourceId{1}});
    const std::string once = written(history);
    EXPECT_NE(once.find(R"("locks":2)"), std::string::npos) << once;
    EXPECT_NE(once.find(R"("event":"wants","lock":1})"), std::string::npos) << once;
    const History read = parsed(once);
    EXPECT_EQ(written(read), once);
    EXPECT_EQ(read.resources, 2U);
    EXPECT_EQ(read.events.back().resource, ResourceId{1});
}

TEST(HistoryJson, a_copy_outlives_the_history_that_was_read) {
    History copy;
    {
        const History read = parsed(written(rich()));
        copy = read;
    }
    EXPECT_EQ(written(copy), written(rich()));
}

TEST(HistoryJson, is_judged_as_it_was_before_it_was_written) {
    Story story;
    story.wants(0).wants(1).wants(2).sets(0, "a", 100).granted(0, "a", 100).at(50);
    story.ran(2, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, "a"), Reply::integer(1));
    story.at(51).sets(1, "b", 100).granted(1, "b", 100);
    const Judgement judged = judge(parsed(written(story.end())));
    EXPECT_EQ(judged.causes[Cause::token_collision], 1U);
}

TEST(HistoryJson, text_that_is_not_utf8_is_replaced) {
    const History history = Story().granted(0, "\xff").end();
    const std::string once = written(history);
    EXPECT_NE(once.find("\xef\xbf\xbd"), std::string::npos);
    EXPECT_EQ(written(parsed(once)), once);
}

TEST(HistoryJson, reads_the_least_that_a_foreign_history_can_say) {
    const History read = parsed(R"({"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":0,"event":"wrote","base":0,"previous":0,"version":1}
{"t_us":3,"client":0,"event":"leaving"}
{"t_us":4,"client":4,"event":"granted"}
{"t_us":9,"client":4,"event":"released"})");
    ASSERT_EQ(read.events.size(), 5U);
    EXPECT_EQ(read.clients, 5U);
    EXPECT_EQ(read.end, Instant(Duration(9)));
    EXPECT_EQ(std::get<event::Granted>(read.events[3].detail).grant, 2U);
    EXPECT_EQ(std::get<event::Wrote>(read.events[1].detail).grant, 1U);
    EXPECT_EQ(judge(read).verdict, Verdict::holds);
}

TEST(HistoryJson, reads_a_client_that_comes_again_after_leaving_release_or_loss) {
    const auto twice = [](const std::string& between) {
        const std::string granted = R"({"t_us":1,"client":0,"event":"granted"})";
        const std::string event = R"({"t_us":1,"client":0,"event":")" + between + "\"}";
        const std::string wants = R"({"t_us":1,"client":0,"event":"wants"})";
        return granted + "\n" + event + "\n" + wants + "\n" + granted;
    };
    EXPECT_EQ(error_of(twice("leaving")), "read");
    EXPECT_EQ(error_of(twice("released")), "read");
    EXPECT_EQ(error_of(twice("lost")), "read");
    EXPECT_NE(error_of(twice("refused")), "read");
}

TEST(HistoryJson, a_plain_foreign_command_tells_its_effect) {
    History read = parsed(
        R"({"t_us":1,"client":0,"event":"executed","command":["EXPIRE","k","9"],"reply":1})");
    tell_effects(read);
    const auto& executed = std::get<event::Executed>(read.events[0].detail);
    EXPECT_EQ(executed.effect.kind, KeyEffect::Kind::extended);
    EXPECT_EQ(executed.effect.ttl, std::chrono::seconds(9));
    EXPECT_EQ(executed.sent, Instant(Duration(1)));
}

TEST(HistoryJson, a_time_to_live_beyond_all_clocks_does_not_overflow) {
    History read =
        parsed(R"({"t_us":1,"client":0,"event":"executed","command":["SET","k","a","PX",)"
               R"("9223372036854775807"],"reply":{"ok":"OK"}}
{"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":1,"event":"executed","effect":"created","ttl_us":10000000000000000}
{"t_us":2,"client":1,"event":"granted"}
{"t_us":3,"client":0,"event":"leaving"})");
    tell_effects(read);
    EXPECT_EQ(judge(read).overlaps, 1U);
}

TEST(HistoryJson, what_a_file_says_of_an_effect_is_kept_and_what_is_uncertain_too) {
    const std::string executed = R"({"t_us":1,"client":0,"event":"executed","command":["GET","k"],)"
                                 R"("reply":null,"effect":"deleted")";
    const auto effect = [&](const std::string& more) {
        return std::get<event::Executed>(parsed(executed + more + "}").events[0].detail).effect;
    };
    EXPECT_EQ(effect(""), KeyEffect{KeyEffect::Kind::deleted});
    EXPECT_EQ(effect(R"(,"uncertain":true)").source, KeyEffect::Source::uncertain);
    EXPECT_NE(written(parsed(executed + R"(,"uncertain":true})")).find(R"("uncertain":true)"),
              std::string::npos);
}

TEST(HistoryJson, an_effect_that_nobody_has_told_is_not_written) {
    const std::string line =
        R"({"t_us":1,"client":0,"event":"executed","command":["GET","k"],"reply":null})";
    EXPECT_EQ(written(parsed(line)).find("effect"), std::string::npos);
}

TEST(HistoryJson, windows_line_ends_are_read) {
    EXPECT_EQ(error_of("{\"t_us\":1,\"client\":0,\"event\":\"wants\"}\r\n"), "read");
}

/// Bytes of a valid history are changed, removed, doubled; whatever comes, it is read or refused
/// with the place.
TEST(HistoryJsonFuzz, never_crashes) {
    const std::string valid = written(rich());
    const std::string bytes = "{}[]\",:0129-.eE\\\n \xff\x00tnu_";
    std::uint64_t state = 88172645463325252ULL;
    const auto draw = [&](std::size_t n) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::size_t>(state % n);
    };
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = valid;
        for (std::size_t edits = 1 + draw(3); edits > 0; --edits) {
            const std::size_t place = draw(text.size());
            switch (draw(4)) {
                case 0: text[place] = bytes[draw(bytes.size())]; break;
                case 1: text.erase(place, 1 + draw(20)); break;
                case 2: text.insert(place, text.substr(draw(text.size()), draw(30))); break;
                default: text.resize(place + 1); break;
            }
        }
        const std::string error = error_of(text);
        if (error == "read") {
            const History history = parsed(text);
            History told = history;
            tell_effects(told);
            judge(told);
            ASSERT_EQ(written(parsed(written(history))), written(history)) << text;
        } else {
            ++refused;
            ASSERT_TRUE(error.starts_with("h:")) << error;
        }
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace locklab::history_json_test
