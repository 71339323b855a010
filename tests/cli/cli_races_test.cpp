// races.json of a suite: every scenario of its locks, as the verb `scenario` tells it.

#include <algorithm>
#include <set>
#include <sstream>

#include "algorithms/registry.h"
#include "tests/cli/cli_whole_suite.h"
#include "tests/core/places.h"
#include "tests/view/told_lines.h"

namespace locklab::cli_races_test {
namespace {

namespace fs = std::filesystem;

class CliRacesTest : public CliWholeSuite {
protected:
    /// What the scenario's own command prints of the race.
    std::string played(const Json& race, const Words& more) {
        Words words{"scenario", race.at("name"), "--algorithm", race.at("algorithm")};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.out;
    }
    /// The first of its locks for which something goes wrong in sim, or else the first.
    static std::string lock_to_show(const Json& race) {
        std::string first;
        for (const Json& row : race.at("outcomes")) {
            if (row.at("world") != "sim") continue;
            if (first.empty()) first = row.at("algorithm");
            if (row.at("observed") != "nothing goes wrong") return row.at("algorithm");
        }
        return first;
    }
};

/// The suite plays no scenario of which only other locks than its own are said anything.
bool is_of_suite(const fs::path& scenario) {
    std::istringstream lines(content_of(scenario));
    for (std::string line; std::getline(lines, line);) {
        const bool names_locks = line.starts_with("  ") && line[2] != ' ' && line.ends_with(":");
        if (!names_locks) continue;
        const std::string first = line.substr(2, line.find_first_of(",:") - 2);
        const bool is_other = std::ranges::any_of(
            other_forms(), [&](const Algorithm& other) { return other.name == first; });
        if (!is_other) return true;
    }
    return false;
}

TEST_F(CliRacesTest, has_every_scenario_as_it_is_told) {
    const Json races = file("races.json").at("races");
    const Json plays = file("scenarios.json").at("scenarios");
    std::set<std::string> names;
    std::size_t outcomes = 0;
    for (const Json& race : races) {
        SCOPED_TRACE(race.at("name"));
        EXPECT_TRUE(names.insert(race.at("name")).second);
        EXPECT_EQ(race.at("algorithm").get<std::string>(), lock_to_show(race));
        const std::string text = played(race, {});
        EXPECT_EQ(misfit_of(text, told_in(race.at("steps"))), "") << text;
        for (const char* part : {"title", "source", "observed", "why", "fix"}) {
            EXPECT_NE(text.find(race.at(part).get<std::string>()), std::string::npos) << part;
        }
        EXPECT_EQ(played(race, {"--svg"}), race.at("svg").get<std::string>());
        EXPECT_EQ(played(race, {"--mermaid"}), race.at("mermaid").get<std::string>());
        EXPECT_EQ(paste_there(race.at("replay")).out, text);
        outcomes += race.at("outcomes").size();
        for (const Json& row : race.at("outcomes")) {
            EXPECT_TRUE(row.at("ok") == true || row.at("world") == "live") << row;
        }
    }
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(source_dir()) / "scenarios")) {
        if (entry.path().extension() != ".yaml" || !is_of_suite(entry.path())) continue;
        ++files;
        EXPECT_TRUE(names.contains(entry.path().stem())) << entry.path();
    }
    EXPECT_EQ(names.size(), files);
    EXPECT_EQ(outcomes, plays.size());
    EXPECT_NE(content_of(folder_ / "report.html").find("id=\"race-no_waiting\""),
              std::string::npos);
}

}  // namespace
}  // namespace locklab::cli_races_test
