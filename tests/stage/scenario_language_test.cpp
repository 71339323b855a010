// What the sentences of a script do, and what of it can be told.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/check/outcome.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"

namespace locklab {
namespace {

Scenario told(const std::string& script, const std::string& more = "") {
    const std::string text = "title: T\nsource: \"001\"\nhits: h\nttl: 10s\n" + more +
                             "cast: [A, B, C]\nscript:\n" + script +
                             "expect:\n  set_nx_lua:\n    why: w\n";
    return read_scenario(text, "told.yaml", {"set_nx_lua"});
}

/// What came of it, in words.
std::string seen(const Scenario& scenario, const Algorithm& algorithm) {
    return in_words(play_in_sim(scenario, algorithm).observed, scenario.names());
}
std::string seen(const Scenario& scenario, const char* algorithm) {
    return seen(scenario, *algorithm_named(algorithm));
}

TEST(ScenarioLanguage, who_never_got_the_lock_was_not_stuck_until_the_ttl) {
    const std::string waits = "  - A acquires\n  - A crashes\n  - B waits\n  - 8s pass\n";
    EXPECT_EQ(seen(told(waits + "  - B gives up\n"), "set_nx_lua"), "B kept out");
    EXPECT_EQ(seen(told(waits + "  - 4s pass\n  - B releases\n"), "set_nx_lua"),
              "B stuck until the TTL");
}

TEST(ScenarioLanguage, who_gave_up_may_try_again) {
    const Scenario scenario = told(
        "  - A acquires\n  - B waits\n  - 1s pass\n  - B gives up\n  - 1s pass\n  - A releases\n"
        "  - 1s pass\n  - B acquires\n  - B releases\n");
    const Play play = play_in_sim(scenario, *algorithm_named("set_nx_lua"));
    EXPECT_TRUE(play.passed_over.empty());
    EXPECT_TRUE(is_harmless(play.observed)) << in_words(play.observed, scenario.names());
    std::vector<std::int64_t> granted;
    for (const Event& event : play.scene.history.events) {
        const bool grant = std::holds_alternative<event::Granted>(event.detail);
        if (grant && event.client.value == 1) granted.push_back(us(event.at) / 1'000'000);
    }
    EXPECT_EQ(granted, std::vector<std::int64_t>{3}) << "not while it had given up";
}

TEST(ScenarioLanguage, who_gave_up_and_does_not_come_back_was_kept_out) {
    EXPECT_EQ(
        seen(told("  - A acquires\n  - B waits\n  - B gives up\n  - A releases\n"), "set_nx_lua"),
        "B kept out");
}

/// The stage looks at the key meanwhile, over no client's connection.
TEST(ScenarioLanguage, who_looks_at_the_key_is_in_no_clients_transaction) {
    const std::string round = "  - A acquires\n  - A releases\n";
    const Play play = play_in_sim(told(round + round), *algorithm_named("watch_multi_del"));
    std::vector<Reply> ran;
    for (const Event& event : play.scene.history.events) {
        const auto* executed = std::get_if<event::Executed>(&event.detail);
        const bool is_exec = executed != nullptr && executed->command[0] == "EXEC";
        if (is_exec) ran.push_back(executed->reply);
    }
    const Reply one_deleted = Reply::array({Reply::integer(1)});
    EXPECT_EQ(ran, (std::vector<Reply>{one_deleted, one_deleted}));
}

/// watchdog_unowned renews by GET or EXPIRE that its worker never sends.
TEST(ScenarioLanguage, a_command_that_only_a_watchdog_sends_ends_no_job) {
    const Scenario scenario = told("  - A acquires\n  - A runs until after EXPIRE\n  - B tries\n");
    const Play play = play_in_sim(scenario, *algorithm_named("watchdog_unowned"));
    ASSERT_EQ(play.passed_over.size(), 1U);
    EXPECT_NE(play.passed_over[0].find("only its watchdog sends that"), std::string::npos)
        << play.passed_over[0];
    const auto& events = play.scene.history.events;
    const auto first = [&](auto is) { return std::ranges::find_if(events, is) - events.begin(); };
    const auto leaves = first([](const Event& event) {
        return std::holds_alternative<event::Leaving>(event.detail) && event.client.value == 0;
    });
    const auto tried = first([](const Event& event) {
        return std::holds_alternative<event::Refused>(event.detail) && event.client.value == 1;
    });
    EXPECT_LT(tried, leaves) << "A was inside as B tried";
}

constexpr Script kBroken{"broken", "return redis.call('get', KEYS[1]) + nil"};

/// Its script has a mistake.
class Erring final : public Lock {
public:
    Erring(Client& client, Key key, const LockOptions&) : client_(client), key_(std::move(key)) {}

    Task<Acquired> try_acquire() override {
        const Reply reply = co_await client_.eval(kBroken, key_);
        if (reply.is_integer(1)) co_return Grant{};
        co_return Refused{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Client& client_;
    const Key key_;
};

TEST(ScenarioLanguage, an_error_of_a_script_is_told_as_one) {
    Algorithm erring = *algorithm_named("set_nx_lua");
    erring.name = "erring";
    erring.make = [](Client& client, const Key& key,
                     const LockOptions& options) -> std::unique_ptr<Lock> {
        return std::make_unique<Erring>(client, key, options);
    };
    EXPECT_EQ(seen(told("  - A waits\n  - 20s pass\n"), erring), "A gets an error");
}

const std::string kTwo = "locks: 2\n";

TEST(ScenarioLanguage, two_who_take_two_locks_the_other_way_round_wait_for_ever) {
    const std::string cross =
        "  - A acquires\n  - B acquires\n  - A waits\n  - B waits\n  - 5s pass\n";
    EXPECT_EQ(seen(told(cross, kTwo), "setnx_del"), "A stuck for ever; B stuck for ever");
}

TEST(ScenarioLanguage, locks_that_are_not_the_same_are_held_side_by_side) {
    EXPECT_EQ(seen(told("  - A acquires\n  - B acquires\n  - B crashes\n  - A acquires\n"
                        "  - A releases\n",
                        kTwo),
                   "set_nx_lua"),
              "A stuck until the TTL");
    EXPECT_EQ(seen(told("  - A acquires\n  - A acquires\n  - A releases\n  - B acquires\n"
                        "  - B acquires\n  - B releases\n",
                        kTwo),
                   "set_nx_lua"),
              "nothing goes wrong");
}

TEST(ScenarioLanguage, several_locks_are_at_servers_of_their_own) {
    EXPECT_EQ(told("  - A tries\n", kTwo).topology.masters, 2U);
    EXPECT_THROW(told("  - A tries\n", "locks: 2\ntopology: replicas:1\n"), std::runtime_error);
    EXPECT_THROW(told("  - A tries\n", "locks: 4\n"), std::runtime_error);
}

}  // namespace
}  // namespace locklab
