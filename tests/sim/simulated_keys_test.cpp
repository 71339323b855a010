// What becomes of the keys of a server in a simulated run: any of them is evicted, and a guarded
// write looks into the lock's.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/core/run_spec.h"
#include "harness/explore/sim_run.h"

namespace locklab::simulated_keys_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Runs of a lock with a plan that is written down, two clients, a TTL of 1 s.
class SimulatedKeys : public testing::Test {
protected:
    static SimConfig config(std::string_view name) {
        const Algorithm& algorithm = *algorithm_named(name);
        LockOptions options = with_ttl(algorithm.defaults, seconds(1));
        options.clock_unit = milliseconds(1);
        RunSpec spec = make_run_spec(algorithm, options, seconds(1), FaultBudget());
        spec.clients = 2;
        spec.grants = 6;
        return sim_config(spec);
    }

    ScriptEngine scripts_;
};

template <class Detail>
std::vector<Detail> all(const History& history) {
    std::vector<Detail> found;
    for (const Event& event : history.events) {
        if (const auto* detail = std::get_if<Detail>(&event.detail)) found.push_back(*detail);
    }
    return found;
}

TEST_F(SimulatedKeys, an_eviction_takes_any_key_that_is_there) {
    std::set<std::string> taken;
    for (const bool any : {false, true}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SimConfig setup = config("fenced");
            setup.evicts_any_key = any;
            setup.plan = {{Hazard::evict, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
            RandomChoices choices(seed);
            Simulator simulator(setup, choices, scripts_);
            simulator.run();
            const auto faults = all<event::Fault>(simulator.take_history());
            ASSERT_EQ(faults.size(), 1U);
            taken.insert(faults[0].key);
        }
        if (any) continue;
        EXPECT_EQ(taken, std::set<std::string>{""}) << "the lock's own";
    }
    EXPECT_EQ(taken, (std::set<std::string>{"", "lock:fence"}));
}

/// Two are inside after a pause, and the one whose key has expired does not write.
TEST_F(SimulatedKeys, a_guarded_write_is_refused_without_its_own_key) {
    const auto lost = [&](const char* lock, bool guarded, std::size_t& denied) {
        std::size_t lost_updates = 0;
        denied = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SimConfig setup = config(lock);
            setup.guards_writes = guarded;
            setup.plan = {{Hazard::pause, {ClientId{0}, 1, Phase::inside, 1}, milliseconds(2'000)}};
            RandomChoices choices(seed);
            Simulator simulator(setup, choices, scripts_);
            simulator.run();
            const History history = simulator.take_history();
            for (const event::Wrote& wrote : all<event::Wrote>(history)) {
                if (wrote.base != wrote.previous) ++lost_updates;
            }
            denied += all<event::Denied>(history).size();
        }
        return lost_updates;
    };
    std::size_t denied = 0;
    EXPECT_GT(lost("set_nx_lua", false, denied), 0U);
    EXPECT_EQ(denied, 0U);
    EXPECT_EQ(lost("set_nx_lua", true, denied), 0U);
    EXPECT_GT(denied, 0U);
    // Every holder's key has the same value.
    EXPECT_GT(lost("set_nx_del", true, denied), 0U);
    EXPECT_EQ(lost("reentrant_watchdog", true, denied), 0U) << "its token is a field of a hash";
}

}  // namespace
}  // namespace locklab::simulated_keys_test
