// Partitions in plays of driver processes: what is sent through one comes when it ends.

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/core/fault_text.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/virtual_search.h"
#include "tests/core/places.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_partition_test {
namespace {

struct Partition {
    ClientId client;
    NodeId node;
    Instant from;
    Instant until;
};

std::vector<Partition> partitions_of(const History& history) {
    std::vector<Partition> found;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr || fault->hazard != Hazard::partition) continue;
        found.push_back({event.client, fault->node, event.at, event.at + fault->amount});
    }
    return found;
}

/// Commands of the client that ran at the server, and answers that came, while it was cut off.
std::size_t passed(const History& history, const Partition& cut) {
    std::map<std::uint64_t, NodeId> nodes;
    std::size_t passed = 0;
    for (const Event& event : history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            nodes[sent->call] = sent->node;
        }
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        const auto* told = std::get_if<event::Replied>(&event.detail);
        const bool meanwhile = event.at > cut.from + std::chrono::milliseconds(1) &&
                               event.at < cut.until - std::chrono::milliseconds(1);
        if (!meanwhile || event.client != cut.client) continue;
        passed += ran != nullptr && ran->node == cut.node ? 1 : 0;
        passed += told != nullptr && !told->reply.is_unknown() && nodes[told->call] == cut.node;
    }
    return passed;
}

TEST(VirtualPartition, nothing_gets_through_and_others_go_on) {
    const Subject subject{*algorithm_named("set_nx_lua"), built_program()};
    PlaySpec spec = play_of(subject, parse_faults("partition=1"), 2);
    VirtualWorld world(subject, spec.clients, spec.nodes);
    std::size_t partitions = 0;
    std::size_t of_others = 0;
    for (std::uint64_t play = 0; play < 60; ++play) {
        RandomDrive drive(1, play);
        const PlayResult made =
            play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
        for (const Partition& cut : partitions_of(made.history)) {
            ++partitions;
            EXPECT_EQ(passed(made.history, cut), 0U) << "play " << play;
            const Partition others{ClientId{1 - cut.client.value}, cut.node, cut.from, cut.until};
            of_others += passed(made.history, others);
        }
    }
    EXPECT_GT(partitions, 20U);
    EXPECT_GT(of_others, 20U);
}

/// A lease that a watchdog cannot renew ends, and its holder works on.
TEST(VirtualPartition, lets_two_in_where_the_watchdog_cannot_renew) {
    const Subject subject{*algorithm_named("watchdog_owned"), built_program()};
    PlaySpec spec = play_of(subject, parse_faults("partition=1"), 1);
    VirtualWorld world(subject, spec.clients, spec.nodes);
    std::size_t proved = 0;
    for (std::uint64_t play = 0; play < 300 && proved == 0; ++play) {
        RandomDrive drive(2, play);
        const PlayResult made =
            play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
        proved += made.proved.empty() ? 0 : 1;
    }
    EXPECT_GT(proved, 0U);
}

}  // namespace
}  // namespace locklab::virtual_partition_test
