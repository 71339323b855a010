// Who was slow, by numbers alone.

#include "harness/foreign/slowness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace locklab::slowness_test {
namespace {

using std::chrono::milliseconds;
using Kind = Disturbance::Kind;
constexpr Duration kMost = milliseconds(50);
constexpr Duration kNoStep{0};

/// Of a run in which the machine was late by this, and one step took so long.
std::optional<Disturbance> found(Duration machine, const AnswerTime& step,
                                 Duration clock_step = kNoStep) {
    Slowness slowness(kMost);
    slowness.machine_was_late(machine);
    slowness.answered(DriverOp::acquire, {milliseconds(3), milliseconds(2)});
    slowness.answered(DriverOp::step, step);
    slowness.answered(DriverOp::release, {milliseconds(1), milliseconds(1)});
    EXPECT_EQ(slowness.worst(), std::max(machine, step.took));
    return slowness.disturbance(clock_step);
}

TEST(Slowness, of_a_step_that_waits_for_no_processor_is_the_drivers) {
    const auto slow = found(milliseconds(2), {milliseconds(300), milliseconds(297)});
    ASSERT_TRUE(slow.has_value());
    EXPECT_EQ(slow->kind, Kind::driver);
    EXPECT_EQ(slow->words,
              "'step' took 300ms, of which it waited 3ms for a processor; a run shows nothing "
              "beyond 50ms, a part of the TTL");
}

TEST(Slowness, of_a_step_that_waited_for_a_processor_is_the_machines) {
    const auto slow = found(milliseconds(2), {milliseconds(300), milliseconds(40)});
    ASSERT_TRUE(slow.has_value());
    EXPECT_EQ(slow->kind, Kind::late);
}

/// Then neither a processor's queue nor anything else tells what the step took by itself.
TEST(Slowness, where_locklab_is_late_too_is_the_machines) {
    const auto slow = found(milliseconds(51), {milliseconds(300), milliseconds(300)});
    ASSERT_TRUE(slow.has_value());
    EXPECT_EQ(slow->kind, Kind::late);
}

/// The answer was there, and nobody heard it.
TEST(Slowness, as_long_as_locklab_was_late_is_not_the_drivers) {
    EXPECT_EQ(found(milliseconds(30), {milliseconds(80), milliseconds(80)})->kind, Kind::late);
    EXPECT_EQ(found(milliseconds(30), {milliseconds(81), milliseconds(81)})->kind, Kind::driver);
}

TEST(Slowness, up_to_its_limit_is_none) { EXPECT_FALSE(found(kMost, {kMost, kMost}).has_value()); }

TEST(Slowness, does_not_hide_a_clock_that_was_set) {
    EXPECT_EQ(
        found(milliseconds(0), {milliseconds(300), milliseconds(300)}, milliseconds(60))->kind,
        Kind::clock);
}

TEST(OwnTime, leaves_out_what_the_process_waited_for_a_processor) {
    EXPECT_EQ(own_time(milliseconds(90), milliseconds(10), milliseconds(40)), milliseconds(60));
    EXPECT_EQ(own_time(milliseconds(90), milliseconds(10), milliseconds(400)), Duration(0));
}

TEST(OwnTime, accuses_nobody_where_the_kernel_does_not_tell) {
    EXPECT_EQ(own_time(milliseconds(90), std::nullopt, milliseconds(40)), Duration(0));
    EXPECT_EQ(own_time(milliseconds(90), milliseconds(40), std::nullopt), Duration(0));
    // A thread that has ended took its count with it.
    EXPECT_EQ(own_time(milliseconds(90), milliseconds(40), milliseconds(10)), Duration(0));
}

}  // namespace
}  // namespace locklab::slowness_test
