// Suites that are interrupted: what was finished is kept, and nothing else is left.

#include <algorithm>

#include "tests/cli/cli_live_run.h"

namespace locklab::cli_suite_interrupted_test {
namespace {

namespace fs = std::filesystem;

/// The result files of a suite that was interrupted.
Json interrupted_suite(const fs::path& folder) {
    EXPECT_EQ(parsed(content_of(folder / "manifest.json")).at("complete"), false);
    EXPECT_NE(content_of(folder / "report.html").find("</html>"), std::string::npos);
    EXPECT_NE(content_of(folder / "report.md"), "");
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
        const std::string extension = file.path().extension();
        const Words known{"", ".json", ".jsonl", ".csv", ".html", ".md", ".svg"};
        EXPECT_NE(std::find(known.begin(), known.end(), extension), known.end())
            << file.path() << " is half of a file";
    }
    return parsed(content_of(folder / "suite.json"));
}

/// Whether the folder has a file whose name begins so.
bool has_file(const fs::path& folder, const std::string& begin) {
    if (!fs::exists(folder)) return false;
    return std::any_of(
        fs::directory_iterator(folder), fs::directory_iterator(),
        [&](const fs::path& file) { return file.filename().string().starts_with(begin); });
}

TEST_F(CliLiveTest, ctrl_c_in_the_searches_of_a_suite_keeps_what_is_finished) {
    use_sources();
    const fs::path folder = here_ / "a run";
    interrupted({"suite", "--runs", "1", "--out", "a run", "--sections", "thresholds"},
                [&](Process&) { return has_file(folder / "traces", "explore."); });
    interrupted_suite(folder);
    const Json rows = parsed(content_of(folder / "thresholds.json")).at("thresholds");
    ASSERT_GE(rows.size(), 2U) << "both questions of one lock";
    for (const Json& row : rows) EXPECT_EQ(row.at("complete"), true);
    const Json& least = rows.at(0).at("minimal").at(0);
    EXPECT_TRUE(fs::exists(folder / least.at("witness").get<std::string>()));
    const std::string command = least.at("replay");
    EXPECT_EQ(paste("cd '" + here_.string() + "' && " + command).code, 1) << command;
    const std::string table = content_of(folder / "thresholds.csv");
    EXPECT_EQ(table.rfind("algorithm,goal,clients,rounds,attempts,faults,verdict,steps,", 0), 0U);
    for (const Json& row : rows) {
        const std::string of_lock = "\n" + row.at("algorithm").get<std::string>() + "," +
                                    row.at("goal").get<std::string>() + ",2,1,3,";
        for (const Json& set : row.at("minimal")) {
            const std::string verdict = of_lock + set.at("faults").get<std::string>() + "," +
                                        set.at("verdict").get<std::string>() + ",";
            EXPECT_NE(table.find(verdict), std::string::npos) << verdict;
        }
        for (const Json& faults : row.at("harmless")) {
            const std::string verdict = of_lock + faults.get<std::string>() + ",holds,";
            EXPECT_NE(table.find(verdict), std::string::npos) << verdict;
        }
    }
    EXPECT_NE(content_of(folder / "report.md").find("## The least"), std::string::npos);
}

TEST_F(CliLiveTest, ctrl_c_in_the_simulated_part_of_a_suite_keeps_what_is_finished) {
    use_sources();
    const Words words{"suite", "--runs", "300", "--out", "a run", "--sections", "sim"};
    const Ran ran =
        interrupted(words, [&](Process&) { return has_file(here_ / "a run/traces", "no_lock."); });
    EXPECT_NE(ran.out.find("a run/report.html"), std::string::npos) << ran.out;
    const Json suite = interrupted_suite(here_ / "a run");
    EXPECT_EQ(suite.at("cells").at(0).at("algorithm"), "no_lock");
    EXPECT_EQ(suite.at("cells").at(0).at("verdict"), "violated");
    for (const Json& cell : suite.at("cells")) {
        EXPECT_TRUE(cell.at("world") == "sim" || cell.at("verdict") == "not_applicable") << cell;
    }
}

TEST_F(CliLiveTest, ctrl_c_in_the_live_part_of_a_suite_keeps_what_is_finished) {
    use_sources();
    const Words words{"suite", "--runs",     "1",         "--out",
                      "a run", "--sections", "campaigns", "--json"};
    // Hazards are run side by side, and which is finished first is the machine's business.
    const Ran ran = interrupted(
        words, [&](Process&) { return has_file(here_ / "a run/histories", "live.no_lock.none."); });
    EXPECT_EQ(parsed(ran.out).at("complete"), false);
    std::size_t live_cells = 0;
    const Json suite = interrupted_suite(here_ / "a run");
    for (const Json& cell : suite.at("cells")) {
        live_cells += cell.at("world") == "live" && cell.at("verdict") != "not_applicable";
    }
    EXPECT_GE(live_cells, 12U) << "contention was finished";
    const Json manifest = parsed(content_of(here_ / "a run/manifest.json"));
    EXPECT_EQ(manifest.at("finished"), Json({"sim"}));
    EXPECT_FALSE(suite.at("agreement").empty());
    // What was found is shown again by its witness.
    const std::string command = suite.at("cells").at(0).at("replay");
    EXPECT_EQ(paste("cd '" + here_.string() + "' && " + command).code, 1) << command;
}

TEST_F(CliLiveTest, a_suite_that_is_stopped_early_counts_nothing_that_it_has_not_done) {
    use_sources();
    const fs::path traces = here_ / "a run" / "traces";
    const Ran ran = interrupted({"suite", "--runs", "3", "--out", "a run", "--sections", "sim"},
                                [&](Process&) { return fs::exists(traces); });
    EXPECT_EQ(ran.out.find("0 of 0"), std::string::npos) << ran.out;
    std::size_t reports = 0;
    for (const std::string& said : {ran.out, ran.err}) {
        for (std::size_t at = said.find("report: "); at != std::string::npos;
             at = said.find("report: ", at + 1)) {
            ++reports;
        }
    }
    EXPECT_EQ(reports, 1U) << ran.out << ran.err;
}

}  // namespace
}  // namespace locklab::cli_suite_interrupted_test
