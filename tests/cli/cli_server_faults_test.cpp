// What happens to a real server, asked for as a user does: coroutines and driver processes can have
// the same, and what comes of it agrees.

#include "tests/cli/cli_live_run.h"

namespace locklab::cli_server_faults_test {
namespace {

struct Asked {
    const char* fault;
    const char* cause;  ///< of the overlaps; empty: there are none
};
std::ostream& operator<<(std::ostream& out, const Asked& asked) { return out << asked.fault; }

class CliServerFaults : public CliLiveTest, public testing::WithParamInterface<Asked> {};

/// As many runs as show it on a machine that is busy with something else.
TEST_P(CliServerFaults, a_lock_and_its_driver_agree) {
    const auto& [fault, cause] = GetParam();
    const bool is_once = std::string_view(fault) == "failover";  // there is one replica
    const std::string faults = std::string(fault) + (is_once ? "=1" : "=2");
    for (const char* lock : {"set_nx_lua", "driver:set_nx_lua"}) {
        SCOPED_TRACE(lock);
        std::uint64_t overlaps = 0;
        std::uint64_t explained = 0;
        for (int seed = 1; seed <= 6 && explained == 0; ++seed) {
            const Ran ran = run({"campaign", lock, "--world", "live", "--faults", faults, "--runs",
                                 "20", "--seed", std::to_string(seed), "--json"});
            ASSERT_NE(ran.code, 64) << ran.err;
            const Json row = parsed(ran.out).at("runs").at(0);
            overlaps += row.at("overlaps").get<std::uint64_t>();
            explained += row.at("causes").at(cause).get<std::uint64_t>();
            EXPECT_EQ(row.at("inclusion").at("refused"), 0) << row.at("inclusion").dump();
        }
        EXPECT_GT(overlaps, 0U);
        EXPECT_GT(explained, 0U);
    }
    EXPECT_TRUE(temp_is_empty());
}

INSTANTIATE_TEST_SUITE_P(Each, CliServerFaults,
                         testing::Values(Asked{"evict", "lost_data"}, Asked{"flush", "lost_data"},
                                         Asked{"failover", "failover"},
                                         Asked{"restart_snapshot", "lost_data"},
                                         Asked{"server_clock_jump", "clock"}),
                         [](const auto& each) { return std::string(each.param.fault); });

/// A lock is not broken by a server that hangs for as long as nobody outlives a lease inside.
TEST_F(CliLiveTest, a_server_that_hangs_is_no_disturbance) {
    for (const char* lock : {"set_nx_lua", "driver:set_nx_lua"}) {
        SCOPED_TRACE(lock);
        const Ran ran = run({"campaign", lock, "--world", "live", "--faults", "freeze=1", "--runs",
                             "20", "--json"});
        ASSERT_NE(ran.code, 64) << ran.err;
        const Json row = parsed(ran.out).at("runs").at(0);
        EXPECT_GT(row.at("strikes").at("freeze"), 0) << row.dump();
        EXPECT_EQ(row.at("stuck"), 0);
    }
}

}  // namespace
}  // namespace locklab::cli_server_faults_test
