// Swarms: what is drawn, that it follows from the seed, and that verdicts are those of the locks.
#include "harness/campaign/swarm.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/core/usage_error.h"
#include "harness/explore/sim_campaign.h"
#include "harness/explore/sim_run.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"

namespace locklab::swarm_test {
namespace {

using namespace std::chrono_literals;

const StopFlag kNeverStop{false};
constexpr std::uint64_t kRuns = 64;
/// In which every lock that can be broken is, and every fault strikes.
constexpr std::uint64_t kEnough = 24;

CampaignOptions swarm_options() {
    CampaignOptions options;
    options.swarm = options.every_fault = true;
    options.clients = 5;
    return options;
}

std::string bytes_of(const History& history) {
    std::ostringstream out;
    write_history(out, history);
    return out.str();
}

class SwarmTest : public testing::TestWithParam<const Algorithm*> {};

TEST_P(SwarmTest, draws_subsets_of_what_the_lock_can_take) {
    const Swarm swarm = swarm_for(*GetParam(), swarm_options());
    std::set<Duration> ttls;
    std::set<std::uint32_t> clients;
    FaultBudget with;
    FaultBudget without;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
        const RunSpec spec = swarm.of_run(run, run);
        EXPECT_TRUE(spec.drawn);
        EXPECT_EQ(swarm.of_run(run, run).budget, spec.budget) << "a draw has a memory";
        ttls.insert(spec.scale);
        clients.insert(spec.clients);
        for (const HazardRow& row : kHazards) {
            EXPECT_LE(spec.budget[row.hazard], swarm.whole.budget[row.hazard]) << row.name;
            ++(spec.budget[row.hazard] > 0 ? with : without)[row.hazard];
        }
    }
    EXPECT_EQ(ttls, std::set<Duration>(swarm.ttls.begin(), swarm.ttls.end()));
    EXPECT_GE(ttls.size(), 3U);
    EXPECT_EQ(clients, (std::set<std::uint32_t>{2, 3, 4, 5}));
    for (const HazardRow& row : kHazards) {
        const bool can = row.hazard != Hazard::contention && applies(*GetParam(), row.hazard);
        EXPECT_EQ(with[row.hazard] > kRuns / 4, can) << row.name;
        EXPECT_GT(without[row.hazard], kRuns / 4) << row.name;
    }
}

TEST_P(SwarmTest, a_run_says_what_was_drawn_and_its_trace_repeats_it) {
    const Swarm swarm = swarm_for(*GetParam(), swarm_options());
    for (std::uint64_t run = 0; run < 3; ++run) {
        const RunSpec spec = swarm.of_run(run, run);
        const SimRun recorded = SimRunner(spec).record(1, run);
        ASSERT_TRUE(recorded.history.draw);
        EXPECT_EQ(recorded.history.draw->faults, spec.budget);
        EXPECT_EQ(recorded.history.draw->ttl, spec.scale);
        const std::string bytes = bytes_of(recorded.history);
        std::istringstream in(bytes);
        EXPECT_EQ(read_history(in, "history").draw, recorded.history.draw);

        const std::string file = to_json(Trace{spec, 1, run, recorded.picks});
        const Trace trace = read_trace(file, "trace", algorithm_named);
        EXPECT_EQ(to_json(trace), file);
        ReplayChoices choices(trace.picks);
        SimRun replayed = SimRunner(trace.spec).run(choices);
        replayed.history.seed = trace.seed;
        replayed.history.run = trace.run;
        EXPECT_EQ(bytes_of(replayed.history), bytes);
    }
}

/// Of the controls one never breaks; of the locks under test each row says that something does.
TEST_P(SwarmTest, breaks_every_lock_but_the_perfect_one) {
    const Swarm swarm = swarm_for(*GetParam(), swarm_options());
    const CampaignGoal goal{.seed = 1, .grants = 1'000'000, .most_runs = kEnough};
    const CampaignCount count = run_sim_campaign(swarm.whole, goal, kNeverStop, {}, swarm.of_run);
    const bool perfect = GetParam()->control == Control::never_wrong;
    EXPECT_EQ(count.verdict(), perfect ? Verdict::not_seen : Verdict::violated)
        << count.why_unknown();
    ASSERT_TRUE(count.swarm());
    EXPECT_EQ(count.swarm()->all().runs, kEnough);
    EXPECT_EQ(count.swarm()->all().violated, count.tally().violated_runs());
}

INSTANTIATE_TEST_SUITE_P(EveryLock, SwarmTest, testing::ValuesIn([] {
                             std::vector<const Algorithm*> all;
                             for (const Algorithm& algorithm : algorithms())
                                 all.push_back(&algorithm);
                             return all;
                         }()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Swarm, a_list_of_faults_limits_the_draw) {
    CampaignOptions options = swarm_options();
    options.every_fault = false;
    options.budget[Hazard::pause] = 2;
    const Swarm swarm = swarm_for(*algorithm_named("set_nx_lua"), options);
    std::set<std::uint32_t> pauses;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
        const RunSpec spec = swarm.of_run(run, run);
        pauses.insert(spec.budget[Hazard::pause]);
        FaultBudget others = spec.budget;
        others[Hazard::pause] = 0;
        EXPECT_EQ(others, FaultBudget());
    }
    EXPECT_EQ(pauses, (std::set<std::uint32_t>{0, 2}));
}

TEST(Swarm, other_seeds_draw_otherwise) {
    CampaignOptions options = swarm_options();
    const Swarm one = swarm_for(*algorithm_named("set_nx_lua"), options);
    options.seed = 2;
    const Swarm other = swarm_for(*algorithm_named("set_nx_lua"), options);
    std::uint64_t same = 0;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
        same += one.of_run(run, run).budget == other.of_run(run, run).budget ? 1 : 0;
    }
    EXPECT_LT(same, kRuns / 4);
}

TEST(Swarm, runs_of_a_batch_have_the_faults_of_their_server_in_common) {
    CampaignOptions options = swarm_options();
    options.world = WorldKind::live;
    const Swarm swarm = swarm_for(*algorithm_named("set_nx_lua"), options);
    EXPECT_EQ(swarm.whole.budget[Hazard::evict], 1U);
    EXPECT_EQ(swarm.whole.budget[Hazard::freeze], 1U);
    std::set<std::uint32_t> restarts;
    std::set<std::uint32_t> pauses;
    std::set<std::uint32_t> evictions;
    for (std::uint64_t batch = 0; batch < 8; ++batch) {
        const RunSpec first = swarm.of_run(0, batch);
        restarts.insert(first.budget[Hazard::restart]);
        for (std::uint64_t run = 1; run < kRuns; ++run) {
            const RunSpec spec = swarm.of_run(run, batch);
            EXPECT_EQ(spec.budget[Hazard::restart], first.budget[Hazard::restart]);
            EXPECT_EQ(spec.budget[Hazard::failover], first.budget[Hazard::failover]);
            EXPECT_EQ(spec.budget[Hazard::freeze], first.budget[Hazard::freeze]);
            evictions.insert(spec.budget[Hazard::evict]);
            pauses.insert(spec.budget[Hazard::pause]);
        }
    }
    EXPECT_EQ(restarts.size(), 2U);
    EXPECT_EQ(pauses.size(), 2U);
    EXPECT_EQ(evictions.size(), 2U) << "each run has a key of its own";
    options.redis = "127.0.0.1:6379";
    const RunSpec somebodys = swarm_for(*algorithm_named("set_nx_lua"), options).whole;
    EXPECT_EQ(somebodys.budget[Hazard::restart], 0U);
    EXPECT_EQ(somebodys.budget[Hazard::failover], 0U);
    EXPECT_EQ(somebodys.budget[Hazard::freeze], 0U);
    EXPECT_EQ(somebodys.budget[Hazard::server_clock_jump], 0U);
    EXPECT_EQ(somebodys.budget[Hazard::evict], 1U) << "of a key of ours";
}

TEST(Swarm, times_to_live_are_whole_units_of_the_locks_clock) {
    CampaignOptions options = swarm_options();
    options.ttl = 2s;
    options.unit = 1s;
    const Swarm swarm = swarm_for(*algorithm_named("setnx_timestamp_del"), options);
    EXPECT_EQ(swarm.ttls, (std::vector<Duration>{1s, 2s, 4s, 8s}));
    options.ttl = 1500ms;
    EXPECT_THROW(swarm_for(*algorithm_named("setnx_timestamp_del"), options), UsageError);
}

TEST(Swarm, several_masters_have_no_failover) {
    CampaignOptions options = swarm_options();
    options.topology = Topology{3, 0};
    const Swarm swarm = swarm_for(*algorithm_named("set_nx_lua"), options);
    EXPECT_EQ(swarm.whole.budget[Hazard::failover], 0U);
    EXPECT_EQ(swarm.of_run(0, 0).topology.masters, 3U);
}

}  // namespace
}  // namespace locklab::swarm_test
