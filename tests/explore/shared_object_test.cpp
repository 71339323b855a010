// Clients of several tasks that share a lock object: each task is a holder of its own, what befalls
// the process befalls all its tasks, and the judge knows when the object took one for the other.

#include <gtest/gtest.h>

#include <sstream>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/core/usage_error.h"
#include "harness/explore/sim_campaign.h"
#include "harness/explore/sim_run.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"
#include "tests/corpus/corpus_cases.h"

namespace locklab::shared_object_test {
namespace {

using corpus::Entry;
using corpus::Expected;

const StopFlag kNeverStop{false};
constexpr std::uint64_t kRuns = 36;

RunSpec spec_of(const Algorithm& lock, std::uint32_t tasks, const FaultBudget& budget = {}) {
    RunSpec spec = make_run_spec(lock, lock.defaults, Duration(0), budget);
    spec.clients = 2;
    spec.tasks = tasks;
    check_tasks(spec);
    return spec;
}

RunSpec spec_of(const Entry& entry, std::uint32_t tasks, const FaultBudget& budget = {}) {
    RunSpec spec = spec_of(entry.algorithm, tasks, budget);
    spec.workload.takes_again = entry.reentrant ? Workload::Again::always : Workload::Again::never;
    return spec;
}

CampaignCount run(const RunSpec& spec, std::uint64_t runs = kRuns) {
    const CampaignGoal goal{.seed = 1, .grants = ~std::uint64_t{0}, .most_runs = runs};
    return run_sim_campaign(spec, goal, kNeverStop, {});
}

class SharedObject : public testing::TestWithParam<const Entry*> {};

TEST_P(SharedObject, is_as_it_says) {
    const Entry& entry = *GetParam();
    const CampaignCount count = run(spec_of(entry, 2));
    switch (entry.expected) {
        case Expected::correct:
            EXPECT_EQ(count.verdict(), Verdict::holds) << entry.sentence;
            for (const Hazard hazard : entry.faults) {
                const auto struck = run(spec_of(entry, 2, corpus::budget_of({hazard})));
                EXPECT_EQ(struck.verdict(), Verdict::holds) << name_of(hazard);
            }
            return;
        case Expected::broken:
            EXPECT_EQ(count.verdict(), Verdict::violated) << entry.sentence;
            EXPECT_GT(count.tally().causes()[entry.cause], 0U);
            return;
        case Expected::stuck: EXPECT_EQ(count.verdict(), Verdict::stuck) << entry.sentence;
    }
}

TEST_P(SharedObject, holds_where_each_task_has_its_own) {
    RunSpec spec = spec_of(*GetParam(), 1);
    spec.clients = 4;
    EXPECT_EQ(run(spec).verdict(), Verdict::holds) << GetParam()->sentence;
}

std::vector<const Entry*> all() {
    std::vector<const Entry*> some;
    for (const Entry& entry : corpus::shared_object_entries()) some.push_back(&entry);
    return some;
}

INSTANTIATE_TEST_SUITE_P(Corpus, SharedObject, testing::ValuesIn(all()), corpus::case_name);

TEST(SharedObjectRun, controls_are_as_ever) {
    EXPECT_EQ(run(spec_of(*algorithm_named("perfect_lock"), 2)).verdict(), Verdict::holds);
    const CampaignCount none = run(spec_of(*algorithm_named("no_lock"), 2));
    EXPECT_EQ(none.verdict(), Verdict::violated);
    EXPECT_EQ(none.tally().causes()[Cause::shared_object], 0U);
    EXPECT_GT(none.tally().causes()[Cause::no_key], 0U);
}

TEST(SharedObjectRun, a_re_entrant_lock_lets_in_both_tasks_without_a_fault) {
    const CampaignCount count = run(spec_of(*algorithm_named("reentrant_watchdog"), 2));
    EXPECT_EQ(count.verdict(), Verdict::violated);
    EXPECT_GT(count.tally().causes()[Cause::shared_object], 0U);
}

/// Every event of a hazard, by client.
std::vector<std::uint32_t> struck_by(const History& history, Hazard hazard) {
    std::vector<std::uint32_t> clients;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault != nullptr && fault->hazard == hazard) clients.push_back(event.client.value);
    }
    return clients;
}

TEST(SharedObjectRun, what_befalls_a_process_befalls_all_its_tasks) {
    const Algorithm& lock = *algorithm_named("watchdog_owned");
    for (const Hazard hazard :
         {Hazard::crash, Hazard::pause, Hazard::stall, Hazard::clock_jump, Hazard::clock_offset}) {
        SCOPED_TRACE(name_of(hazard));
        RunSpec spec = spec_of(lock, 3, corpus::budget_of({hazard}));
        spec.grants = 12;
        SimRunner runner(spec);
        int of_all = 0;
        for (std::uint64_t number = 0; number < 12; ++number) {
            const auto struck = struck_by(runner.run(1, number).history, hazard);
            if (struck.size() != 3) continue;  // another was done already
            EXPECT_EQ(struck[0] % 3, 0U);
            EXPECT_EQ(struck, (std::vector{struck[0], struck[0] + 1, struck[0] + 2}));
            ++of_all;
        }
        EXPECT_GT(of_all, 3);
    }
}

TEST(SharedObjectRun, who_crashed_with_its_process_does_nothing_more) {
    RunSpec spec = spec_of(*algorithm_named("set_nx_lua"), 2, corpus::budget_of({Hazard::crash}));
    spec.grants = 12;
    SimRunner runner(spec);
    for (std::uint64_t number = 0; number < 4; ++number) {
        std::ostringstream text;
        write_history(text, runner.run(1, number).history);
        std::istringstream back(text.str());
        const History history = read_history(back, "h");
        EXPECT_EQ(history.tasks, 2U);
    }
}

TEST(SharedObjectRun, a_trace_has_the_tasks_and_runs_again_to_the_byte) {
    Trace trace;
    trace.spec =
        spec_of(*algorithm_named("reentrant_watchdog"), 2, corpus::budget_of({Hazard::pause}));
    SimRunner runner(trace.spec);
    SimRun first = runner.record(1, 3);
    trace.picks = first.picks;
    const Trace read = read_trace(to_json(trace), "t", algorithm_named);
    EXPECT_EQ(read.spec.tasks, 2U);
    ReplayChoices picks(read.picks);
    History again = SimRunner(read.spec).run(picks).history;
    again.seed = first.history.seed;
    again.run = first.history.run;
    std::ostringstream one, other;
    write_history(one, first.history);
    write_history(other, again);
    EXPECT_EQ(one.str(), other.str());
}

TEST(SharedObjectRun, what_does_not_go_together_is_refused) {
    RunSpec spec = spec_of(*algorithm_named("set_nx_lua"), 2);
    const auto refused = [&] {
        try {
            check_tasks(spec);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_EQ(refused(), "taken");
    spec.unequal = {ClientOptions{ClientId{0}, std::chrono::seconds(1)}};
    EXPECT_EQ(
        refused(),
        "--tasks 2 does not go with options of single clients; right would be one or the other");
    spec.unequal.clear();
    spec.clients = 6'000;
    EXPECT_EQ(
        refused(),
        "--tasks 2 makes more than 10000 tasks of all clients; right would be fewer --clients");
}

}  // namespace
}  // namespace locklab::shared_object_test
