// Live runs from outside: servers that are none, servers of somebody else, and Ctrl-C, after
// which what was finished is kept and nothing else is left.

#include <algorithm>
#include <thread>

#include "harness/live/wrong_clock.h"
#include "tests/cli/cli_live_run.h"

namespace locklab::cli_live_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Words live(const std::string& algorithm, const Words& more) {
    Words words{"campaign", algorithm, "--world", "live"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(CliLiveTest, clients_take_locks_at_servers_of_their_own) {
    const Ran ran =
        run_to_a_verdict(live("set_nx_lua", {"--faults", "none", "--locks", "2", "--runs", "3"}));
    EXPECT_EQ(ran.code, 1) << ran.out;
    EXPECT_NE(ran.out.find("causes: expired_while_held"), std::string::npos) << ran.out;
    const std::size_t file = ran.out.find("check '") + 7;
    const Ran checked = run({"check", ran.out.substr(file, ran.out.find('\'', file) - file)});
    EXPECT_EQ(checked.code, 1) << checked.err;
    EXPECT_NE(checked.out.find("was granted lock "), std::string::npos) << checked.out;
}

/// All that the program starts has its clock, as if it were the machine's: it is set again and
/// again.
class CliClockTest : public CliLiveTest {
protected:
    CliClockTest() {
        clock_.expect_process();
        for (const auto& [name, value] : clock_.environment()) options_.environment[name] = value;
    }
    Ran run_while_the_clock_is_set(const Words& words) {
        Process process(built_program(), words, options_);
        while (process.running()) {
            clock_.jump(30s);
            std::this_thread::sleep_for(20ms);
        }
        return process.wait();
    }

    WrongClock clock_;
};

TEST_F(CliClockTest, a_campaign_whose_machine_sets_its_clock_blames_no_lock) {
    const Ran ran =
        run_while_the_clock_is_set(live("set_nx_lua", {"--faults", "none", "--runs", "2"}));
    EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("clock"), std::string::npos) << ran.out << ran.err;
    EXPECT_EQ(ran.out.find("lost_data"), std::string::npos) << ran.out << ran.err;
}

TEST_F(CliLiveTest, what_is_no_redis_is_named) {
    expect_refused(live("set_nx_lua", {"--redis", "127.0.0.1:1"}), {"127.0.0.1:1", "reached"});
    expect_refused({"suite", "--redis", "127.0.0.1:1"}, {"127.0.0.1:1", "reached"});
    for (const char* address : {"localhost", ":6379", "localhost:", "localhost:0", "localhost:x",
                                "localhost:65536", "::1:6379"}) {
        expect_refused(live("set_nx_lua", {"--redis", address}), {address, "host:port"});
    }
    options_.environment["LOCKLAB_REDIS"] = "localhost";
    expect_refused(live("set_nx_lua", {}), {"\"localhost\"", "host:port"});
    options_.environment["LOCKLAB_REDIS"] = "";

    const Listener web;
    std::thread server([&] { web.serve_once("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    const std::string address = "127.0.0.1:" + std::to_string(web.port());
    expect_refused(live("set_nx_lua", {"--redis", address}), {address, "not Redis"});
    server.join();
}

TEST_F(CliLiveTest, a_redis_that_wants_a_password_is_refused) {
    start_redis({"--requirepass", "secret"});
    expect_refused(live("set_nx_lua", {"--redis", address()}), {address(), "password"});
}

TEST_F(CliLiveTest, a_redis_of_somebody_else_cannot_be_restarted) {
    start_redis();
    expect_refused(live("set_nx_lua", {"--redis", address(), "--faults", "restart=1"}),
                   {"'restart'", address(), "--redis"});
}

/// Of their own keys, which are a lock and a counter, runs lose either, or both.
TEST_F(CliLiveTest, what_is_deleted_on_somebodys_redis_are_only_keys_of_the_run) {
    start_redis();
    ask("SET", "theirs", "1");
    ask("SET", "theirs:fence", "5");
    for (const char* faults : {"evict=1", "flush=1"}) {
        SCOPED_TRACE(faults);
        const Ran ran = run(
            live("fenced", {"--redis", address(), "--faults", faults, "--runs", "20", "--json"}));
        EXPECT_EQ(ran.code, 1) << ran.err;
        const Json row = parsed(ran.out).at("runs").at(0);
        EXPECT_GT(row.at("fence_inversions"), 0);
        EXPECT_GT(row.at("causes").at("lost_data"), 0);
        EXPECT_EQ(ask("GET", "theirs").text(), "1");
        EXPECT_EQ(ask("GET", "theirs:fence").text(), "5");
    }
}

TEST_F(CliLiveTest, a_campaign_on_somebodys_redis_leaves_only_what_was_there) {
    start_redis();
    ask("SET", "theirs", "1");
    options_.environment["LOCKLAB_REDIS"] = address();
    const Ran ran =
        run_to_a_verdict(live("setnx_del", {"--faults", "crash=1", "--grants", "90", "--json"}));
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_EQ(ran.err, "");
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("world"), "live");
    const Json& row = json.at("runs").at(0);
    EXPECT_EQ(row.at("verdict"), "stuck");
    EXPECT_EQ(ask("KEYS", "*").elements().size(), 1U);
    EXPECT_EQ(ask("GET", "theirs").text(), "1");

    // The witness is judged again as it was.
    const std::string command = row.at("replay");
    EXPECT_NE(command.find(" check "), std::string::npos) << command;
    const Ran first = paste(command);
    EXPECT_EQ(first.code, 1);
    EXPECT_EQ(first.out.rfind("stuck: ", 0), 0U) << first.out;
    EXPECT_EQ(paste(command).out, first.out);
}

TEST_F(CliLiveTest, ctrl_c_ends_a_simulated_campaign) {
    const Words words{"campaign", "set_nx_lua", "--faults", "none",
                      "--grants", "1000000000", "--json"};
    const Ran ran = interrupted(words, [&](Process&) {
        if (!fs::exists(home_ / "results/traces")) return false;
        std::this_thread::sleep_for(1s);
        return true;
    });
    const Json row = parsed(ran.out).at("runs").at(0);
    EXPECT_EQ(row.at("verdict"), "unknown");
    EXPECT_EQ(row.at("why_unknown"), "the campaign was cut short");
    EXPECT_GT(row.at("grants"), 0);
}

TEST_F(CliLiveTest, ctrl_c_ends_a_live_campaign_and_its_server) {
    const Words words = live("set_nx_lua", {"--faults", "none", "--grants", "100000", "--json"});
    const Ran ran = interrupted(words, [&](Process& process) {
        if (process.redis() == 0 || !fs::exists(home_ / "results/traces")) return false;
        std::this_thread::sleep_for(1s);
        return true;
    });
    EXPECT_EQ(parsed(ran.out).at("runs").at(0).at("verdict"), "unknown");
}

TEST_F(CliLiveTest, ctrl_c_leaves_no_key_on_somebodys_redis) {
    start_redis();
    const Words words =
        live("all", {"--faults", "crash=1", "--grants", "100000", "--redis", address()});
    interrupted(words, [&](Process&) { return has_keys(); });
    EXPECT_FALSE(has_keys());
}

}  // namespace
}  // namespace locklab::cli_live_test
