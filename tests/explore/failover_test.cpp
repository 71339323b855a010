// A master, its replica, and clients that learn at different times which of them is master now.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/registry.h"
#include "harness/check/cause.h"
#include "harness/check/judge.h"
#include "harness/core/random_choices.h"
#include "harness/core/usage_error.h"
#include "harness/explore/sim_run.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_words.h"
#include "tests/check/story.h"

namespace locklab::failover_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr NodeId kMaster{0};
constexpr NodeId kReplica{1};

FaultBudget one_failover() {
    FaultBudget budget;
    budget[Hazard::failover] = 1;
    return budget;
}

RunSpec spec_of(std::string_view name) {
    const Algorithm& lock = *algorithm_named(name);
    return make_run_spec(lock, lock.defaults, {}, one_failover());
}

template <class Detail>
std::vector<std::pair<Event, Detail>> all(const History& history) {
    std::vector<std::pair<Event, Detail>> found;
    for (const Event& event : history.events) {
        const auto* detail = std::get_if<Detail>(&event.detail);
        if (detail != nullptr) found.emplace_back(event, *detail);
    }
    return found;
}

/// To whom each client sends, and since when, in runs in which the replica took over.
template <class Check>
std::size_t check_runs(std::string_view name, Check check) {
    SimRunner runner(spec_of(name));
    std::size_t struck = 0;
    for (std::uint64_t run = 0; run < 60; ++run) {
        const History history = runner.run(1, run).history;
        const auto faults = all<event::Fault>(history);
        if (faults.empty()) continue;
        EXPECT_EQ(faults.size(), 1U);
        EXPECT_EQ(faults.front().second.node, kReplica);
        ++struck;
        check(history, faults.front().first.at, faults.front().second.amount);
    }
    return struck;
}

TEST(Failover, each_client_sends_to_the_master_that_it_knows) {
    std::size_t to_the_old = 0;
    const std::size_t struck =
        check_runs("set_nx_lua", [&](const History& history, Instant at, Duration) {
            std::map<ClientId, NodeId> known;
            for (const Event& event : history.events) {
                if (const auto* learnt = std::get_if<event::Learnt>(&event.detail)) {
                    EXPECT_EQ(learnt->master, kReplica);
                    known[event.client] = learnt->master;
                }
                const auto* sent = std::get_if<event::Sent>(&event.detail);
                if (sent == nullptr) continue;
                EXPECT_EQ(sent->node, known[event.client]);
                to_the_old += event.at > at && sent->node == kMaster ? 1 : 0;
            }
        });
    EXPECT_GT(struck, 40U);
    EXPECT_GT(to_the_old, 100U);
}

TEST(Failover, nobody_learns_of_it_before_the_replica_has_taken_over_and_each_does_in_time) {
    const Duration within = spec_of("set_nx_lua").scale;
    check_runs("set_nx_lua", [&](const History& history, Instant at, Duration amount) {
        for (const auto& [event, learnt] : all<event::Learnt>(history)) {
            EXPECT_GE(event.at, at + amount);
            EXPECT_LE(event.at, at + amount + within);
        }
    });
}

TEST(Failover, what_is_on_its_way_is_answered_by_the_master_it_was_sent_to) {
    check_runs("watchdog_owned", [&](const History& history, Instant, Duration) {
        std::map<std::uint64_t, NodeId> asked;
        for (const Event& event : history.events) {
            if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
                asked[sent->call] = sent->node;
            } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
                EXPECT_TRUE(ran->node == kOracle || ran->node == asked.at(ran->call));
            }
        }
    });
}

TEST(Failover, breaks_locks_in_redis_and_no_other) {
    for (const Algorithm& lock : algorithms()) {
        std::uint64_t violated = 0;
        check_runs(lock.name, [&](const History& history, Instant, Duration) {
            const Judgement judgement = judge(history);
            violated += judgement.verdict == Verdict::violated ? 1 : 0;
            for (const Violation& found : judgement.violations) {
                const bool shown = lock.on_redis() && lock.safe_under.contains(Hazard::contention);
                if (shown && found.kind == Violation::Kind::overlap) {
                    EXPECT_NE(found.cause, Cause::unexplained) << lock.name;
                    EXPECT_NE(found.cause, Cause::other_servers) << lock.name;
                }
            }
        });
        const bool breaks = lock.control != Control::never_wrong;
        EXPECT_EQ(violated > 0, breaks) << lock.name;
    }
}

TEST(Failover, needs_one_master_and_its_replica) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    EXPECT_EQ(to_string(topology_for(lock, {}, one_failover())), "replicas:1");
    EXPECT_EQ(to_string(topology_for(lock, {}, {})), "one");
    EXPECT_EQ(to_string(topology_for(lock, Topology{1, 1}, {})), "replicas:1");
    EXPECT_THROW(topology_for(lock, Topology{3, 0}, one_failover()), UsageError);
}

Cause only_cause(const History& history) {
    const auto found = overlaps(stays_inside(history));
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? Cause::unexplained : cause_of(KeyLog(history), found.front());
}

/// The key of client 0 is at the master, and the replica takes over.
Story held_at_the_master() {
    Story story;
    story.wants(0).wants(1).wants(2).sets(0, "a", 100).granted(0, "a", 100);
    return story.at(10).fault(2, Hazard::failover, 5, kReplica);
}

TEST(CauseFailover, the_replica_had_not_got_the_key) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .fault(1, Hazard::failover, 5, kReplica)
                                .at(1)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(10)
                                .sets(1, "b", 100, kReplica)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::failover);
}

TEST(CauseFailover, the_old_master_grants_what_the_new_one_has_granted) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .fault(1, Hazard::failover, 5, kReplica)
                                .at(10)
                                .sets(0, "a", 100, kReplica)
                                .granted(0, "a", 100)
                                .at(20)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::failover);
}

TEST(CauseFailover, a_lease_that_the_replica_had_got_runs_out_there) {
    const History history =
        held_at_the_master().at(102).sets(1, "b", 100, kReplica).granted(1, "b", 100).end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseFailover, a_renewal_went_to_the_old_master) {
    const History history =
        held_at_the_master()
            .at(50)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(102)
            .sets(1, "b", 100, kReplica)
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::failover);
}

TEST(CauseFailover, a_stranger_deletes_the_key_that_the_replica_had_got) {
    const History history = held_at_the_master()
                                .at(20)
                                .deletes(2, Phase::release, kReplica)
                                .at(30)
                                .sets(1, "b", 100, kReplica)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

constexpr const char* kSplit = R"(title: The replica takes over
source: "001"
hits: a lock with a replica
ttl: 10s
topology: replicas:1
cast: [A, B]
script:
  - A acquires
  - the replica is cut off
  - 1s pass
  - the replica takes over
  - B learns of the new master
  - B tries
expect:
  set_nx_lua:
    why: the replica had got the key.
)";

TEST(FailoverScenario, the_replica_is_shown_with_its_masters_key_until_it_takes_over) {
    const Scenario scenario = read_scenario(kSplit, "split.yaml", {"set_nx_lua"});
    const Play play = play_in_sim(scenario, *algorithm_named("set_nx_lua"));
    EXPECT_EQ(play.judgement.verdict, Verdict::holds);
    EXPECT_TRUE(play.passed_over.empty());
    const Timeline timeline = make_timeline(play.scene);
    std::string text;
    for (const TimelineRow& row : timeline.rows) {
        text += sentence(timeline, row) + " | " + key_text(timeline, row) + "\n";
    }
    for (const char* expected :
         {"now inside, reads version 0 | 1: t1 of A, 10 s left; 2: t1 of A, 10 s left",
          "Redis 2 gets nothing more from its master, and takes over after 1 s",
          "B learns that Redis 2 is master", "at Redis 2 → nil, refused"}) {
        EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
    }
}

std::string complaint_about(std::string_view sentence, std::string_view instead) {
    std::string text = kSplit;
    text.replace(text.find(sentence), sentence.size(), instead);
    try {
        read_scenario(text, "f.yaml", {"set_nx_lua"});
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "";
}

TEST(FailoverScenario, what_cannot_be_is_refused) {
    EXPECT_EQ(complaint_about("topology: replicas:1", "topology: masters:2"),
              "f.yaml:9:24: there is no replica; right would be 'topology: replicas:1'");
    EXPECT_EQ(complaint_about("the replica takes over\n", "2s pass\n"),
              "f.yaml:12:25: there is no new master here; right would be 'the replica takes over' "
              "first");
    EXPECT_EQ(complaint_about("1s pass", "the replica is cut off"),
              "f.yaml:10:24: the replica has been cut off in line 9; right would be to leave this "
              "out");
    EXPECT_EQ(complaint_about("B tries", "B learns of the new master"),
              "f.yaml:13:25: B has learnt of it in line 12; right would be to leave this out");
    EXPECT_EQ(
        complaint_about("1s pass", "Redis 2 restarts"),
        "f.yaml:10:11: Redis 2 is a replica and nobody sees what happens to it; right would be "
        "'the replica takes over' first");
    EXPECT_EQ(complaint_about("A acquires", "B pauses"),
              "f.yaml:12:5: B is paused since line 8; right would be 'B resumes' first");
}

}  // namespace
}  // namespace locklab::failover_test
