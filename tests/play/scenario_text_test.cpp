// What is said of a play of a scenario.
#include "harness/play/scenario_text.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/play/scenario_library.h"
#include "tests/core/places.h"

namespace locklab::scenario_text_test {
namespace {

PlayedScenario played(const std::vector<Scenario>& scenarios) {
    PlayedScenario play;
    play.scenario = &scenarios.at(0);
    play.algorithm = algorithm_named("set_nx_lua");
    play.play = play_in_sim(*play.scenario, *play.algorithm);
    play.in_sim = play.play.observed;
    play.done = true;
    return play;
}

TEST(ScenarioText, a_play_that_shows_nothing_is_not_headed_by_a_verdict) {
    const std::vector<Scenario> scenarios =
        scenarios_named(source_dir() + "/scenarios/no_waiting.yaml");
    PlayedScenario play = played(scenarios);
    EXPECT_NE(story_text(play).find("set_nx_lua: holds"), std::string::npos) << story_text(play);
    play.play.disturbed = true;
    play.play.why_disturbed = "the machine was late";
    const std::string text = story_text(play);
    EXPECT_EQ(text.find("holds"), std::string::npos) << text;
    EXPECT_NE(text.find("set_nx_lua: no verdict"), std::string::npos) << text;
    EXPECT_EQ(picture_of(play).verdict, kNoVerdict);
}

TEST(ScenarioText, a_client_that_only_gets_errors_is_not_headed_stuck) {
    const std::vector<Scenario> scenarios =
        scenarios_named(source_dir() + "/scenarios/no_waiting.yaml");
    PlayedScenario play = played(scenarios);
    play.play.judgement.verdict = Verdict::stuck;
    play.play.observed.failed = {ClientId{1}};
    EXPECT_EQ(picture_of(play).verdict, kNoVerdict);
    play.play.observed.failed.clear();
    EXPECT_NE(picture_of(play).verdict, kNoVerdict);
}

TEST(ScenarioText, a_lock_for_several_servers_on_one_is_told_so) {
    const std::vector<Scenario> scenarios =
        scenarios_named(source_dir() + "/scenarios/no_waiting.yaml");
    PlayedScenario play = played(scenarios);
    EXPECT_EQ(story_text(play).find("is meant for"), std::string::npos);
    play.algorithm = algorithm_named("redlock");
    EXPECT_NE(story_text(play).find("redlock is meant for 3 servers; this scenario has 1"),
              std::string::npos)
        << story_text(play);
}

}  // namespace
}  // namespace locklab::scenario_text_test
