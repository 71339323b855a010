// What is said of a search: nothing that was not shown, and nothing that the stage does not see.

#include "harness/play/explored.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/play/step_player.h"
#include "harness/play/strategies.h"
#include "harness/stage/sim_world.h"
#include "tests/explore/proof_run.h"

namespace locklab::explored_test {
namespace {

Explored randomly(const char* algorithm, const char* faults, std::uint64_t schedules) {
    const Algorithm& lock = *algorithm_named(algorithm);
    RandomLimits limits;
    limits.schedules = schedules;
    return explore_randomly(lock, bounds_with(lock, faults), limits, Watcher());
}

Explored plainly(const char* algorithm, const char* faults, std::uint64_t budget,
                 std::uint32_t leaves = 1) {
    const Algorithm& lock = *algorithm_named(algorithm);
    Bounds bounds = bounds_with(lock, faults, 2, 1, 1);
    bounds.leaves = leaves;
    return explore_plainly(lock, bounds, budget, Watcher());
}

Explored exhaustively(const char* algorithm, const char* faults) {
    const Algorithm& lock = *algorithm_named(algorithm);
    const Bounds bounds = bounds_with(lock, faults);
    return explore_exhaustively(lock, {bounds}, {bounds.faults}, SearchLimits(), Watcher());
}

TEST(ExploreStrategies, random_schedules_that_show_nothing_prove_nothing) {
    const Explored explored = randomly("set_nx_lua", "crash=1", 1000);
    EXPECT_EQ(explored.result.verdict, Verdict::unknown);
    EXPECT_FALSE(explored.result.exhausted);
    EXPECT_FALSE(explored.result.why_unknown.empty());
}

TEST(ExploreStrategies, a_random_find_is_shortest_only_if_a_search_says_so) {
    const Explored proved = randomly("set_nx_lua", "evict=1", 10'000);
    ASSERT_EQ(proved.result.verdict, Verdict::violated);
    EXPECT_TRUE(proved.proved_shortest);
    EXPECT_EQ(proved.result.witness.steps.size(), search("set_nx_lua", "evict=1").depth);
    // No search takes these two at once.
    const Explored found =
        randomly("set_nx_lua", "evict=1,restart_snapshot=1,server_clock_jump=1", 10'000);
    ASSERT_EQ(found.result.verdict, Verdict::violated);
    EXPECT_FALSE(found.proved_shortest);
}

TEST(ExploreStrategies, some_of_the_schedules_prove_nothing) {
    const Explored some = plainly("set_nx_lua", "none", 581);
    EXPECT_EQ(some.result.verdict, Verdict::unknown);
    EXPECT_FALSE(some.result.exhausted);
    EXPECT_FALSE(some.result.why_unknown.empty());
    const Explored all = plainly("set_nx_lua", "none", 583);
    EXPECT_EQ(all.result.verdict, Verdict::holds);
    EXPECT_TRUE(all.result.exhausted);
    EXPECT_EQ(plainly("set_nx_lua", "stall=1", 583).result.verdict, Verdict::unknown);
}

TEST(ExploreStrategies, every_schedule_proves_what_was_exercised) {
    // Nobody leaves the key behind, so its time to live never runs out.
    const Explored vacuous = plainly("set_nx_lua", "none", 303, 0);
    EXPECT_EQ(vacuous.result.verdict, Verdict::unknown);
    EXPECT_TRUE(vacuous.result.exhausted);
    ASSERT_EQ(vacuous.proofs.size(), 1U);
    EXPECT_TRUE(vacuous.proofs[0].vacuous);
    EXPECT_EQ(vacuous.proofs[0].missing,
              std::vector<std::string>{"the lock's key has a time to live that never ran out"});
    EXPECT_NE(explored_text(vacuous).find("vacuous"), std::string::npos);
}

TEST(ExploreStrategies, every_schedule_finds_the_lock_left_behind) {
    Explored stuck = plainly("setnx_expire", "crash=1", 100'000, 0);
    ASSERT_EQ(stuck.result.verdict, Verdict::stuck);
    show_witness(stuck, testing::TempDir());
    EXPECT_TRUE(stuck.judgement->liveness.stuck);
}

TEST(ExploreStrategies, random_schedules_tell_what_they_exercised) {
    const auto coverage_under = [](std::uint32_t threads) {
        const Algorithm& lock = *algorithm_named("set_nx_lua");
        RandomLimits limits;
        limits.schedules = 2000;
        limits.threads = threads;
        return explore_randomly(lock, bounds_with(lock, "crash=1"), limits, Watcher());
    };
    const Explored one = coverage_under(1);
    ASSERT_TRUE(one.exercised);
    EXPECT_EQ(one.exercised->sent, (std::set<SentCommand>{{"SET NX PX", Phase::acquire},
                                                          {"compare_and_delete", Phase::release}}));
    EXPECT_TRUE(one.exercised->has_struck(Hazard::crash, Phase::inside));
    EXPECT_FALSE(one.exercised->has_struck(Hazard::pause));
    EXPECT_TRUE(one.exercised->ran_out);
    EXPECT_TRUE(*one.exercised == *coverage_under(3).exercised);
    EXPECT_NE(explored_text(one).find("exercised: SET NX PX (acquire)"), std::string::npos);
}

TEST(ExploreReport, the_order_of_fencing_tokens_is_told_where_it_was_looked_at) {
    const std::string looked = "; the order of fencing tokens";
    EXPECT_NE(explored_text(exhaustively("fenced", "none")).find(looked), std::string::npos);
    EXPECT_EQ(explored_text(exhaustively("set_nx_lua", "none")).find(looked), std::string::npos);
}

TEST(ExploreReport, a_proof_says_when_tries_begin) {
    const std::string begins = "tries begin as something ends";
    const Explored proved = exhaustively("set_nx_lua", "crash=1");
    ASSERT_EQ(proved.result.verdict, Verdict::holds);
    EXPECT_NE(explored_text(proved).find(begins), std::string::npos);
    const Explored unknown = randomly("set_nx_lua", "crash=1", 10);
    EXPECT_EQ(explored_text(unknown).find(begins), std::string::npos);
}

TEST(ExploreReport, a_lock_that_counts_on_other_clients_holds_on_a_condition) {
    Explored proved = exhaustively("set_nx_lua", "crash=1");
    const std::string condition = ": holds, if all who were refused try on";
    EXPECT_EQ(explored_text(proved).find(condition), std::string::npos);
    proved.result.counts_on_waiters = true;
    EXPECT_NE(explored_text(proved).find(condition), std::string::npos) << explored_text(proved);
}

TEST(ExploreReport, a_find_that_the_stage_does_not_see_is_not_shown) {
    Explored violated = exhaustively("set_nx_lua", "pause=1");
    ASSERT_EQ(violated.result.verdict, Verdict::violated);
    violated.result.witness.steps.pop_back();
    EXPECT_THROW(show_witness(violated, testing::TempDir()), std::runtime_error);
    violated.result.witness.steps = {{Step::Kind::take, 0, 0, false, 0}};
    EXPECT_THROW(show_witness(violated, testing::TempDir()), std::runtime_error);

    Explored stuck = exhaustively("setnx_expire", "crash=1");
    ASSERT_EQ(stuck.result.verdict, Verdict::stuck);
    stuck.result.witness.steps.clear();
    EXPECT_THROW(show_witness(stuck, testing::TempDir()), std::runtime_error);
    EXPECT_TRUE(stuck.trace.empty());
}

/// A machine on which each command takes its time, as on a real one that is busy.
class SlowWorld final : public StageWorld {
public:
    std::string_view name() const override { return "sim"; }
    void begin(const Algorithm& algorithm) override { world_.begin(algorithm); }
    Instant now() override { return world_.now(); }
    void wait_until(Instant at) override { world_.wait_until(at); }
    Reply execute(NodeId server, const ClientId* client, const Command& command) override {
        return world_.execute(server, client, command);
    }
    CommandResult run(const Route& route, const Command& command, const Key& key) override {
        world_.wait_until(world_.now() + std::chrono::milliseconds(12));
        CommandResult result = world_.run(route, command, key);
        world_.wait_until(world_.now() + std::chrono::milliseconds(12));
        return result;
    }
    void close(const Route& route) override { world_.close(route); }
    void restart(NodeId server) override { world_.restart(server); }
    void restore(NodeId server, Duration age) override { world_.restore(server, age); }
    void save(NodeId server) override { world_.save(server); }
    void restore_saved(NodeId server) override { world_.restore_saved(server); }
    void jump_clock(NodeId server, Duration by) override { world_.jump_clock(server, by); }
    void take_over(NodeId replica, NodeId master) override { world_.take_over(replica, master); }

private:
    SimWorld world_;
};

TEST(StepPlayer, plays_a_find_where_each_command_takes_its_time) {
    for (const auto& [lock, hazard] :
         {std::pair("set_nx_del", Hazard::delay_request), std::pair("setnx_expire", Hazard::retry),
          std::pair("set_nx_del", Hazard::pause)}) {
        FaultBudget faults;
        faults[hazard] = 1;
        const Proof proof = prove(*algorithm_named(lock), faults);
        ASSERT_EQ(name_of(proof.verdict), "violated") << lock;
        SlowWorld world;
        const Scene scene = play_steps(find_of(proof), world, Key{"lock"});
        EXPECT_EQ(name_of(judge(scene.history).verdict), "violated") << lock;
    }
}

TEST(StepPlayer, lets_every_fault_of_a_witness_strike_the_stage) {
    for (const char* faults : {"slow_job=1", "pause=1", "evict=1", "restart=1",
                               "restart_snapshot=1", "server_clock_jump=1"}) {
        const Explored explored = exhaustively("set_nx_lua", faults);
        ASSERT_EQ(explored.result.verdict, Verdict::violated);
        Find find;
        find.algorithm = explored.algorithm;
        find.bounds = explored.bounds;
        find.steps = explored.result.witness.steps;
        find.clock_offsets.resize(find.bounds.clients);
        SimWorld world;
        const Scene scene = play_steps(find, world, Key{"lock"});
        std::size_t struck = 0;
        for (const Event& event : scene.history.events) {
            const auto* fault = std::get_if<event::Fault>(&event.detail);
            if (fault == nullptr) continue;
            ++struck;
            EXPECT_EQ(explored.bounds.faults[fault->hazard], 1U) << faults;
        }
        EXPECT_EQ(struck, 1U) << faults;
    }
}

TEST(ExploreReport, the_verdict_of_several_locks_is_the_gravest) {
    const auto verdict_of = [](std::initializer_list<Verdict> verdicts) {
        std::vector<Explored> all(verdicts.size());
        std::size_t i = 0;
        for (const Verdict verdict : verdicts) all[i++].result.verdict = verdict;
        return gravest_of(all);
    };
    using enum Verdict;
    EXPECT_EQ(verdict_of({holds, holds}), holds);
    for (const Verdict worst : {violated, stuck}) {
        EXPECT_EQ(verdict_of({worst, unknown}), worst);
        EXPECT_EQ(verdict_of({unknown, worst, holds}), worst);
    }
    EXPECT_EQ(verdict_of({stuck, violated, stuck}), violated);
    EXPECT_EQ(verdict_of({unknown, holds}), unknown);
    EXPECT_EQ(verdict_of({holds, unknown}), unknown);
}

}  // namespace
}  // namespace locklab::explored_test
