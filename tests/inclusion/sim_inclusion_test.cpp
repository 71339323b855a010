// Every simulated history is one that the rules allow, for the simulator knows no other: of every
// lock under every fault. Spoiled at one place, it is refused, and no later than there.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/explore/sim_run.h"
#include "harness/inclusion/inclusion.h"

namespace locklab::sim_inclusion_test {
namespace {

using Found = Inclusion::Found;

History history_of(const Algorithm& lock, Hazard hazard, std::uint64_t run) {
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 1;
    RunSpec spec =
        make_run_spec(lock, with_ttl(lock.defaults, std::chrono::seconds(1)), {}, budget);
    spec.topology = topology_for(lock, {}, budget);
    return SimRunner(spec).run(3, run).history;
}

/// As a live run would tell it: an execution stands where its reply came.
History as_live(const History& history) {
    History live;
    static_cast<HistoryHead&>(live) = history;
    live.world = "live";
    live.end = history.end;
    live.scripts = history.scripts;
    std::map<std::uint64_t, event::Executed> ran;
    for (const Event& event : history.events) {
        if (const auto* executed = std::get_if<event::Executed>(&event.detail)) {
            ran.insert_or_assign(executed->call, *executed);
            continue;
        }
        const auto* replied = std::get_if<event::Replied>(&event.detail);
        if (replied != nullptr && !replied->reply.is_unknown() && ran.contains(replied->call)) {
            live.events.push_back({event.at, event.client, event.phase, ran.at(replied->call)});
        }
        live.events.push_back(event);
    }
    return live;
}

/// On one server.
std::vector<Algorithm> locks() {
    std::vector<Algorithm> all(algorithms().begin(), algorithms().end());
    all.insert(all.end(), other_forms().begin(), other_forms().end());
    return all;
}

TEST(SimInclusion, accepts_every_lock_under_every_fault) {
    std::uint64_t executions = 0;
    for (const Algorithm& lock : locks()) {
        for (const HazardRow& row : kHazards) {
            if (!applies(lock, row.hazard)) continue;
            for (std::uint64_t run = 0; run < 3; ++run) {
                const Inclusion found = find_order(history_of(lock, row.hazard, run));
                const bool is_followed = row.hazard != Hazard::restart_snapshot;
                if (!is_followed && found.found == Found::undecided) continue;
                EXPECT_EQ(found.found, Found::accepted)
                    << lock.name << " under " << row.name << ", run " << run << ": " << found.why;
                executions += found.executions;
            }
        }
    }
    EXPECT_GT(executions, 10'000U);
}

TEST(SimInclusion, accepts_them_as_a_live_run_would_tell_them) {
    for (const Algorithm& lock : locks()) {
        for (const Hazard hazard : {Hazard::contention, Hazard::pause, Hazard::lose_reply}) {
            if (!applies(lock, hazard)) continue;
            const Inclusion found = find_order(as_live(history_of(lock, hazard, 1)));
            EXPECT_EQ(found.found, Found::accepted)
                << lock.name << " under " << name_of(hazard) << ": " << found.why;
        }
    }
}

TEST(SimInclusion, refuses_a_grant_and_a_refusal_that_were_not) {
    const History history = history_of(*algorithm_named("set_nx_lua"), Hazard::contention, 1);
    std::size_t spoiled = 0;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        History other = history;
        auto* ran = std::get_if<event::Executed>(&other.events[i].detail);
        if (ran == nullptr || ran->command.script() != nullptr) continue;
        ran->reply = ran->reply.is_ok() ? Reply() : Reply::ok();
        for (const History& told : {other, as_live(other)}) {
            const Inclusion found = find_order(told);
            EXPECT_EQ(found.found, Found::refused) << i << ": " << to_text(found);
        }
        const Inclusion found = find_order(other);
        ASSERT_TRUE(found.event.has_value());
        EXPECT_EQ(*found.event, i);
        ++spoiled;
    }
    EXPECT_GT(spoiled, 20U);
}

}  // namespace
}  // namespace locklab::sim_inclusion_test
