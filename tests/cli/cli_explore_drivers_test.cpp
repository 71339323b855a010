// Searches of driver processes in virtual time, as their user sees them.

#include <chrono>
#include <thread>

#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_explore_drivers_test {
namespace {

class CliExploreDriversTest : public CliLiveTest {};

TEST_F(CliExploreDriversTest, a_find_is_shown_and_comes_again_by_its_choices) {
    const Ran ran = run({"explore", "driver:set_nx_lua", "--faults", "pause=1", "--json"});
    ASSERT_EQ(ran.code, 1) << ran.err;
    const Json found = parsed(ran.out);
    EXPECT_EQ(found.at("algorithm"), "driver:set_nx_lua");
    EXPECT_EQ(found.at("verdict"), "violated");
    EXPECT_EQ(found.at("find").at("came_again"), true);
    const Ran checked = run({"check", found.at("find").at("file").get<std::string>()});
    EXPECT_EQ(checked.code, 1) << checked.out << checked.err;
    const Ran again = run({"explore", "driver:set_nx_lua", "--faults", "pause=1", "--choices",
                           found.at("find").at("choices").get<std::string>()});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_NE(again.out.find("are inside at once"), std::string::npos) << again.out;
    EXPECT_NE(again.out.find("replay: "), std::string::npos);
    EXPECT_NE(again.out.find("pause=1, choices as given, seed 1"), std::string::npos) << again.out;
    const std::string one =
        "minimised: 1 of 1 non-default choice is needed (found in 0 more plays)";
    EXPECT_NE(again.out.find(one), std::string::npos) << again.out;
}

TEST_F(CliExploreDriversTest, a_find_on_several_servers_comes_again_on_as_many) {
    const Ran ran = run({"explore", "driver:set_nx_lua", "--topology", "masters:3", "--faults",
                         "restart=1", "--json"});
    ASSERT_EQ(ran.code, 1) << ran.err;
    const Json found = parsed(ran.out);
    EXPECT_EQ(found.at("topology"), "masters:3");
    const Ran again = paste(found.at("find").at("replay"));
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_NE(again.out.find("2 rounds, 3 servers"), std::string::npos) << again.out;
}

/// Its version is all that this one knows, and its name.
TEST_F(CliExploreDriversTest, another_server_that_does_not_listen_is_named) {
    put_file(here_ / "redis-server",
             "#!/bin/sh\n[ \"$1\" != --version ] || exec echo 'Valkey server v=8.1.0 sha=0:0'\n"
             "exec sleep 1000\n");
    std::filesystem::permissions(here_ / "redis-server", std::filesystem::perms::owner_all);
    options_.environment["PATH"] = here_.string() + ":" + std::getenv("PATH");
    expect_sentence(run({"explore", "driver:set_nx_lua", "--faults", "pause=1"}), 2,
                    {"redis-server (Valkey server v=8.1.0) does not listen in virtual time",
                     "right would be a redis-server of Redis"});
}

TEST_F(CliExploreDriversTest, no_find_is_no_proof) {
    const Ran ran = run({"explore", "driver:perfect_lock", "--faults", "pause=1,slow_job=1",
                         "--budget", "20", "--strategy", "random"});
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.out.find("unknown: no overlap was proved in 20 plays"), std::string::npos);
    EXPECT_NE(ran.out.find("(95 %)"), std::string::npos);
}

Json row_of(const Json& rows, const std::string& faults) {
    for (const Json& row : rows) {
        if (row.at("faults") == faults) return row;
    }
    return {};
}

TEST_F(CliExploreDriversTest, least_sets_of_faults_are_those_of_which_no_part_breaks_it) {
    const Ran ran =
        run({"explore", "driver:set_nx_lua", "--thresholds", "--budget", "60", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json found = parsed(ran.out);
    EXPECT_EQ(found.at("complete"), true);
    EXPECT_EQ(row_of(found.at("not_seen"), "none").at("plays"), 60);
    EXPECT_LT(row_of(found.at("not_seen"), "crash=1").at("violated_share_high"), 0.1);
    const Json evict = row_of(found.at("broken"), "evict=1");
    ASSERT_FALSE(evict.is_null()) << ran.out;
    EXPECT_EQ(paste(evict.at("replay")).code, 1);
}

/// All of the sets that follow have that part.
TEST_F(CliExploreDriversTest, what_breaks_without_a_fault_is_asked_no_more) {
    const Ran ran = run({"explore", "driver:no_lock", "--thresholds", "--most-faults", "2"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("broken by none: play 1 proves an overlap"), std::string::npos);
    EXPECT_EQ(ran.out.find("pause"), std::string::npos) << ran.out;
}

/// In the calm play, which comes first.
TEST_F(CliExploreDriversTest, a_fault_that_never_struck_shows_nothing) {
    const Ran ran = run({"explore", "driver:set_nx_lua", "--faults", "pause=1", "--budget", "1"});
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.out.find("pause never struck: that shows nothing"), std::string::npos) << ran.out;
}

/// timeout(1) sends the same signal to the program and to its group.
TEST_F(CliExploreDriversTest, a_search_that_is_ended_twice_at_once_shows_what_it_has) {
    const Words words{"explore", "driver:perfect_lock", "--budget", "1000000", "--json"};
    Process process(built_program(), words, options_);
    ASSERT_TRUE(await([&] { return !process.running() || process.redis() != 0; }));
    process.interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    process.interrupt();
    const Ran ran = process.wait();
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(parsed(ran.out).at("interrupted"), true);
}

TEST_F(CliExploreDriversTest, plays_that_are_cut_short_show_nothing) {
    const std::filesystem::path folder = home_ / "drivers/fake";
    std::filesystem::create_directories(folder.parent_path());
    std::filesystem::copy(std::filesystem::path(source_dir()) / "tests/data/drivers/fake", folder);
    std::string driver = content_of(folder / "driver.py");
    const std::string step = "    def step(self, asked):\n";
    const std::size_t at = driver.find(step);
    ASSERT_NE(at, std::string::npos);
    driver.insert(at + step.size(), "        while True: time.sleep(1)\n");
    put_file(folder / "driver.py", driver);
    ASSERT_EQ(run({"libraries", "install"}).code, 0);
    // Elsewhere python3 may be a program that starts another one.
    options_.environment["PATH"] = "/usr/bin:/bin";
    const Words words{"explore", "lib:fake", "--budget", "2"};
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.out.find("2 plays of them went on for too long, and were ended: that shows "
                           "nothing"),
              std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.out.find("95 %"), std::string::npos) << ran.out;
    const Json json = parsed(run({"explore", "lib:fake", "--budget", "2", "--json"}).out);
    EXPECT_EQ(json.at("plays_cut_short"), 2);
    EXPECT_FALSE(json.contains("violated_share_high"));
}

TEST_F(CliExploreDriversTest, what_cannot_be_searched_so_is_a_sentence) {
    const auto refused = [&](const Words& words, const char* sentence) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 64) << ran.out;
        EXPECT_NE(ran.err.find(sentence), std::string::npos) << ran.err;
    };
    refused({"explore", "driver:no_lock", "--strategy", "exhaustive"},
            "of which no search is whole");
    refused({"explore", "driver:no_lock", "--strategy", "pctt"}, "pct");
    refused({"explore", "driver:no_lock", "--faults", "stall=1"},
            "cannot be made in a search of driver");
    refused({"explore", "driver:no_lock", "--topology", "replicas:1"}, "have no replicas");
    refused({"explore", "driver:no_lock", "--starvation"}, "is not for driver processes");
    refused({"explore", "driver:no_lock", "--thresholds", "--faults", "crash=1"},
            "--faults is of one search, and --thresholds makes many");
    refused({"explore", "driver:no_lock", "--choices", "3:x"}, "right would be, for instance");
    refused({"explore", "set_nx_lua", "--choices", "3:1"}, "--choices are of lib:NAME");
    refused({"explore", "driver:set_nx_lua", "--choices", "999:9"}, "this play has no choice 999");
}

}  // namespace
}  // namespace locklab::cli_explore_drivers_test
