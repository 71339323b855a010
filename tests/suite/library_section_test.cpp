// The suite's part on libraries, with one that needs nothing but Python.

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/core/fault_text.h"
#include "harness/foreign/install.h"
#include "harness/record/row_io.h"
#include "harness/suite/files.h"
#include "harness/suite/suite.h"
#include "tests/foreign/fake_library.h"

namespace locklab::library_section_test {
namespace {

namespace fs = std::filesystem;

class LibrarySectionTest : public FakeLibraryTest {
protected:
    LibrarySectionTest() {
        fs::create_directory_symlink(source() / "scenarios", folder_ / "scenarios");
        fs::create_directory(folder_ / "run");
        setenv("LOCKLAB_HOME", folder_.c_str(), 1);
        context_.size = {"quick", 1, 1};
        context_.folder = folder_ / "run";
        context_.watcher.stop = &stop_;
    }
    ~LibrarySectionTest() override { unsetenv("LOCKLAB_HOME"); }

    static void install_fake() {
        const std::vector<Library> libraries = known_libraries();
        ASSERT_EQ(libraries.size(), 1U);
        ASSERT_EQ(install(libraries[0], "1 of 1", Watcher()).end, InstallEnd::done);
    }
    SuiteResult ran(SuiteResult result = {}) {
        SuiteServer server("", context_.watcher);
        SuiteProgress progress(
            {[](std::string_view) {}, [this](const std::string& line) { said_ += line + "\n"; }},
            [] {});
        run_library_section(context_, server, progress, result);
        return result;
    }

    std::atomic<bool> stop_{false};
    SuiteContext context_;
    std::string said_;
};

TEST_F(LibrarySectionTest, none_is_installed_and_none_is_played) {
    const SuiteResult result = ran();
    ASSERT_TRUE(result.libraries);
    EXPECT_TRUE(result.libraries->empty());
    EXPECT_TRUE(result.missing.empty());
    EXPECT_NE(said_.find("no library is installed"), std::string::npos) << said_;
}

TEST_F(LibrarySectionTest, what_is_installed_is_played_and_searched) {
    // A python3 that is a script of a version manager runs Python in another process.
    change("manifest.json", R"("run": ["python3")", R"("run": ["/usr/bin/python3")");
    install_fake();
    SuiteResult result = ran();
    ASSERT_EQ(result.libraries->size(), 1U) << said_;
    const LibraryRow& row = result.libraries->at(0);
    EXPECT_EQ(row.name, "fake");
    EXPECT_EQ(row.version, "1");
    EXPECT_EQ(row.like, "set_nx_lua");
    EXPECT_EQ(row.trouble, "");
    ASSERT_EQ(row.scenarios.size(), 3U);
    for (const DriverPlayRow& play : row.scenarios) EXPECT_NE(play.result, "") << play.scenario;
    ASSERT_EQ(row.searches.size(), 2U) << row.searches.at(0).trouble;
    const LibrarySearchRow& calm = row.searches[0];
    EXPECT_EQ(calm.hazard, kNoFault);
    EXPECT_EQ(calm.verdict, Verdict::unknown) << "no search of it proves that it holds";
    EXPECT_EQ(calm.plays, 4U);
    EXPECT_GT(calm.grants, 0U);
    EXPECT_EQ(calm.trouble, "");
    EXPECT_NE(calm.replay.find("explore lib:fake --faults none --seed 1 --budget 4"),
              std::string::npos)
        << calm.replay;
    EXPECT_NE(said_.find("fake 1: scenarios: "), std::string::npos) << said_;

    // It is a file of the run, and read back.
    result.finished = {"libraries"};
    write_suite(context_, result, 0);
    const SuiteResult read = read_suite(context_);
    EXPECT_TRUE(read.has_finished("libraries"));
    ASSERT_TRUE(read.libraries);
    EXPECT_EQ(rows_json(*read.libraries).dump(), rows_json(*result.libraries).dump());
    write_file(folder_ / "run/libraries.json", "{\"libraries\":[]}");
    EXPECT_FALSE(read_suite(context_).has_finished("libraries")) << "it was changed";
}

TEST_F(LibrarySectionTest, what_cannot_live_in_virtual_time_is_run_live) {
    change("manifest.json", R"("run": ["python3")",
           R"("no_virtual_time": "it cannot", "run": ["/usr/bin/python3")");
    install_fake();
    const SuiteResult result = ran();
    ASSERT_EQ(result.libraries->size(), 1U) << said_;
    ASSERT_TRUE(result.libraries->at(0).cells);
    ASSERT_EQ(result.libraries->at(0).cells->size(), 2U);
    for (const TableCell& cell : *result.libraries->at(0).cells) {
        EXPECT_EQ(cell.world, "live");
        EXPECT_GT(cell.grants, 0U) << cell.why_unknown;
    }
}

TEST_F(LibrarySectionTest, what_is_given_three_servers_plays_no_scenarios) {
    change("manifest.json", R"("nodes": "one")", R"("nodes": "three")");
    install_fake();
    const SuiteResult result = ran();
    ASSERT_EQ(result.libraries->size(), 1U) << said_;
    EXPECT_TRUE(result.libraries->at(0).scenarios.empty());
    EXPECT_EQ(result.libraries->at(0).trouble, "");
    ASSERT_FALSE(result.libraries->at(0).cells->empty());
    EXPECT_NE(result.libraries->at(0).cells->at(0).size.find("masters:3"), std::string::npos);
}

TEST_F(LibrarySectionTest, what_cannot_run_is_a_row_with_the_reason) {
    change("manifest.json", R"("run": ["python3")",
           R"("cannot_run": "it has no time-outs", "run": ["python3")");
    install_fake();
    const SuiteResult result = ran();
    ASSERT_EQ(result.libraries->size(), 1U) << said_;
    const LibraryRow& row = result.libraries->at(0);
    EXPECT_EQ(row.cannot_run, "it has no time-outs");
    EXPECT_TRUE(row.scenarios.empty());
    EXPECT_TRUE(row.cells->empty());
    EXPECT_NE(said_.find("fake 1: cannot run: it has no time-outs"), std::string::npos) << said_;
}

TEST_F(LibrarySectionTest, a_driver_that_is_none_is_a_sentence_and_no_verdict) {
    write_file(file("driver.py"), "print('what?')\n");
    install_fake();
    const SuiteResult result = ran();
    const LibraryRow& row = result.libraries->at(0);
    EXPECT_NE(row.trouble, "");
    EXPECT_TRUE(row.scenarios.empty());
    ASSERT_EQ(row.searches.size(), 1U) << "the others would say the same";
    EXPECT_NE(row.searches[0].trouble, "");
    EXPECT_EQ(row.searches[0].verdict, Verdict::unknown);
    EXPECT_EQ(row.searches[0].plays, 0U);
}

TEST_F(LibrarySectionTest, what_was_played_before_it_was_stopped_is_not_played_again) {
    install_fake();
    const Subject subject(known_libraries().at(0));
    PlayedLibrary of_another_build{"another", {}};
    of_another_build.row.name = "fake";
    of_another_build.row.like = "of another build";
    PlayedLibrary before{maker_of(subject), of_another_build.row};
    before.row.like = "played before";
    const fs::path kept = folder_ / "run/libraries.part.jsonl";
    write_file(kept, to_json(of_another_build).dump() + "\n" + to_json(before).dump() + "\n");
    const SuiteResult result = ran();
    ASSERT_EQ(result.libraries->size(), 1U) << said_;
    EXPECT_EQ(result.libraries->at(0).like, "played before");
    EXPECT_FALSE(result.libraries->at(0).cells->empty());
    EXPECT_FALSE(fs::exists(kept)) << "the run is whole";
}

TEST_F(LibrarySectionTest, what_was_stopped_half_way_has_no_row) {
    install_fake();
    stop_ = true;
    EXPECT_TRUE(ran().libraries->empty());
}

/// A run of before, with a library that is not known here any more.
SuiteResult with_two_rows() {
    SuiteResult result;
    std::vector<LibraryRow>& rows = result.libraries.emplace();
    for (const char* name : {"an_older_one", "fake"}) {
        rows.emplace_back().name = name;
        rows.back().version = "0";
        rows.back().cells.emplace();
    }
    result.finished = {"libraries"};
    return result;
}

TEST_F(LibrarySectionTest, one_library_is_made_anew_and_the_rows_of_the_others_stay) {
    install_fake();
    write_suite(context_, with_two_rows(), 0);
    context_.remakes = true;
    context_.sections = {"libraries"};
    context_.libraries = {"fake"};
    SuiteResult read = read_suite(context_);
    EXPECT_FALSE(read.has_finished("libraries"));
    const SuiteResult result = ran(std::move(read));
    ASSERT_EQ(result.libraries->size(), 2U) << said_;
    EXPECT_EQ(result.libraries->at(0).name, "fake");
    EXPECT_EQ(result.libraries->at(0).version, "1");
    EXPECT_EQ(result.libraries->at(1).name, "an_older_one");
    EXPECT_EQ(result.libraries->at(1).version, "0");
}

std::vector<std::string> columns_of(const LibraryRow& row) {
    std::vector<std::string> columns;
    for (const TableCell& cell : row.cells.value()) {
        columns.push_back(cell.faults + (cell.made_by == "of before" ? "" : " anew"));
    }
    return columns;
}

TEST_F(LibrarySectionTest, columns_are_made_anew_and_the_rest_of_a_row_stays) {
    change("manifest.json", R"("run": ["python3")", R"("run": ["/usr/bin/python3")");
    install_fake();
    SuiteResult before = with_two_rows();
    LibraryRow& fake = before.libraries->at(1);
    fake.version = "1";
    fake.like = "as it was before";
    for (const char* faults : {"none", "pause=1", "retry=1", "pause=1,delay_reply=1"}) {
        TableCell& cell = fake.cells->emplace_back();
        cell.subject = "lib:fake";
        cell.world = "virtual";
        cell.faults = faults;
        cell.made_by = "of before";
    }
    context_.remakes = true;
    context_.sections = {"libraries"};
    context_.columns = {parse_faults("slow_job=1"), parse_faults("pause=1")};
    const SuiteResult result = ran(before);
    ASSERT_EQ(result.libraries->size(), 2U) << said_;
    const LibraryRow& row = result.libraries->at(0);
    EXPECT_EQ(row.like, "as it was before");
    EXPECT_EQ(columns_of(row), (std::vector<std::string>{"none", "slow_job=1 anew", "pause=1 anew",
                                                         "retry=1", "pause=1,delay_reply=1"}));
    EXPECT_EQ(row.searches.size(), 4U) << "of each cell with one fault, or none";
    EXPECT_TRUE(result.libraries->at(1).cells->empty());
}

TEST_F(LibrarySectionTest, columns_are_not_added_to_a_row_of_another_version) {
    install_fake();
    context_.columns = {parse_faults("pause=1")};
    const SuiteResult result = ran(with_two_rows());
    EXPECT_EQ(result.libraries->at(1).version, "0");
    EXPECT_TRUE(result.libraries->at(1).cells->empty());
    EXPECT_NE(said_.find("lib:fake 1 is left out"), std::string::npos) << said_;
}

TEST_F(LibrarySectionTest, rows_stay_where_making_one_anew_is_stopped) {
    install_fake();
    const Subject subject(known_libraries().at(0));
    write_suite(context_, with_two_rows(), 0);
    PlayedLibrary played{maker_of(subject), {}};
    played.row.name = "fake";
    const fs::path kept = folder_ / "run/libraries.part.jsonl";
    write_file(kept, to_json(played).dump() + "\n");
    context_.remakes = true;
    context_.sections = {"libraries"};
    context_.libraries = {"fake"};
    stop_ = true;
    const SuiteResult result = ran(read_suite(context_));
    ASSERT_EQ(result.libraries->size(), 2U);
    EXPECT_EQ(result.libraries->at(1).version, "0");
    EXPECT_TRUE(fs::exists(kept)) << "the same command goes on with it";
    context_.libraries = {};
    EXPECT_FALSE(read_suite(context_).libraries) << "all are made anew";
    EXPECT_FALSE(fs::exists(kept));
}

TEST(LibrariesAskedFor, are_rows_or_folders) {
    SuiteContext context;
    EXPECT_TRUE(context.was_asked_for_library("redis-py:asyncio"));
    context.libraries = {"redis-py", "redlock:using"};
    EXPECT_TRUE(context.was_asked_for_library("redis-py"));
    EXPECT_TRUE(context.was_asked_for_library("redis-py:asyncio"));
    EXPECT_TRUE(context.was_asked_for_library("redlock:using"));
    EXPECT_FALSE(context.was_asked_for_library("redlock"));
    EXPECT_FALSE(context.was_asked_for_library("redsync"));
}

}  // namespace
}  // namespace locklab::library_section_test
