// Campaigns of driver processes, as their user sees them.

#include <fstream>
#include <iterator>
#include <regex>
#include <thread>

#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_drivers_test {
namespace {

namespace fs = std::filesystem;

Words campaign(const std::string& lock, const Words& more) {
    Words words{"campaign", lock, "--world", "live"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// How many processes have this in their environment, as all have that a test started.
int processes_of(const std::string& word) {
    int count = 0;
    for (const fs::path& process : fs::directory_iterator("/proc")) {
        std::ifstream file(process / "environ");
        const std::string environment{std::istreambuf_iterator<char>(file), {}};
        count += environment.find(word) != std::string::npos ? 1 : 0;
    }
    return count;
}

class CliDriversTest : public CliLiveTest {};

TEST_F(CliDriversTest, what_grants_always_is_violated_and_its_witness_shows_it_again) {
    const Ran ran = run(campaign("driver:no_lock",
                                 {"--faults", "none", "--runs", "1", "--ttl", "500ms", "--json"}));
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json row = parsed(ran.out).at("runs").at(0);
    EXPECT_EQ(row.at("algorithm"), "no_lock");
    EXPECT_EQ(row.at("verdict"), "violated");
    EXPECT_GT(row.at("told").at("nothing"), 0);
    const Ran again = paste(row.at("replay"));
    EXPECT_EQ(again.code, 1);
    EXPECT_EQ(again.out.rfind("violated: ", 0), 0U) << again.out;
    EXPECT_TRUE(temp_is_empty());
}

TEST_F(CliDriversTest, a_library_is_run_as_it_is_and_where_it_is_installed) {
    use_sources();
    const Words none{"--faults", "none"};
    expect_refused({"campaign", "lib:redis-py", "--faults", "none", "--world", "sim"},
                   {"not simulated", "--world virtual", "--world live"});
    expect_refused({"campaign", "lib:redis-py", "--world", "lve"}, {"'lve'", "virtual, live"});
    expect_refused(campaign("lib:redis-pie", none), {"redis-pie", "redis-py"});
    expect_refused(campaign("driver:set_nx_lu", none), {"set_nx_lu", "set_nx_lua"});
    expect_refused(campaign("driver:set_nx_lua", {"--faults", "stall=1"}),
                   {"'stall' cannot be made in a campaign of driver processes", "pause"});
    expect_refused({"explore", "driver:set_nx_lua", "--topology", "replicas:1"},
                   {"have no replicas", "replicas:1", "masters:3"});
    for (const char* verb : {"campaign", "explore"}) {
        expect_refused({verb, "driver:wait_on_disk", "--faults", "none"},
                       {"waits for a replica", "--topology replicas:1 --world live"});
    }
}

TEST_F(CliDriversTest, one_that_is_not_installed_names_what_installs_it) {
    fs::copy(fs::path(source_dir()) / "drivers", home_ / "drivers", fs::copy_options::recursive);
    const Ran ran = run(campaign("lib:redis-py", {"--faults", "none"}));
    expect_sentence(ran, 64, {"lib:redis-py is not installed", "./locklab libraries install"});
}

/// The one that fails comes first.
TEST_F(CliDriversTest, where_one_library_fails_the_others_are_told) {
    const fs::path sources = fs::path(source_dir()) / "tests/data/drivers/fake";
    for (const char* name : {"broken", "fake"}) {
        fs::create_directories(home_ / "drivers" / name);
        fs::copy(sources, home_ / "drivers" / name, fs::copy_options::recursive);
    }
    put_file(home_ / "drivers/broken/driver.py", "raise SystemExit(3)\n");
    ASSERT_EQ(run({"libraries", "install"}).code, 0);
    const Words once{"--faults", "none", "--runs", "1", "--json"};
    const Json rows = parsed(run(campaign("libraries", once)).out).at("runs");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("verdict"), "unknown");
    const std::string why = rows[0].at("why_unknown");
    EXPECT_NE(why.find("ended with code 3"), std::string::npos) << why;
    EXPECT_EQ(rows[1].at("algorithm"), "lib:fake");
    EXPECT_GT(rows[1].at("grants"), 0);
    expect_sentence(run(campaign("lib:broken", once)), 2, {"ended with code 3"});
}

TEST_F(CliDriversTest, a_table_has_libraries_down_and_faults_across) {
    fs::copy(fs::path(source_dir()) / "tests/data/drivers", home_ / "drivers",
             fs::copy_options::recursive);
    ASSERT_EQ(run({"libraries", "install"}).code, 0);
    const Words words = campaign("libraries", {"--faults", "none;pause=1", "--runs", "2"});
    const Ran ran = run(words);
    // A busy machine may show less.
    EXPECT_TRUE(std::regex_search(ran.out, std::regex("\nlib:fake   [o?]   [xo?]\n")))
        << ran.out << ran.err;
    EXPECT_NE(ran.out.find("\n2   pause=1\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("lib:fake: "), std::string::npos) << ran.out;
}

/// In virtual time; a second table makes what the first has not got.
TEST_F(CliDriversTest, a_table_goes_on_where_it_was) {
    const auto table = [](const char* faults) {
        return Words{"campaign", "libraries", "--libraries", "driver:set_nx_lua",
                     "--faults", faults,      "--plays",     "100",
                     "--out",    "table",     "--json"};
    };
    const Json first = parsed(run(table("pause=1")).out).at("runs");
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].at("algorithm"), "driver:set_nx_lua");
    EXPECT_EQ(first[0].at("world"), "virtual");
    EXPECT_EQ(first[0].at("verdict"), "violated");
    EXPECT_NE(first[0].at("baseline"), nullptr);
    const std::string replay = first[0].at("replay");
    EXPECT_NE(replay.find(" explore driver:set_nx_lua --faults pause=1 --seed 1 --choices "),
              std::string::npos);
    const Json both = parsed(run(table("none;pause=1")).out).at("runs");
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].at("verdict"), "holds");
    EXPECT_EQ(both[1], first[0]);
    put_file(here_ / "table/cells.jsonl", "{}\n\n");
    expect_sentence(run(table("none")), 64, {"cells.jsonl:1: is no cell", "another folder"});
}

TEST_F(CliDriversTest, a_table_whose_cells_cannot_begin_ends_with_a_sentence) {
    std::string faults = "crash=1";
    for (const char* more : {"pause=1", "retry=1", "slow_job=1", "lose_reply=1", "lose_request=1",
                             "delay_reply=1", "restart=1"}) {
        faults += std::string(";") + more;
    }
    const Ran ran =
        run({"campaign", "libraries", "--libraries", "driver:set_nx_lua", "--world", "live",
             "--ttl", "1500us", "--runs", "1", "--faults", faults, "--out", "table"});
    EXPECT_EQ(ran.code, 64) << ran.err;
    EXPECT_NE(ran.err.find("a TTL of 1.5ms"), std::string::npos) << ran.err;
}

/// As the table does, and from the same folder.
TEST_F(CliDriversTest, one_library_is_a_row_of_the_table) {
    fs::copy(fs::path(source_dir()) / "tests/data/drivers", home_ / "drivers",
             fs::copy_options::recursive);
    ASSERT_EQ(run({"libraries", "install"}).code, 0);
    const Words small{"--faults", "pause=1", "--plays", "20", "--json"};
    for (const char* name : {"lib:fake", "driver:set_nx_lua"}) {
        const auto asked = [&](Words words) {
            words.insert(words.end(), small.begin(), small.end());
            return run(words);
        };
        const Ran alone = asked({"campaign", name, "--out", "alone"});
        const Json rows = parsed(alone.out).at("runs");
        ASSERT_EQ(rows.size(), 1U) << alone.err;
        EXPECT_EQ(rows[0].at("algorithm"), name);
        EXPECT_EQ(rows[0].at("world"), "virtual");
        EXPECT_EQ(rows[0].at("size"), "seed 1, 20 plays");
        const Ran table = asked({"campaign", "libraries", "--libraries", name, "--out", "table"});
        const Json others = parsed(table.out).at("runs");
        ASSERT_EQ(others.size(), 1U) << table.err;
        for (const char* key : {"verdict", "runs", "grants", "replay"}) {
            EXPECT_EQ(rows[0].at(key), others[0].at(key)) << name << " " << key;
        }
        EXPECT_EQ(alone.code, table.code);
        EXPECT_EQ(asked({"campaign", name, "--out", "table", "--world", "virtual"}).out, table.out);
    }
}

TEST_F(CliDriversTest, one_library_refuses_what_it_has_no_use_for) {
    const auto one = [](const Words& more) {
        Words words{"campaign", "driver:set_nx_lua"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    expect_refused(one({"--clients", "4"}), {"--clients is not for plays of driver:set_nx_lua",
                                             "--world live, or to leave it out"});
    expect_refused(one({"--world", "virtual", "--full"}), {"--full", "--world live"});
    expect_refused(one({"--swarm"}), {"--swarm is not for driver processes"});
    expect_refused(one({"--runs", "2"}), {"--runs is not for driver:set_nx_lua in the world "
                                          "'virtual'; right would be --plays, or --world live"});
    expect_refused(one({"--ttl", "1s"}), {"--ttl", "virtual", "--world live"});
    expect_refused(one({"--libraries", "fake"}), {"--libraries", "campaign libraries"});
    expect_refused(one({"--topology", "replicas:1"}), {"replicas:1", "masters:3"});
    for (const Words& words : {Words{"--plays", "3"}, Words{"--markdown"}}) {
        expect_refused(campaign("driver:set_nx_lua", words),
                       {words[0] + " is of a table in virtual time", "--world live"});
    }
    for (const Words& words : {Words{"--latency", "instant"}, Words{"--tasks", "2"},
                               Words{"--locks", "2"}, Words{"--lock-order", "same"}}) {
        expect_refused(campaign("driver:set_nx_lua", words), {words[0]});
        expect_refused(one(words), {words[0] + " is not for driver processes"});
    }
}

TEST_F(CliDriversTest, a_table_refuses_what_it_has_no_use_for) {
    const auto table = [](const Words& more) {
        Words words{"campaign", "libraries", "--libraries", "driver:set_nx_lua"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    expect_refused(table({"--world", "sim"}), {"--world virtual"});
    expect_refused(table({"--world", "lve"}), {"'lve'", "live"});
    expect_refused(table({"--swarm"}), {"--swarm is not for driver processes"});
    expect_refused(table({"--job", "1s"}), {"--job is not for the table"});
    expect_refused(table({"--faults", "stall=1"}), {"stall"});
    expect_refused({"campaign", "libraries", "--libraries", ","}, {"a name too few"});
}

TEST_F(CliDriversTest, a_library_that_takes_one_server_is_not_given_more) {
    fs::copy(fs::path(source_dir()) / "tests/data/drivers", home_ / "drivers",
             fs::copy_options::recursive);
    ASSERT_EQ(run({"libraries", "install"}).code, 0);
    const Words three{"--faults", "none", "--topology", "masters:3"};
    expect_refused(campaign("lib:fake", three),
                   {"lib:fake takes one server", "masters:3 has more", "--topology one"});
    expect_refused(campaign("libraries", three), {"lib:fake takes one server"});
}

TEST_F(CliDriversTest, a_row_says_how_many_servers_there_were_and_what_came_to_each) {
    const Ran ran =
        run(campaign("driver:set_nx_lua", {"--faults", "none", "--runs", "1", "--ttl", "500ms",
                                           "--topology", "masters:3", "--json"}));
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("topology"), "masters:3");
    const Json& commands = json.at("runs").at(0).at("commands_by_server");
    ASSERT_EQ(commands.size(), 3U);
    // It asks the first alone.
    EXPECT_GT(commands.at(0), 0);
    EXPECT_EQ(commands.at(2), 0);
}

TEST_F(CliDriversTest, ctrl_c_ends_the_drivers_and_their_server) {
    const Words words = campaign("driver:set_nx_lua", {"--faults", "pause=1", "--runs", "1000"});
    interrupted(words, [&](Process& process) {
        // locklab itself and three drivers; a server may overwrite its environment.
        return process.redis() != 0 && processes_of(home_.string()) >= 4;
    });
    EXPECT_EQ(processes_of(home_.string()), 0);
}

TEST_F(CliDriversTest, ctrl_c_ends_what_a_bench_measures) {
    interrupted({"bench", "driver:set_nx_lua", "--benchmark_repetitions=50"},
                [&](Process& process) {
                    // locklab itself, the process that is measured, and the one beside it.
                    return process.redis() != 0 && processes_of(home_.string()) >= 3;
                });
    EXPECT_EQ(processes_of(home_.string()), 0);
}

}  // namespace
}  // namespace locklab::cli_drivers_test
