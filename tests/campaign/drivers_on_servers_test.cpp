// Driver processes on several servers: the locks of the corpus do there what they say of
// themselves, and what befalls one server leaves the others alone.

#include <gtest/gtest.h>
#include <sys/types.h>

#include <set>

#include "algorithms/registry.h"
#include "harness/campaign/campaign_spec.h"
#include "harness/campaign/foreign_campaign.h"
#include "harness/core/random_choices.h"
#include "tests/core/places.h"
#include "tests/corpus/corpus.h"

namespace locklab::drivers_on_servers_test {
namespace {

using enum Hazard;

constexpr Duration kTtl = std::chrono::milliseconds(250);
/// As in foreign_claims_test: what is to break is given more runs than what is to hold.
constexpr std::uint64_t kMostRuns = 60;
constexpr std::uint64_t kRunsThatHold = 3;

RunSpec spec_of(const Subject& subject, const FaultBudget& budget,
                std::optional<Topology> topology = {}) {
    CampaignOptions options;
    options.world = WorldKind::live;
    options.ttl = kTtl;
    options.grants_per_run = 12;
    options.job = DurationRange{kTtl / 100, kTtl * 2 / 5};
    options.budget = budget;
    options.topology = topology;
    return spec_for(subject.row(), options);
}

FaultBudget budget_of(Hazard hazard, std::uint32_t strikes) {
    FaultBudget budget;
    if (strikes > 0) budget[hazard] = strikes;
    return budget;
}

struct Cell {
    const char* lock;  ///< of the corpus
    Hazard hazard;
    std::uint32_t strikes;
    bool holds;
};
std::ostream& operator<<(std::ostream& out, const Cell& cell) {
    return out << cell.lock << " under " << name_of(cell.hazard) << "=" << cell.strikes;
}

Verdict verdict_of(const Cell& cell) {
    const Subject subject(corpus::entry_named(cell.lock)->algorithm, corpus_driver());
    ForeignCell runs(spec_of(subject, budget_of(cell.hazard, cell.strikes)), 1);
    Team team(subject);
    for (std::uint64_t seed = 1; seed <= kMostRuns; ++seed) {
        run_foreign_campaign(runs, subject, seed, team, Watcher());
        const Tally& tally = runs.count.tally();
        const bool struck = !runs.count.never_struck();
        const bool broke = tally.violated_runs() + tally.stuck_runs() > 0;
        const bool held = cell.holds && struck && tally.runs() >= kRunsThatHold;
        if (!broke && !held) continue;
        for (const std::uint64_t commands : runs.commands) EXPECT_GT(commands, 0U);
        return tally.verdict();
    }
    return Verdict::unknown;
}

class DriversOnServers : public testing::TestWithParam<Cell> {};

TEST_P(DriversOnServers, a_lock_does_what_it_says_of_itself) {
    const Verdict verdict = verdict_of(GetParam());
    ASSERT_NE(verdict, Verdict::unknown) << "the machine was too slow, or nothing struck or broke";
    EXPECT_EQ(is_clean(verdict), GetParam().holds) << GetParam();
}

std::string name_of_cell(const testing::TestParamInfo<Cell>& info) {
    return std::string(info.param.lock) + "_under_" + std::string(name_of(info.param.hazard));
}

INSTANTIATE_TEST_SUITE_P(EachFault, DriversOnServers,
                         testing::Values(Cell{"majority", contention, 0, true},
                                         Cell{"undoes_others", contention, 0, false},
                                         Cell{"majority", lose_reply, 4, true},
                                         Cell{"majority", retry, 4, true},
                                         Cell{"everywhere", restart, 1, true},
                                         Cell{"majority", restart, 8, false},
                                         Cell{"everywhere", evict, 1, true}),
                         name_of_cell);

std::vector<event::Fault> faults_of(const History& history) {
    std::vector<event::Fault> faults;
    for (const Event& event : history.events) {
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) faults.push_back(*fault);
    }
    return faults;
}

TEST(ServersOfDrivers, a_restart_leaves_the_other_servers_as_they_are) {
    const Subject subject(corpus::entry_named("majority")->algorithm, corpus_driver());
    const RunSpec spec = spec_of(subject, budget_of(restart, 2));
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::set<std::uint32_t> struck;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        std::vector<pid_t> before;
        for (std::uint32_t i = 0; i < servers.size(); ++i) {
            before.push_back(servers.process(NodeId{i}).pid());
        }
        const ForeignResult result =
            run_foreign({spec, subject, seed, 0}, servers, team, [] { return false; });
        std::set<std::uint32_t> restarted;
        for (const event::Fault& fault : faults_of(result.history)) {
            EXPECT_EQ(fault.hazard, restart);
            restarted.insert(fault.node.value);
        }
        for (std::uint32_t i = 0; i < servers.size(); ++i) {
            const bool is_another = servers.process(NodeId{i}).pid() != before[i];
            EXPECT_EQ(is_another, restarted.contains(i)) << i;
        }
        struck.merge(restarted);
    }
    EXPECT_GT(struck.size(), 1U);
}

/// It is the same process before and after, and no machine is late by it.
TEST(ServersOfDrivers, one_of_three_that_hangs_goes_on_with_its_data) {
    const Subject subject(corpus::entry_named("majority")->algorithm, corpus_driver());
    const RunSpec spec = spec_of(subject, budget_of(freeze, 2));
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::uint64_t hangs = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const pid_t before = servers.process(NodeId{2}).pid();
        const ForeignResult result =
            run_foreign({spec, subject, seed, 0}, servers, team, [] { return false; });
        const std::vector<event::Fault> faults = faults_of(result.history);
        EXPECT_EQ(result.hangs.count, faults.size());
        EXPECT_LE(result.hangs.gone_on, result.hangs.count);
        hangs += faults.size();
        for (const event::Fault& fault : faults) {
            EXPECT_EQ(fault.hazard, freeze);
            EXPECT_GE(fault.amount, kTtl) << "longer than a lease";
            EXPECT_TRUE(servers.was_away(fault.node));
            EXPECT_FALSE(servers.hangs(fault.node));
        }
        EXPECT_EQ(servers.process(NodeId{2}).pid(), before);
    }
    EXPECT_GT(hangs, 0U);
}

/// Each client's commands go to the replica from when it learns, and to the old master before.
TEST(ServersOfDrivers, each_client_goes_to_the_master_that_it_knows) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    const RunSpec spec = spec_of(subject, budget_of(failover, 1));
    ASSERT_EQ(spec.topology, (Topology{1, 1}));
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::uint64_t to_the_new = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const ForeignResult result =
            run_foreign({spec, subject, seed, 0}, servers, team, [] { return false; });
        std::map<ClientId, NodeId> known;
        std::uint64_t learnings = 0;
        for (const Event& event : result.history.events) {
            if (const auto* learnt = std::get_if<event::Learnt>(&event.detail)) {
                EXPECT_EQ(learnt->master, spec.topology.replica());
                known[event.client] = learnt->master;
                ++learnings;
            }
            const auto* sent = std::get_if<event::Sent>(&event.detail);
            if (sent == nullptr) continue;
            EXPECT_EQ(sent->node, known[event.client]);
            to_the_new += sent->node == spec.topology.replica() ? 1 : 0;
        }
        EXPECT_TRUE(learnings == 0 || !faults_of(result.history).empty());
    }
    EXPECT_GT(to_the_new, 0U);
}

TEST(ServersOfDrivers, an_old_snapshot_is_as_old_as_is_noted) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    const RunSpec spec = spec_of(subject, budget_of(restart_snapshot, 2));
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::uint64_t struck = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const ForeignResult result =
            run_foreign({spec, subject, seed, 0}, servers, team, [] { return false; });
        for (const event::Fault& fault : faults_of(result.history)) {
            EXPECT_EQ(fault.hazard, restart_snapshot);
            EXPECT_GT(fault.amount, Duration(0));
            EXPECT_LT(fault.amount, 2 * kTtl);
            ++struck;
        }
    }
    EXPECT_GT(struck, 0U);
}

TEST(ServersOfDrivers, the_fault_of_a_message_says_to_which_server_it_was) {
    const Subject subject(corpus::entry_named("majority")->algorithm, corpus_driver());
    const RunSpec spec = spec_of(subject, budget_of(retry, 4));
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::set<std::uint32_t> struck;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const ForeignResult result =
            run_foreign({spec, subject, seed, 0}, servers, team, [] { return false; });
        for (const event::Fault& fault : faults_of(result.history)) struck.insert(fault.node.value);
        ASSERT_EQ(result.commands.size(), 3U);
        for (const std::uint64_t commands : result.commands) EXPECT_GT(commands, 0U);
    }
    EXPECT_GT(struck.size(), 1U);
}

/// The seed of a run whose only fault befalls a server but the first.
std::uint64_t seed_that_strikes_another(const RunSpec& spec) {
    for (std::uint64_t seed = 1;; ++seed) {
        RandomChoices choices(seed, 0);
        const std::vector<PlannedFault> plan = draw_plan(spec.budget, fault_scale(spec), choices);
        if (plan.size() == 1 && plan[0].node != NodeId{0}) return seed;
    }
}

TEST(ServersOfDrivers, what_befalls_a_server_that_is_not_asked_befalls_nobody) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    ForeignCell cell(spec_of(subject, budget_of(restart, 1), Topology{3}), 1);
    Team team(subject);
    const std::uint64_t seed = seed_that_strikes_another(cell.spec);
    for (int again = 0; again < 5 && cell.count.tally().runs() == 0; ++again) {
        run_foreign_campaign(cell, subject, seed, team, Watcher());
    }
    EXPECT_EQ(cell.count.never_struck(), restart);
    EXPECT_GT(cell.commands.at(0), 0U);
    EXPECT_EQ(cell.commands.at(1) + cell.commands.at(2), 0U);
}

}  // namespace
}  // namespace locklab::drivers_on_servers_test
