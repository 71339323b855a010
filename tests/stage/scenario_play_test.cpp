// Every scenario of the catalogue, played in sim with every lock of which its file says something:
// what must be seen is seen, and no expectation could be another.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/registry.h"
#include "harness/check/outcome.h"
#include "harness/stage/director.h"
#include "harness/stage/line_reader.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"
#include "harness/stage/sentence_pattern.h"
#include "harness/store/redis/command_table.h"
#include "tests/core/places.h"

namespace locklab::scenario_play_test {
namespace {

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    return names;
}

const std::vector<Scenario>& catalogue() {
    static const std::vector<Scenario> all = read_scenarios(source_dir() + "/scenarios", names());
    return all;
}

TEST(ScenarioPlay, every_expectation_is_met) {
    for (const Scenario& scenario : catalogue()) {
        for (const Expectation& expected : scenario.expectations) {
            const Play play = play_in_sim(scenario, *algorithm_named(expected.algorithm));
            EXPECT_EQ(in_words(play.observed, scenario.names()),
                      in_words(expected.outcome, scenario.names()))
                << scenario.name << " with " << expected.algorithm;
        }
    }
}

TEST(ScenarioPlay, the_catalogue_is_large_and_every_race_strikes) {
    EXPECT_GE(catalogue().size(), 46U);
    for (const Scenario& scenario : catalogue()) {
        // Some claims in the argument about Redlock are that nothing goes wrong.
        if (scenario.name.starts_with("redlock_")) continue;
        EXPECT_TRUE(std::ranges::any_of(scenario.expectations, [](const Expectation& expected) {
            return !is_harmless(expected.outcome);
        })) << scenario.name;
    }
}

/// A lock that is said to mend a race is played in the same file, and comes off better.
TEST(ScenarioPlay, every_lock_that_is_named_as_a_fix_is_played_too) {
    for (const Scenario& scenario : catalogue()) {
        for (const Expectation& expected : scenario.expectations) {
            for (const Algorithm& algorithm : algorithms()) {
                if (expected.fix.find(algorithm.name) == std::string::npos) continue;
                const Expectation* fixed = expectation_of(scenario, algorithm.name);
                ASSERT_NE(fixed, nullptr)
                    << scenario.name << ": " << expected.algorithm << ", " << expected.fix;
                EXPECT_NE(in_words(fixed->outcome, scenario.names()),
                          in_words(expected.outcome, scenario.names()))
                    << scenario.name << ": " << expected.algorithm << ", " << expected.fix;
            }
        }
    }
}

/// Article 003: the method returns false then, since no lock was released.
TEST(ScenarioPlay, a_release_of_a_free_lock_says_that_it_released_nothing) {
    const auto free_lock =
        std::ranges::find(catalogue(), "release_of_a_free_lock", &Scenario::name);
    ASSERT_NE(free_lock, catalogue().end());
    for (const Expectation& expected : free_lock->expectations) {
        const Play play = play_in_sim(*free_lock, *algorithm_named(expected.algorithm));
        std::map<ClientId, Release> told;
        for (const Event& event : play.scene.history.events) {
            const auto* released = std::get_if<event::Released>(&event.detail);
            if (released != nullptr) told[event.client] = released->outcome;
        }
        const std::map<ClientId, Release> right{{ClientId{0}, Release::not_ours},
                                                {ClientId{1}, Release::yes}};
        EXPECT_EQ(told, right) << expected.algorithm;
    }
}

/// A line that every lock passes over tells nothing.
TEST(ScenarioPlay, every_script_is_played_in_full_with_some_lock) {
    for (const Scenario& scenario : catalogue()) {
        EXPECT_TRUE(std::ranges::any_of(scenario.expectations, [&](const Expectation& expected) {
            const Algorithm& algorithm = *algorithm_named(expected.algorithm);
            return play_in_sim(scenario, algorithm).passed_over.empty();
        })) << scenario.name;
    }
}

Scenario told(const std::string& script, const std::string& more = "") {
    const std::string text = "title: T\nsource: \"001\"\nhits: h\nttl: 10s\n" + more +
                             "cast: [A, B]\nscript:\n" + script +
                             "expect:\n  set_nx_lua:\n    why: w\n";
    return read_scenario(text, "told.yaml", names());
}

/// The second try has a lock object of its own, while the watchdog of the first goes on.
TEST(ScenarioPlay, a_watchdog_outlives_the_next_try_of_its_holder) {
    const Play play = play_in_sim(told("  - A acquires\n  - A takes the lock again\n"),
                                  *algorithm_named("redlock_extending"));
    EXPECT_EQ(in_words(play.observed, std::vector<std::string>{"A", "B"}), "A stuck for ever");
}

TEST(ScenarioPlay, refuses_what_has_no_end) {
    const Scenario endless = told("  - A acquires\n  - B waits\n  - 100s pass\n", "retry: 1us\n");
    EXPECT_THROW(play_in_sim(endless, *algorithm_named("setnx_del")), std::runtime_error);
}

TEST(ScenarioPlay, a_snapshot_is_without_a_key_that_had_been_evicted) {
    const Scenario scenario = told(
        "  - A acquires\n  - 1s pass\n  - Redis evicts the key\n  - 1s pass\n"
        "  - Redis restarts with its data of 500ms ago\n  - B tries\n");
    const Play play = play_in_sim(scenario, *algorithm_named("set_nx_lua"));
    EXPECT_EQ(play.observed.inside_together.size(), 1U);
}

TEST(ScenarioPlay, who_waited_once_does_not_act_by_itself_in_its_next_round) {
    const Scenario scenario = told(
        "  - A acquires\n  - B waits\n  - A releases\n  - 1s pass\n  - B releases\n"
        "  - B runs until before SET\n  - 1s pass\n  - A tries\n");
    const Play play = play_in_sim(scenario, *algorithm_named("set_nx_lua"));
    std::vector<std::uint32_t> granted;
    for (const Event& event : play.scene.history.events) {
        const bool grant = std::holds_alternative<event::Granted>(event.detail);
        if (grant) granted.push_back(event.client.value);
    }
    EXPECT_EQ(granted, (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

TEST(ScenarioPlay, who_is_cut_off_is_reachable_once_the_script_is_over) {
    const Scenario scenario = told("  - A acquires\n  - A is cut off\n  - B tries\n");
    const Play play = play_in_sim(scenario, *algorithm_named("set_nx_lua"));
    std::vector<Release> outcomes;
    for (const Event& event : play.scene.history.events) {
        const auto* released = std::get_if<event::Released>(&event.detail);
        if (released != nullptr) outcomes.push_back(released->outcome);
    }
    EXPECT_EQ(outcomes, (std::vector{Release::yes, Release::yes}));
}

TEST(ScenarioPlay, in_the_end_all_leave_as_they_stand_in_the_cast) {
    const Scenario scenario = told("  - B acquires\n  - A acquires\n");
    const Play play = play_in_sim(scenario, *algorithm_named("no_lock"));
    std::vector<std::uint32_t> left;
    for (const Event& event : play.scene.history.events) {
        const bool leaves = std::holds_alternative<event::Leaving>(event.detail);
        if (leaves) left.push_back(event.client.value);
    }
    EXPECT_EQ(left, (std::vector<std::uint32_t>{0, 1}));
}

/// When A's writes landed, in milliseconds.
std::vector<std::int64_t> writes_of_a(const std::string& script) {
    const std::string text =
        "title: T\nsource: \"001\"\nhits: h\nttl: 10s\n"
        "cast: [A: {job: 2s}, B]\nscript:\n" +
        script + "expect:\n  set_nx_lua:\n    why: w\n";
    const Play play =
        play_in_sim(read_scenario(text, "told.yaml", names()), *algorithm_named("set_nx_lua"));
    std::vector<std::int64_t> writes;
    for (const Event& event : play.scene.history.events) {
        const bool wrote = std::holds_alternative<event::Wrote>(event.detail);
        if (wrote && event.client.value == 0) writes.push_back(us(event.at) / 1000);
    }
    return writes;
}

TEST(ScenarioPlay, a_job_with_a_length_ends_by_itself_and_its_lock_is_kept) {
    using Times = std::vector<std::int64_t>;
    EXPECT_EQ(writes_of_a("  - A acquires\n  - 5s pass\n  - A releases\n"), Times{2000});
    EXPECT_EQ(writes_of_a("  - A acquires\n  - 1s pass\n  - A releases\n"), Times{2000});
    EXPECT_EQ(writes_of_a("  - A acquires\n  - A runs until before write\n  - 4s pass\n"
                          "  - A writes\n"),
              Times{6000});
    EXPECT_EQ(writes_of_a("  - A acquires\n  - 3s pass\n  - B tries\n  - A releases\n"
                          "  - A acquires\n  - 5s pass\n"),
              (Times{2000, 5000}));
}

TEST(ScenarioPlay, every_command_that_a_lock_may_send_is_a_word_of_scripts) {
    for (const std::string_view name : command_names()) {
        const std::vector<std::string_view> cast{"A"};
        std::string upper;
        for (const char c : name) upper += static_cast<char>(c - 32);
        EXPECT_NO_THROW(read_line("A runs until before " + upper, cast)) << upper;
    }
}

TEST(ScenarioPlay, a_command_is_meant_however_it_is_spelt) {
    Wait wait;
    const auto meant = [&](const char* word) { return matches(selector_of(word), wait); };
    wait.command = Command::of("psetex", Key{"lock"}, 500, "1");
    EXPECT_TRUE(meant("SETEX"));
    EXPECT_TRUE(meant("PSETEX"));
    EXPECT_FALSE(meant("SET"));
    wait.command = Command::of("Pttl", Key{"lock"});
    EXPECT_TRUE(meant("TTL"));
}

TEST(ScenarioPlay, nobody_sends_a_write_again) {
    EXPECT_THROW(told("  - A's next write is sent twice\n  - A acquires\n"), ScenarioError);
    EXPECT_THROW(told("  - A acquires\n  - A runs until before renewal\n"), ScenarioError);
}

TEST(ScenarioPlay, is_the_same_every_time) {
    for (const Scenario& scenario : catalogue()) {
        const Algorithm& algorithm = *algorithm_named(scenario.expectations.front().algorithm);
        const Play first = play_in_sim(scenario, algorithm);
        const Play second = play_in_sim(scenario, algorithm);
        ASSERT_EQ(first.scene.history.events.size(), second.scene.history.events.size());
        for (std::size_t i = 0; i < first.scene.history.events.size(); ++i) {
            const Event& a = first.scene.history.events[i];
            const Event& b = second.scene.history.events[i];
            EXPECT_TRUE(a.at == b.at && a.client == b.client &&
                        a.detail.index() == b.detail.index())
                << scenario.name << ", event " << i;
        }
    }
}

}  // namespace
}  // namespace locklab::scenario_play_test
