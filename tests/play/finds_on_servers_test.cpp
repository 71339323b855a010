// Finds of locks on several servers, played on driver processes and as many servers: what the
// search found is seen there too.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "harness/explore/step_text.h"
#include "harness/foreign/key_look.h"
#include "harness/play/find_on_drivers.h"
#include "tests/core/places.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/proof_run.h"
#include "tests/foreign/python_library.h"

namespace locklab::finds_on_servers_test {
namespace {

struct Case {
    const char* lock;  ///< of the corpus
    Hazard hazard;
    std::uint32_t strikes;
    Cause cause;
};
std::ostream& operator<<(std::ostream& out, const Case& each) {
    return out << each.lock << " under " << name_of(each.hazard) << "=" << each.strikes;
}

class FindsOnServers : public testing::TestWithParam<Case> {};

TEST_P(FindsOnServers, what_the_search_found_is_seen_on_processes) {
    const Algorithm& lock = corpus::entry_named(GetParam().lock)->algorithm;
    FaultBudget faults;
    if (GetParam().strikes > 0) faults[GetParam().hazard] = GetParam().strikes;
    const Proof proof = prove(lock, faults);
    ASSERT_EQ(proof.verdict, Verdict::violated);
    const Subject subject(lock, corpus_driver());
    StageProcesses processes(subject);
    const DriverFind played = play_on_drivers(find_of(proof), subject, processes);
    ASSERT_EQ(played.not_played, "");
    EXPECT_TRUE(played.is_as_expected()) << name_of(played.judgement.verdict);
    EXPECT_GE(played.judgement.causes[GetParam().cause], 1U);
    std::set<std::uint32_t> asked;
    for (const Event& event : played.scene.history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            asked.insert(sent->node.value);
        }
    }
    EXPECT_EQ(asked.size(), lock.redis_servers);
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
    return std::string(info.param.lock) + "_under_" + std::string(name_of(info.param.hazard));
}

INSTANTIATE_TEST_SUITE_P(
    EachFault, FindsOnServers,
    testing::Values(Case{"undoes_others", Hazard::contention, 0, Cause::foreign_delete},
                    Case{"everywhere_paused", Hazard::pause, 1, Cause::expired_while_held},
                    Case{"everywhere_twice_forgotten", Hazard::restart, 2, Cause::lost_data}),
    name_of_case);

/// Twice, with the same servers: the one that took over follows its master again.
TEST(FindsOnServersTogether, a_replica_takes_over_in_each_play) {
    const Algorithm& lock = corpus::entry_named("mixed_case_and_order")->algorithm;
    FaultBudget faults;
    faults[Hazard::failover] = 1;
    const Find find = find_of(prove(lock, faults));
    const Subject subject(lock, corpus_driver());
    StageProcesses processes(subject);
    for (int play = 0; play < 2; ++play) {
        const DriverFind played = play_on_drivers(find, subject, processes);
        ASSERT_EQ(played.not_played, "");
        EXPECT_TRUE(played.is_as_expected()) << name_of(played.judgement.verdict);
        EXPECT_GE(played.judgement.causes[Cause::failover], 1U);
    }
}

/// All three servers are asked at once. In the find one restarts before it is asked.
TEST(FindsOnServersTogether, a_command_that_a_restart_takes_along_is_another_play) {
    const Algorithm& lock = corpus::entry_named("majority_forgotten")->algorithm;
    FaultBudget faults;
    faults[Hazard::restart] = 1;
    const Subject subject(lock, corpus_driver());
    StageProcesses processes(subject);
    const DriverFind played = play_on_drivers(find_of(prove(lock, faults)), subject, processes);
    EXPECT_NE(played.not_played.find("before the restart, which loses it"), std::string::npos)
        << played.not_played;
    EXPECT_FALSE(played.shows_something());
}

/// It asks all its servers at once, and goes on when most have answered. As it releases, it reads
/// the answers that it left.
const char* const kHasty = R"(
import json, socket, sys
for line in sys.stdin:
    a = json.loads(line)
    def tell(*words):
        for link in links:
            link.sendall(b"".join([b"*%d\r\n" % len(words)] +
                                  [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
    def answers(links):
        return [link.recv(100) for link in links]
    said = {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "many"}
        said |= {kind: False for kind in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        places = [node.rsplit(":", 1) for node in a["nodes"]]
        links = [socket.create_connection((host, int(port)), 1) for host, port in places]
        most, key, ttl = len(links) // 2 + 1, a["key"], a["ttl_ms"]
    if a["op"] == "acquire":
        tell("SET", key, "t", "NX", "PX", str(ttl))
        said = {"granted": answers(links[:most]) == [b"+OK\r\n"] * most}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        try:
            answers(links[most:])
            tell("DEL", key)
            said = {"released": answers(links) == [b":1\r\n"] * len(links)}
        except OSError:
            said = {"error": "an answer never came", "definite": False}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)";

Find find_with(const char* lock, const char* faults, const std::vector<const char*>& steps) {
    Find find;
    find.algorithm = &corpus::entry_named(lock)->algorithm;
    find.bounds = bounds_with(*find.algorithm, faults);
    find.clock_offsets.resize(find.bounds.clients);
    for (const char* step : steps) find.steps.push_back(parse_step(step).value());
    return find;
}

/// Of one that has a snapshot it has the lock, and nobody knows of it.
TEST(FindsOnServersTogether, an_answer_that_was_not_taken_is_lost_with_its_server) {
    for (const char* fault : {"restart=1", "restart_snapshot=1"}) {
        SCOPED_TRACE(fault);
        const bool saves = std::string_view(fault) != "restart=1";
        const Find find = find_with(
            "mixed_case_and_order", fault,
            saves ? std::vector<const char*>{"A wake", "A send", "redis_save", "redis_restore",
                                             "A take", "B wake", "B send", "B take"}
                  : std::vector<const char*>{"A wake", "A send", "redis_restart", "A take",
                                             "B wake", "B send", "B take"});
        const Subject subject(*find.algorithm, corpus_driver());
        StageProcesses processes(subject);
        const DriverFind played = play_on_drivers(find, subject, processes);
        ASSERT_EQ(played.not_played, "");
        std::vector<std::uint32_t> granted;
        for (const Event& event : played.scene.history.events) {
            if (std::holds_alternative<event::Granted>(event.detail)) {
                granted.push_back(event.client.value);
            }
        }
        EXPECT_TRUE(played.scene.history.in_order) << "a stage makes one step after the other";
        EXPECT_EQ(granted, saves ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{1});
    }
}

TEST(FindsOnServersTogether, an_answer_that_a_process_does_not_await_comes_all_the_same) {
    Library library = python_library(kHasty);
    library.like = "majority";
    library.many_nodes = true;
    const Find find = find_with("majority", "none",
                                {"A wake", "A send", "A send at 2", "A send at 3", "A take",
                                 "A wake", "A send", "A send at 2", "A send at 3", "A take"});
    const Subject subject(library);
    StageProcesses processes(subject);
    const DriverFind played = play_on_drivers(find, subject, processes);
    EXPECT_EQ(played.not_played, "");
    const auto& events = played.scene.history.events;
    EXPECT_TRUE(std::ranges::any_of(events, [](const Event& event) {
        const auto* released = std::get_if<event::Released>(&event.detail);
        return released != nullptr && released->outcome == Release::yes;
    }));
}

/// A server whose clock alone is wrong: the other one's is right.
TEST(ServersOfStages, the_clock_of_one_server_jumps_and_the_others_do_not) {
    ManagedServers servers(Topology{2, 0}, ManagedServers::ItsClock::can_be_wrong);
    servers.jump_clock(NodeId{1}, std::chrono::seconds(5));
    EXPECT_EQ(servers.clock_ahead(NodeId{0}), Duration(0));
    EXPECT_GE(servers.clock_ahead(NodeId{1}), std::chrono::seconds(5));
    servers.begin_run();
    EXPECT_EQ(servers.clock_ahead(NodeId{1}), Duration(0));
}

TEST(ServersOfStages, a_replica_takes_over_with_all_that_its_master_has_by_then) {
    ManagedServers servers(Topology{1, 1});
    const auto tell = [&](std::uint32_t node, const Command& command) {
        return SyncConnection(servers.process(NodeId{node}).endpoint()).command(command);
    };
    for (int run = 0; run < 2; ++run) {
        EXPECT_TRUE(tell(1, Command::of("SET", "k", "b")).is_error()) << "it follows";
        EXPECT_EQ(tell(0, Command::of("SET", "k", "a")).text(), "OK");
        servers.take_over_with_all();
        EXPECT_EQ(tell(1, Command::of("GET", "k")).text(), "a");
        EXPECT_EQ(tell(1, Command::of("SET", "k", "b")).text(), "OK");
        EXPECT_EQ(tell(0, Command::of("GET", "k")).text(), "a");
        servers.begin_run();
        EXPECT_TRUE(keys_at(servers.endpoint(NodeId{0})).empty());
    }
}

/// The replica must not take over with what its master had before it was away.
TEST(ServersOfStages, a_replica_has_nothing_whose_master_came_back_empty) {
    ManagedServers servers(Topology{1, 1});
    SyncConnection(servers.process(NodeId{0}).endpoint()).command(Command::of("SET", "k", "a"));
    servers.kill(NodeId{0});
    servers.bring_back(NodeId{0});
    servers.take_over_with_all();
    EXPECT_TRUE(keys_at(servers.endpoint(NodeId{1})).empty());
}

TEST(ServersOfStages, a_run_begins_without_keys) {
    ManagedServers servers(Topology{});
    SyncConnection(servers.process(NodeId{0}).endpoint()).command(Command::of("SET", "k", "a"));
    ASSERT_EQ(keys_at(servers.endpoint(NodeId{0})).size(), 1U);
    servers.begin_run();
    EXPECT_TRUE(keys_at(servers.endpoint(NodeId{0})).empty());
}

/// What was started for one play is there for the next that needs the same.
TEST(ServersOfStages, servers_stay_while_they_are_enough) {
    const Subject subject(corpus::entry_named("majority")->algorithm, corpus_driver());
    StageProcesses processes(subject);
    using enum ManagedServers::ItsClock;
    const auto first = [&](std::uint32_t count, ManagedServers::ItsClock clock) {
        ManagedServers& servers = processes.servers(Topology{count, 0}, clock);
        EXPECT_EQ(servers.size(), count);
        return servers.process(NodeId{0}).pid();
    };
    const pid_t one = first(1, right);
    EXPECT_EQ(first(1, right), one);
    const pid_t another = first(1, can_be_wrong);
    EXPECT_NE(another, one);
    EXPECT_NE(first(2, can_be_wrong), another);
}

}  // namespace
}  // namespace locklab::finds_on_servers_test
