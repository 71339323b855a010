// Servers that refuse or go away, and runs that are killed, from outside: what is said of them is
// what happened, and the next run finds what the last one left.

#include <algorithm>
#include <fstream>
#include <thread>

#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_refusing_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CliRefusingTest : public CliLiveTest {
protected:
    Words live(const Words& more, const std::string& lock = "set_nx_lua") const {
        Words words{"campaign", lock, "--world", "live", "--redis", address()};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// A long campaign, of which `meanwhile` is done in the middle.
    Ran campaign(const std::function<void()>& meanwhile) {
        Process process(built_program(),
                        live({"--faults", "none", "--grants", "60000", "--json"}, "setnx_del"),
                        options_);
        EXPECT_TRUE(await([&] { return !process.running() || has_lock(); }));
        std::this_thread::sleep_for(300ms);
        meanwhile();
        return process.wait();
    }
    /// That a private server runs in, and that names its owner.
    bool has_server_folder() const {
        const auto folders = fs::directory_iterator(temp_);
        return std::any_of(begin(folders), end(folders), [](const fs::directory_entry& each) {
            return fs::exists(each.path() / "redis.sock");
        });
    }
    bool has_lock() const { return !ask("KEYS", "locklab:*:*").elements().empty(); }
    void expect_unknown(const Ran& ran, const Words& words) {
        EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
        const Json row = parsed(ran.out).at("runs").at(0);
        EXPECT_EQ(row.at("verdict"), "unknown");
        EXPECT_EQ(row.at("stuck"), 0);
        const std::string why = row.at("why_unknown");
        for (const std::string& word : words) {
            EXPECT_NE(why.find(word), std::string::npos) << "no " << word << " in: " << why;
        }
        EXPECT_EQ(why.find("too slow"), std::string::npos) << why;
    }
};

TEST_F(CliRefusingTest, a_server_that_refuses_is_named_before_anything_runs) {
    start_redis();
    ask("CONFIG", "SET", "maxmemory", "1");
    expect_refused(live({}), {address(), "refuses", "OOM"});
    ask("CONFIG", "SET", "maxmemory", "0");
    ask("CONFIG", "SET", "min-replicas-to-write", "1");
    expect_refused(live({}), {address(), "refuses", "NOREPLICAS"});
    ask("CONFIG", "SET", "min-replicas-to-write", "0");
    ask("REPLICAOF", "127.0.0.1", "1");
    for (const Words& words :
         {live({}),
          Words{"scenario", "crash_leaves_the_lock", "--world", "live", "--redis", address()},
          Words{"suite", "--redis", address()}, Words{"bench", "--redis", address()}}) {
        expect_refused(words, {address(), "is a replica", "READONLY", "master"});
    }
    ask("REPLICAOF", "NO", "ONE");
    ask("ACL", "SETUSER", "default", "-@write");
    expect_refused(live({}), {address(), "refuses", "NOPERM"});
}

TEST_F(CliRefusingTest, a_node_of_a_cluster_is_named) {
    start_redis({"--cluster-enabled", "yes"});
    expect_refused(live({}), {address(), "cluster", "CLUSTERDOWN"});
}

TEST_F(CliRefusingTest, a_server_that_turns_in_mid_run_makes_the_campaign_unknown) {
    start_redis();
    const Ran ran = campaign([&] { ask("REPLICAOF", "127.0.0.1", "1"); });
    expect_unknown(ran, {"READONLY You can't write against a read only replica"});
    EXPECT_NE(ran.err.find("could not be deleted: the server answers READONLY"), std::string::npos)
        << ran.err;
    const Json row = parsed(ran.out).at("runs").at(0);
    EXPECT_GT(row.at("disturbances").at("refused"), 0);
}

TEST_F(CliRefusingTest, a_server_that_is_killed_in_mid_run_is_no_slow_machine) {
    start_redis();
    const Ran ran = campaign([&] { redis_.reset(); });
    expect_unknown(ran, {address(), "cannot be reached (Connection refused)"});
    EXPECT_GT(parsed(ran.out).at("runs").at(0).at("disturbances").at("disconnected"), 0);
}

TEST_F(CliRefusingTest, a_server_that_wants_a_password_in_mid_run_is_heard) {
    start_redis();
    const Ran ran = campaign([&] {
        ask("CONFIG", "SET", "requirepass", "x");
        ask("CLIENT", "KILL", "TYPE", "normal");
    });
    expect_unknown(ran, {"password"});
}

TEST_F(CliRefusingTest, a_bench_on_a_server_that_turns_ends_with_sentences) {
    start_redis();
    Process process(built_program(),
                    {"bench", "--redis", address(), "--benchmark_repetitions=2",
                     "--benchmark_filter=live/(uncontended|distinct|contended)/lock:set"},
                    options_);
    EXPECT_TRUE(await([&] { return !process.running() || has_lock(); }));
    ask("REPLICAOF", "127.0.0.1", "1");
    const Ran ran = process.wait();
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.out.find("READONLY"), std::string::npos) << ran.out;
}

TEST_F(CliRefusingTest, what_a_killed_run_left_is_deleted_by_the_next) {
    start_redis();
    ask("SET", "theirs", "1");
    // Killed with -9, it deletes nothing. One that is killed between two grants has left nothing.
    const auto killed_while_it_held = [&] {
        {
            const Process process(built_program(),
                                  live({"--faults", "crash=1", "--grants", "100000"}, "setnx_del"),
                                  options_);
            EXPECT_TRUE(await([&] { return has_lock(); }));
        }
        return has_lock() && has_lock();  // the second question comes after all that was on the way
    };
    ASSERT_TRUE(await(killed_while_it_held));
    const Ran ran = run(live({"--faults", "none", "--grants", "30"}));
    EXPECT_TRUE(ran.code == 0 || ran.code == 2) << ran.out;  // 2: a busy machine was late
    EXPECT_NE(ran.err.find("Deleted the keys that 1 run that was killed had left at " + address()),
              std::string::npos)
        << ran.err;
    EXPECT_EQ(ask("KEYS", "*").elements().size(), 1U);
    EXPECT_EQ(run(live({"--faults", "none", "--grants", "30"})).err, "");
}

TEST_F(CliRefusingTest, the_folder_of_a_killed_run_is_removed_by_the_next) {
    {
        const Process process(built_program(),
                              {"campaign", "set_nx_lua", "--world", "live", "--grants", "100000"},
                              options_);
        EXPECT_TRUE(await([&] { return has_server_folder(); }));
    }
    ASSERT_FALSE(temp_is_empty());
    // The server of the run that was killed may still be on its way out.
    std::string told;
    const auto is_told = [&] {
        told +=
            run({"campaign", "set_nx_lua", "--world", "live", "--faults", "none", "--grants", "30"})
                .err;
        return told.find("which a run that was killed had left") != std::string::npos;
    };
    EXPECT_TRUE(await(is_told)) << told;
    EXPECT_TRUE(await([&] { return temp_is_empty(); }));
}

TEST_F(CliRefusingTest, a_private_server_without_files_says_nothing_on_stdout) {
    const Ran ran =
        // Enough for the program itself, whatever is open where it is started, and not for Redis.
        paste("ulimit -n 24; exec '" + built_program() +
              "' campaign set_nx_lua --world live --json");
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.code, 0);
    EXPECT_TRUE(ran.err.starts_with("locklab: ")) << ran.err;
    EXPECT_TRUE(temp_is_empty());
}

TEST_F(CliRefusingTest, the_replay_line_of_a_scenario_names_the_server) {
    start_redis();
    const Ran ran = run({"scenario", "crash_leaves_the_lock", "--algorithm", "setnx_del", "--world",
                         "live", "--ttl", "400ms", "--redis", address(), "--json"});
    const std::string replay = parsed(ran.out).at("scenarios").at(0).at("replay");
    EXPECT_NE(replay.find(" --world live --ttl 400ms --redis " + address()), std::string::npos)
        << replay;
}

}  // namespace
}  // namespace locklab::cli_refusing_test
