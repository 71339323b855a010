// Which server a live run starts: Redis, or Valkey where it is installed.

#include <string>
#include <utility>
#include <vector>

#include "tests/cli/cli_run.h"

namespace locklab::cli_servers_test {
namespace {

class CliServersTest : public CliTest {
protected:
    CliServersTest() { use_sources(); }

    bool has(const std::string& version) {
        return run({"servers"}).out.find(version + " is installed") != std::string::npos;
    }
    Words live(const std::string& lock, const Words& more) {
        Words words{"campaign", lock, "--world", "live", "--runs", "40", "--faults", "none"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(CliServersTest, a_lock_of_valkey_is_refused_by_redis) {
    const Ran ran = run(live("set_nx_delifeq", {}));
    expect_sentence(ran, 64, {"set_nx_delifeq needs Valkey", "DELIFEQ", "--server valkey"});
    const Ran played =
        run({"scenario", "release_is_lost", "--algorithm", "set_nx_delifeq", "--world", "live"});
    expect_sentence(played, 64, {"set_nx_delifeq needs Valkey", "DELIFEQ", "--server valkey"});
}

TEST_F(CliServersTest, a_server_that_is_none_or_makes_no_sense_is_named) {
    expect_refused(live("set_nx_lua", {"--server", "valkay"}), {"valkay", "valkey"});
    expect_refused({"campaign", "set_nx_lua", "--server", "valkey"}, {"--world live"});
    expect_refused({"servers", "instal"}, {"instal", "install"});
}

TEST_F(CliServersTest, they_are_listed_and_named) {
    const Ran ran = run({"servers", "list"});
    EXPECT_EQ(ran.code, 0);
    for (const char* server :
         {"redis  ", "redis8   Redis 8.2.3", "valkey8  Valkey 8.1.8", "valkey   Valkey 9.1.2"}) {
        EXPECT_NE(ran.out.find(server), std::string::npos) << ran.out;
    }
    expect_refused({"servers", "install", "redi8"}, {"redi8", "did you mean 'redis8'"});
}

TEST_F(CliServersTest, newer_servers_run_locks_or_say_that_they_are_not_installed) {
    const std::vector<std::pair<std::string, std::string>> servers{{"redis8", "8.2.3"},
                                                                   {"valkey8", "8.1.8"}};
    for (const auto& [server, version] : servers) {
        if (!has(version)) {
            expect_refused(live("set_nx_lua", {"--server", server}),
                           {version, "locklab servers install " + server});
            continue;
        }
        const Ran ran = run_to_a_verdict(live("set_nx_lua", {"--server", server}));
        EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
        EXPECT_NE(ran.out.find(version), std::string::npos) << ran.out;
        const Ran late = run_to_a_verdict({"campaign", "set_nx_lua", "--world", "live", "--server",
                                           server, "--faults", "pause=1", "--runs", "30"});
        EXPECT_EQ(late.code, 1) << late.out << late.err;
    }
}

TEST_F(CliServersTest, a_verb_that_starts_no_valkey_for_libraries_says_so) {
    expect_refused({"campaign", "driver:set_nx_lua", "--server", "valkey"}, {"--server"});
    expect_refused({"campaign", "libraries", "--server", "valkey"}, {"--server"});
    expect_refused({"scenario", "release_is_lost", "--algorithm", "driver:set_nx_lua", "--world",
                    "live", "--server", "valkey"},
                   {"--server", "leave it out"});
}

TEST_F(CliServersTest, what_is_not_installed_says_how_to_install_it) {
    options_.environment["LOCKLAB_HOME"] = here_.string();
    expect_refused(live("set_nx_lua", {"--server", "valkey"}),
                   {"not installed", "locklab servers install"});
}

TEST_F(CliServersTest, valkey_runs_its_own_locks_and_those_of_redis) {
    if (!has("9.1.2")) {
        return expect_refused(live("set_nx_lua", {"--server", "valkey"}),
                              {"not installed", "locklab servers install"});
    }
    for (const char* lock : {"set_nx_delifeq", "watchdog_ifeq", "set_nx_lua"}) {
        const Ran ran = run_to_a_verdict(live(lock, {"--server", "valkey"}));
        EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
        EXPECT_NE(ran.out.find("Valkey 9.1.2"), std::string::npos) << ran.out;
    }
    const Ran forgets =
        run_to_a_verdict({"campaign", "watchdog_ifeq", "--world", "live", "--server", "valkey",
                          "--faults", "restart_snapshot=1", "--runs", "20"});
    EXPECT_EQ(forgets.code, 1) << forgets.out << forgets.err;
    const Ran played =
        run_to_a_verdict({"scenario", "key_is_evicted", "--algorithm", "set_nx_delifeq", "--world",
                          "live", "--server", "valkey"});
    EXPECT_EQ(played.code, 0) << played.out << played.err;
    EXPECT_NE(played.out.find("set_nx_delifeq: violated"), std::string::npos) << played.out;
    const Ran driven = run_to_a_verdict({"campaign", "driver:set_nx_delifeq", "--world", "live",
                                         "--server", "valkey", "--runs", "2"});
    EXPECT_NE(driven.out.find("Redis 7.2.4 (Valkey "), std::string::npos) << driven.out;
}

}  // namespace
}  // namespace locklab::cli_servers_test
