// Every scenario of the catalogue, played in sim with every lock of which its file says something:
// what must be seen is seen, and no expectation could be another.

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/stage/outcome.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"

namespace locklab {
namespace {

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
    return names;
}

const std::vector<Scenario>& catalogue() {
    static const std::vector<Scenario> all =
        read_scenarios(LOCKLAB_SOURCE_DIR "/scenarios", names());
    return all;
}

TEST(ScenarioPlay, everyExpectationIsMet) {
    for (const Scenario& scenario : catalogue()) {
        for (const Expectation& expected : scenario.expectations) {
            const Play play = play_in_sim(scenario, *algorithm_named(expected.algorithm));
            EXPECT_EQ(in_words(play.observed, scenario.cast),
                      in_words(expected.outcome, scenario.cast))
                << scenario.name << " with " << expected.algorithm;
        }
    }
}

TEST(ScenarioPlay, theCatalogueIsLargeAndEveryRaceStrikes) {
    EXPECT_GE(catalogue().size(), 46U);
    for (const Scenario& scenario : catalogue()) {
        EXPECT_TRUE(std::ranges::any_of(scenario.expectations, [](const Expectation& expected) {
            return !is_harmless(expected.outcome);
        })) << scenario.name;
    }
}

/// A lock that is said to mend a race is played in the same file, and comes off better.
TEST(ScenarioPlay, everyLockThatIsNamedAsAFixIsPlayedToo) {
    for (const Scenario& scenario : catalogue()) {
        for (const Expectation& expected : scenario.expectations) {
            for (const Algorithm& algorithm : algorithms()) {
                if (expected.fix.find(algorithm.name) == std::string::npos) continue;
                const Expectation* fixed = expectation_of(scenario, algorithm.name);
                ASSERT_NE(fixed, nullptr)
                    << scenario.name << ": " << expected.algorithm << ", " << expected.fix;
                EXPECT_NE(in_words(fixed->outcome, scenario.cast),
                          in_words(expected.outcome, scenario.cast))
                    << scenario.name << ": " << expected.algorithm << ", " << expected.fix;
            }
        }
    }
}

/// A line that every lock passes over tells nothing.
TEST(ScenarioPlay, everyScriptIsPlayedInFullWithSomeLock) {
    for (const Scenario& scenario : catalogue()) {
        EXPECT_TRUE(std::ranges::any_of(scenario.expectations, [&](const Expectation& expected) {
            const Algorithm& algorithm = *algorithm_named(expected.algorithm);
            return play_in_sim(scenario, algorithm).passed_over.empty();
        })) << scenario.name;
    }
}

TEST(ScenarioPlay, isTheSameEveryTime) {
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
}  // namespace locklab
