// Pairs of driver processes: what counts as their time, and what cannot be measured.

#include "harness/bench/driver_pairs.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/bench/command_watch.h"
#include "harness/live/redis_process.h"
#include "tests/bench/shell_driver.h"
#include "tests/core/places.h"

namespace locklab::driver_pairs_test {
namespace {

using namespace std::chrono_literals;

TEST(DriverPairs, take_what_the_process_says_and_not_what_the_harness_waited) {
    const Subject subject(shell_library(std::string("sleep 0.01; ") + kGrants));
    Team team(subject);
    ASSERT_EQ(open(team, {}, 1), "");
    PairTimes times;
    DriverPairs(team).run_for(0ms, times);
    DriverPairs(team).run_for(30ms, times);
    EXPECT_GE(times.count(), 2U);
    EXPECT_LE(times.count(), 4U);
    EXPECT_EQ(times.percentile_us(0.5), 14);
    EXPECT_EQ(times.percentile_us(0.99), 14);
    EXPECT_DOUBLE_EQ(times.per_s(), 1e6 / 14);
}

TEST(DriverPairs, of_our_own_lock_are_two_commands_each) {
    RedisProcess server(RedisProcess::Listen::on_port_too);
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    Team team(subject);
    ASSERT_EQ(open(team, server.port_endpoint(), 1), "");
    CommandWatch watch(server.endpoint());
    PairTimes times;
    DriverPairs(team).run_for(20ms, times);
    EXPECT_EQ(watch.seen(), 2 * times.count());
    EXPECT_GT(times.percentile_us(0.5), 0);
    EXPECT_GE(times.percentile_us(0.99), times.percentile_us(0.5));
}

TEST(DriverPairs, say_why_a_lock_could_not_be_measured) {
    const auto sentence = [](const std::string& acquire, const std::string& release) {
        // As it is opened it does as it should.
        const std::string first = "n=$((n + 1)); ";
        const Subject subject(
            shell_library(first + "[ $n -le 2 ] && " + kGrants + " || " + acquire,
                          first + R"([ $n -le 2 ] && said='"released":true' || )" + release));
        Team team(subject);
        EXPECT_EQ(open(team, {}, 1), "");
        PairTimes times;
        try {
            DriverPairs(team).run_for(0ms, times);
        } catch (const DriverTrouble& trouble) {
            return std::string(trouble.what());
        }
        return std::string("none");
    };
    const std::string well = R"(said='"released":true')";
    EXPECT_EQ(sentence(kGrants, well), "none");
    EXPECT_EQ(sentence(kGrants, R"(said='"released":null')"), "none");
    EXPECT_EQ(sentence(kRefuses, well), "The driver of odd cannot take a free lock.");
    EXPECT_EQ(sentence(kGrants, R"(said='"released":false')"),
              "The driver of odd cannot release its lock.");
    EXPECT_EQ(sentence(R"(said='"error":"broken","definite":false')", well),
              "The driver of odd cannot take a free lock: broken.");
}

TEST(PairTimes, have_none_of_nothing) {
    const PairTimes none;
    EXPECT_EQ(none.percentile_us(0.5), 0);
    EXPECT_EQ(none.per_s(), 0);
}

TEST(Team, grows_and_keeps_those_whom_an_opening_leaves_out) {
    const Subject subject(shell_library(kGrants));
    Team team(subject);
    ASSERT_EQ(open(team, {}, 1), "");
    const pid_t first = team.driver(0).process().pid();
    ASSERT_EQ(open(team, {}, 2), "");
    const pid_t second = team.driver(1).process().pid();
    EXPECT_EQ(team.driver(0).process().pid(), first);
    ASSERT_EQ(open(team, {}, 1), "");
    ASSERT_EQ(open(team, {}, 2), "");
    EXPECT_EQ(team.driver(1).process().pid(), second);
}

}  // namespace
}  // namespace locklab::driver_pairs_test
