// Simulated runs and campaigns are functions of their seed: to the byte, for every lock, recorded
// or not, however many threads share the work.

#include "harness/explore/sim_run.h"

#include <gtest/gtest.h>

#include <sstream>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/explore/sim_campaign.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"
#include "harness/suite/cell_row.h"

namespace locklab::sim_run_test {
namespace {

using std::chrono::seconds;

constexpr std::uint64_t kSeed = 42;
const StopFlag kNeverStop{false};

std::string bytes_of(const History& history) {
    std::ostringstream lines;
    write_history(lines, history);
    return lines.str();
}

RunSpec spec_of(const Algorithm& algorithm, const FaultBudget& budget) {
    LockOptions options = with_ttl(algorithm.defaults, seconds(1));
    options.retry = std::chrono::milliseconds(20);
    RunSpec spec = make_run_spec(algorithm, options, seconds(1), budget);
    spec.grants = 10;
    return spec;
}

/// None; what strikes clients, messages, clocks; what strikes the server.
std::vector<FaultBudget> budgets() {
    std::vector<FaultBudget> all(4);
    for (const Hazard hazard : {Hazard::crash, Hazard::pause, Hazard::slow_job}) all[1][hazard] = 1;
    for (const Hazard hazard :
         {Hazard::lose_reply, Hazard::retry, Hazard::delay_request, Hazard::delay_reply,
          Hazard::clock_offset, Hazard::clock_jump, Hazard::stall}) {
        all[2][hazard] = 1;
    }
    for (const Hazard hazard :
         {Hazard::restart_snapshot, Hazard::evict, Hazard::server_clock_jump}) {
        all[3][hazard] = 1;
    }
    return all;
}

/// What a campaign counted, all of it.
std::string counts_of(const CampaignCount& count) {
    std::string text = to_json(counted_row(count.tally())).dump();
    for (const HazardRow& row : kHazards) text += " " + std::to_string(count.strikes(row.hazard));
    return text + " " + std::to_string(count.witness().value_or(0)) +
           (count.complete() ? " complete" : " cut short");
}

class SimRunTest : public testing::TestWithParam<const Algorithm*> {};

TEST_P(SimRunTest, follows_from_its_seed_and_from_its_picks) {
    for (const FaultBudget& budget : budgets()) {
        const RunSpec spec = spec_of(*GetParam(), budget);
        SimRunner runner(spec);
        SimRunner another(spec);
        for (std::uint64_t run = 0; run < 4; ++run) {
            const std::string bytes = bytes_of(another.run(kSeed, run).history);
            const SimRun recorded = runner.record(kSeed, run);
            ASSERT_EQ(bytes_of(recorded.history), bytes) << "recording changes the run";
            EXPECT_EQ(bytes_of(runner.run(kSeed, run).history), bytes) << "a runner has a memory";

            const std::string file = to_json(Trace{spec, kSeed, run, recorded.picks});
            const Trace trace = read_trace(file, "trace", algorithm_named);
            EXPECT_EQ(to_json(trace), file);
            ReplayChoices choices(trace.picks);
            SimRun replayed = SimRunner(trace.spec).run(choices);
            replayed.history.seed = trace.seed;
            replayed.history.run = trace.run;
            EXPECT_EQ(bytes_of(replayed.history), bytes) << "a trace says less than its run";
            EXPECT_EQ(replayed.steps, recorded.steps);
        }
    }
}

TEST_P(SimRunTest, differs_from_run_to_run_and_from_seed_to_seed) {
    SimRunner runner(spec_of(*GetParam(), FaultBudget()));
    const auto events = [&](std::uint64_t seed, std::uint64_t run) {
        History history = runner.run(seed, run).history;
        history.seed = history.run = 0;
        return bytes_of(history);
    };
    EXPECT_NE(events(kSeed, 0), events(kSeed, 1));
    EXPECT_NE(events(kSeed, 0), events(kSeed + 1, 0));
}

TEST_P(SimRunTest, a_campaign_counts_as_one_thread_would) {
    const RunSpec spec = spec_of(*GetParam(), budgets()[1]);
    const CampaignGoal goal{.seed = kSeed, .grants = 700, .most_runs = 100};
    const CampaignCount campaign = run_sim_campaign(spec, goal, kNeverStop, {});
    CampaignCount one(spec.budget, orphan_limit(spec));
    SimRunner runner(spec);
    for (std::uint64_t run = 0; run < goal.most_runs && one.tally().grants() < goal.grants; ++run) {
        one.add(report_run(runner.run(kSeed, run).history));
    }
    EXPECT_EQ(counts_of(campaign), counts_of(one));
    EXPECT_EQ(counts_of(campaign), counts_of(run_sim_campaign(spec, goal, kNeverStop, {})));
}

INSTANTIATE_TEST_SUITE_P(EveryLock, SimRunTest, testing::ValuesIn([] {
                             std::vector<const Algorithm*> all;
                             for (const Algorithm& algorithm : algorithms())
                                 all.push_back(&algorithm);
                             return all;
                         }()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(SimCampaignTest, ends_with_the_run_that_reaches_its_goal) {
    const RunSpec spec = spec_of(*algorithm_named("set_nx_lua"), FaultBudget());
    const CampaignCount count =
        run_sim_campaign(spec, {.seed = 1, .grants = 95, .most_runs = 1'000}, kNeverStop, {});
    EXPECT_GE(count.tally().grants(), 95U);
    EXPECT_LT(count.tally().grants(), 95U + 13U) << "one run more than were asked for";
    const CampaignCount few =
        run_sim_campaign(spec, {.seed = 1, .grants = 1'000'000, .most_runs = 3}, kNeverStop, {});
    EXPECT_EQ(few.tally().runs(), 3U);
    EXPECT_TRUE(few.complete());
}

TEST(SimCampaignTest, stops_when_it_is_told_to) {
    const RunSpec spec = spec_of(*algorithm_named("set_nx_lua"), FaultBudget());
    StopFlag stop{false};
    const CampaignGoal goal{.seed = 1, .grants = 1'000'000, .most_runs = 1'000'000};
    const CampaignCount count =
        run_sim_campaign(spec, goal, stop, [&](std::uint64_t) { stop = true; });
    EXPECT_FALSE(count.complete());
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_GT(count.tally().runs(), 0U) << "what was finished is kept";
    EXPECT_LT(count.tally().runs(), 1'000U);
}

TEST(RecordedChoicesTest, leaves_out_the_calm_end) {
    ReplayChoices script({3, 0, 2, 0, 0});
    RecordingChoices recorder(script);
    for (int i = 0; i < 7; ++i) recorder.pick(ChoiceKind::fault, 8);
    EXPECT_EQ(recorder.picks(), (Picks{3, 0, 2}));
}

TEST(RecordedChoicesTest, replays_what_fits_and_is_calm_after_it) {
    ReplayChoices replay({3, 9, 1});
    EXPECT_EQ(replay.pick(ChoiceKind::fault, 8), 3U);
    EXPECT_EQ(replay.pick(ChoiceKind::latency, 5), 4U);
    EXPECT_EQ(replay.pick(ChoiceKind::next_event, 1), 0U);
    EXPECT_EQ(replay.pick(ChoiceKind::fault, 8), 0U);
}

}  // namespace
}  // namespace locklab::sim_run_test
