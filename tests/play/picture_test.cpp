// A picture draws what was judged: of every scenario, with every lock of which its file speaks,
// the text of the play names each stranger's hand on a key that the judge found, and no other.

#include <gtest/gtest.h>

#include <set>

#include "algorithms/registry.h"
#include "harness/play/scenario_plays.h"
#include "harness/stage/scenario_reader.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"
#include "tests/core/places.h"

namespace locklab::picture_test {
namespace {

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    return names;
}

/// "A deletes the key of B", as many as `text` has, each once.
std::set<std::string> drawn(const std::string& text, const std::string& verb) {
    std::set<std::string> found;
    for (std::size_t at = text.find(verb); at != std::string::npos; at = text.find(verb, at + 1)) {
        const char by = text[at - (text[at - 1] == ',' ? 8 : 1)];
        const std::size_t whose = at + verb.size();
        found.insert(std::string(1, by) + " " + (text[whose] == 'i' ? by : text[whose]));
    }
    return found;
}

std::set<std::string> judged(const std::vector<Deed>& deeds, const Scenario& scenario) {
    std::set<std::string> found;
    for (const Deed& deed : deeds) {
        found.insert(scenario.cast[deed.by.value].name + " " +
                     scenario.cast[deed.victim.value].name);
    }
    return found;
}

TEST(Picture, draws_every_foreign_hand_that_was_judged) {
    const std::vector<Scenario> all = read_scenarios(source_dir() + "/scenarios", names());
    std::vector<PlayedScenario> plays = expected_plays(all);
    play_all(plays, {});
    std::size_t deletions = 0;
    for (const PlayedScenario& played : plays) {
        SCOPED_TRACE(played.scenario->name + " with " + std::string(played.algorithm->name));
        const std::string text = to_text(make_timeline(played.play.scene));
        const auto deleted = drawn(text, " deletes the key of ");
        EXPECT_EQ(deleted, judged(played.play.observed.deleted, *played.scenario));
        std::set<std::string> extended = drawn(text, " renews the key of ");
        extended.merge(drawn(text, " overwrites the key of "));
        for (const std::string& deed : judged(played.play.observed.extended, *played.scenario)) {
            EXPECT_TRUE(extended.contains(deed)) << deed;
        }
        deletions += deleted.size();
    }
    EXPECT_GT(deletions, 20U);
}

}  // namespace
}  // namespace locklab::picture_test
