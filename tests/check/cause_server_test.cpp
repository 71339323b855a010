// Causes that lie with the server: it lost the key, or its clock jumped.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab::cause_server_test {
namespace {

TEST(CauseServer, clock_of_the_server) {
    const auto jumped = [](std::int64_t jump, std::int64_t taken) {
        return held()
            .at(jump)
            .fault(2, Hazard::server_clock_jump, 60)
            .at(taken)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(jumped(50, 51)), Cause::clock);
    EXPECT_EQ(only_cause(jumped(50, 101)), Cause::expired_while_held);
}

TEST(CauseServer, lost_data) {
    for (const Hazard hazard : {Hazard::restart, Hazard::restart_snapshot, Hazard::evict}) {
        const History history =
            held().at(50).fault(2, hazard).at(51).sets(1, "b", 100).granted(1, "b", 100).end();
        EXPECT_EQ(only_cause(history), Cause::lost_data) << name_of(hazard);
    }
}

TEST(CauseServer, lost_data_though_the_next_came_after_the_lease) {
    const History history =
        held().at(50).fault(2, Hazard::evict).at(101).sets(1, "b", 100).granted(1).end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

TEST(CauseServer, data_lost_after_the_lease_is_not_to_blame) {
    const History history =
        held().at(105).fault(2, Hazard::restart).at(106).sets(1, "b", 100).granted(1).end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseServer, data_lost_before_the_key_was_taken_is_not_to_blame) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .fault(1, Hazard::restart)
                                .at(1)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(102)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseServer, a_key_seen_after_the_restart_was_not_lost) {
    const History history =
        held()
            .at(50)
            .fault(2, Hazard::restart_snapshot)
            .at(60)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(161)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseServer, lost_data_where_an_old_key_came_back_and_its_owner_deleted_it) {
    const History history = held()
                                .at(50)
                                .fault(2, Hazard::restart_snapshot, 60)
                                .at(51)
                                .deletes(2)
                                .at(52)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

constexpr NodeId kSecond{1};

TEST(CauseServer, keys_of_different_servers_do_not_meet) {
    const History history = held().at(50).sets(1, "b", 100, kSecond).granted(1, "b", 100).end();
    EXPECT_EQ(only_cause(history), Cause::other_servers);
}

TEST(CauseServer, what_a_try_gave_back_at_one_server_is_no_part_of_the_next) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "a", 100, kSecond)
                                .deletes(0, Phase::acquire, kSecond)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(50)
                                .sets(1, "b", 100, kSecond)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::other_servers);
}

TEST(CauseServer, only_the_server_that_forgot_is_to_blame) {
    const auto taken_after_restart_of = [](NodeId node) {
        return held()
            .at(50)
            .fault(2, Hazard::restart, 0, node)
            .at(101)
            .sets(1, "b", 100)
            .granted(1, "b", 100);
    };
    EXPECT_EQ(only_cause(taken_after_restart_of(NodeId{0}).end()), Cause::lost_data);
    EXPECT_EQ(only_cause(taken_after_restart_of(kSecond).end()), Cause::expired_while_held);
}

/// Of a key at each server, that which the second got last had stood in its way.
TEST(CauseServer, the_last_key_to_fall_tells_why) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "a", 100)
                                .sets(0, "a", 100, kSecond)
                                .granted(0, "a", 100)
                                .at(50)
                                .fault(2, Hazard::restart, 0, kSecond)
                                .sets(1, "b", 100, kSecond)
                                .at(102)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

}  // namespace
}  // namespace locklab::cause_server_test
