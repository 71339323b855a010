// Scenarios and witnesses, played on driver processes of our own locks: what comes of them is what
// comes of the same locks as coroutines.

#include <cstdlib>

#include "tests/cli/cli_live_run.h"

namespace locklab::cli_scenario_drivers_test {
namespace {

class CliScenarioDriversTest : public CliLiveTest {
protected:
    Json played(const std::string& scenario, const std::string& lock, int& code) {
        const Ran ran = run({"scenario", scenario, "--algorithm", "driver:" + lock, "--world",
                             "live", "--ttl", "300ms", "--json"});
        code = ran.code;
        return code == 2 && ran.out.empty() ? Json() : parsed(ran.out).at("scenarios").at(0);
    }
};

/// All of them with all locks take a minute: `scenario all --algorithm driver:LOCK --world live`.
TEST_F(CliScenarioDriversTest, what_comes_of_them_is_what_comes_of_the_lock) {
    use_sources();
    struct Case {
        const char* scenario;
        const char* lock;
        const char* observed;
    };
    const std::vector<Case> cases{
        {"job_longer_than_ttl", "set_nx_lua", "A and B inside together; A's update lost to B"},
        {"late_del_after_takeover", "set_nx_del",
         "B and C inside together; B's key deleted by A; C's key deleted by B; B's update lost to "
         "C"},
        {"client_library_retries_release", "setnx_del",
         "B and C inside together; B's key deleted by A; C's key deleted by B; B's update lost to "
         "C"},
        {"late_expire_renews_anothers_key", "setnx_expire",
         "C stuck until the TTL; B's key extended by A"},
        {"restart_forgets_the_lock", "watchdog_owned",
         "A and B inside together; A's update lost to B"},
        {"fast_clock_steals", "setnx_timestamp_del",
         "A and B inside together; A's key deleted by B; B's key deleted by A; A's update lost to "
         "B"},
        {"server_clock_ahead", "set_nx_lua", "A and B inside together; A's update lost to B"},
        {"restart_forgets_the_lock", "fenced", "A and B inside together; A's update lost to B"},
        {"server_clock_back", "watchdog_owned", "B stuck until the TTL"},
        {"old_snapshot", "fenced", "A and B inside together; A's update lost to B"},
        {"failover_loses_the_lock", "watchdog_owned",
         "A and B inside together; A's update lost to B"},
        {"deposed_master_still_grants", "fenced", "A and B inside together; A's update lost to B"},
        {"release_at_the_old_master", "setnx_del", "B stuck for ever"},
        {"server_clock_back", "setnx_getset_epoch", "nothing goes wrong"},
        {"clock_ahead_before_release", "setnx_getset_epoch", "B stuck until the TTL"},
        {"write_outlives_its_holder", "perfect_lock", "B's update lost to A"},
    };
    for (const Case& each : cases) {
        int code = -1;
        const Json row = played(each.scenario, each.lock, code);
        ASSERT_FALSE(row.is_null()) << each.scenario;
        EXPECT_EQ(row.at("result"), "as_expected") << row.dump();
        EXPECT_EQ(row.at("observed"), each.observed) << each.scenario;
        EXPECT_EQ(code, 0) << each.scenario;
    }
    EXPECT_TRUE(temp_is_empty());
}

/// A restart that takes longer than until the watchdog's next beat is another play: it is played
/// again with more time.
TEST_F(CliScenarioDriversTest, a_server_that_starts_slowly_is_given_more_time) {
    use_sources();
    const std::string path = std::getenv("PATH");
    put_file(here_ / "redis-server",
             "#!/bin/sh\nsleep 0.15\nPATH='" + path + "' exec redis-server \"$@\"\n");
    std::filesystem::permissions(here_ / "redis-server", std::filesystem::perms::owner_all);
    options_.environment["PATH"] = here_.string() + ":" + path;
    int code = -1;
    const Json row = played("restart_forgets_the_lock", "watchdog_owned", code);
    EXPECT_EQ(row.at("result"), "as_expected") << row.dump();
    EXPECT_EQ(row.at("proved_overlaps"), 1) << row.dump();
    EXPECT_EQ(row.at("replay").get<std::string>().find("--ttl 300ms"), std::string::npos);
}

/// It was sent before its client took the lock again, and deleted that key.
TEST_F(CliScenarioDriversTest, a_release_that_arrives_late_is_a_foreign_delete) {
    use_sources();
    const Ran ran = run({"scenario", "late_unlock_undoes_the_next_lock", "--algorithm",
                         "driver:setnx_expire", "--world", "live"});
    EXPECT_NE(ran.out.find("foreign_delete: a command of another grant"), std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.out.find("unexplained"), std::string::npos) << ran.out;
}

/// The key has no time of its own: the lease is in its value, and whoever finds it past deletes it.
TEST_F(CliScenarioDriversTest, a_lease_in_a_value_that_ran_out_is_no_foreign_delete) {
    use_sources();
    const Ran ran = run({"scenario", "job_longer_than_ttl", "--algorithm",
                         "driver:setnx_timestamp_del", "--world", "live", "--ttl", "300ms"});
    EXPECT_NE(ran.out.find("expired_while_held"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("foreign_delete"), std::string::npos) << ran.out;
}

/// A is stopped for longer than its lease. When it goes on, its watchdog asks first.
TEST_F(CliScenarioDriversTest, who_is_told_of_its_loss_as_it_wakes_is_not_accused) {
    use_sources();
    int code = 0;
    const Json row = played("stale_holder_writes", "watchdog_owned", code);
    EXPECT_EQ(row.at("result"), "as_expected") << row.dump();
    EXPECT_EQ(row.at("proved_overlaps"), 0) << row.dump();
    EXPECT_EQ(row.at("verdict"), "holds");
    EXPECT_NE(row.at("words").get<std::string>().find("A was told of its loss"), std::string::npos);
    EXPECT_EQ(code, 0);
}

TEST_F(CliScenarioDriversTest, what_cannot_be_played_is_said_and_is_no_verdict) {
    use_sources();
    int code = 0;
    const Json row = played("not_reentrant", "set_nx_lua", code);
    EXPECT_EQ(row.at("result"), "not_played");
    EXPECT_EQ(row.at("verdict"), "unknown");
    EXPECT_EQ(row.at("words"),
              "not played: what a driver is asked has no word for taking a lock again");
    EXPECT_EQ(code, 2);
    const Words sim{"scenario", "hung_worker", "--algorithm", "driver:set_nx_lua"};
    expect_refused(sim, {"--world live"});
    expect_refused(
        {"scenario", "hung_worker", "--algorithm", "driver:set_nx_lu", "--world", "live"},
        {"set_nx_lua"});
}

/// The server that comes back knows no script, and is sent the text.
TEST_F(CliScenarioDriversTest, a_script_that_a_restart_forgot_is_sent_again) {
    use_sources();
    const Ran found = run({"explore", "fenced", "--faults", "restart=1", "--json"});
    const std::string replay = parsed(found.out).at("replay");
    const Ran ran = paste(replay + " --world live --algorithm driver:fenced");
    const std::size_t restart = ran.out.find("Redis restarts");
    ASSERT_NE(restart, std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("B: EVAL ", restart), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("driver:fenced: as expected: violated"), std::string::npos) << ran.out;
}

TEST_F(CliScenarioDriversTest, a_witness_of_a_search_is_one_on_processes) {
    use_sources();
    const Ran found = run({"explore", "set_nx_lua", "--faults", "pause=1", "--json"});
    EXPECT_EQ(found.code, 1) << found.err;
    const std::string replay = parsed(found.out).at("replay");
    const auto on = [&](const std::string& lock) {
        return paste(replay + " --world live --algorithm " + lock);
    };
    const Ran ran = on("driver:set_nx_lua");
    EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("driver:set_nx_lua: as expected: violated"), std::string::npos)
        << ran.out;
    const Ran other = on("driver:set_nx_del");
    EXPECT_EQ(other.code, 64);
    EXPECT_NE(other.err.find("driver:set_nx_del is like set_nx_del"), std::string::npos)
        << other.err;
    const Ran none = on("set_nx_lua");
    EXPECT_EQ(none.code, 64);
    EXPECT_NE(none.err.find("lib:NAME"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace locklab::cli_scenario_drivers_test
