// A partition between a client and a server, in the simulator.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/cluster/struck_run.h"

namespace locklab::partition_test {
namespace {

/// B goes on meanwhile.
TEST(PartitionTest, through_a_partition_nothing_gets_until_it_ends) {
    for (const bool ran : {false, true}) {
        SimConfig setup = config("set_nx_lua", 2);
        setup.grants = 20;
        setup.plan = {{Hazard::partition, {kA, 1, Phase::acquire, 0}, seconds(2), {}, {}, {}, ran}};
        const History history = run(setup);
        const Instant cut = struck(history, Hazard::partition);
        EXPECT_EQ(first_command(history).ran, ran);
        EXPECT_TRUE(first_command(history).reply.is_unknown());
        std::size_t lost = 0;
        std::size_t later = 0;
        std::size_t of_others = 0;
        for (const auto& [event, sent] : all<event::Sent>(history)) {
            const bool meanwhile = event.at > cut && event.at < cut + seconds(2);
            const auto executed = all<event::Executed>(history);
            const bool runs = std::ranges::any_of(
                executed,
                [&, call = sent.call](const auto& each) { return each.second.call == call; });
            if (event.client != kA) {
                of_others += meanwhile && runs ? 1 : 0;
            } else if (meanwhile) {
                EXPECT_FALSE(runs);
                ++lost;
            } else if (event.at >= cut + seconds(2)) {
                later += runs ? 1 : 0;
            }
        }
        EXPECT_GT(lost, 1U);
        EXPECT_GT(later, 1U);
        EXPECT_GT(of_others, 1U);
    }
}

TEST(PartitionTest, a_partition_is_of_one_link) {
    SimConfig setup = config("redlock", 1);
    setup.topology = {3, 0};
    setup.plan = {{Hazard::partition, {kA, 1, Phase::acquire, 0}, seconds(2)}};
    const History history = run(setup);
    const Instant cut = struck(history, Hazard::partition);
    std::map<NodeId, std::size_t> ran;
    for (const auto& [event, executed] : all<event::Executed>(history)) {
        if (event.at < cut + seconds(2)) ++ran[executed.node];
    }
    EXPECT_EQ(ran.size(), 2U) << "the third gets nothing";
}

}  // namespace
}  // namespace locklab::partition_test
