// What follows from a lock, its options and a budget.

#include "harness/core/run_spec.h"

#include <gtest/gtest.h>

namespace locklab::run_spec_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr LockOptions kOptions{.ttl = seconds(30), .renewal = seconds(10)};

RunSpec spec_of(const FaultBudget& budget) {
    static const Algorithm row{};
    return make_run_spec(row, with_ttl(kOptions, seconds(2)), {}, budget);
}

TEST(RunSpec, gives_a_command_more_time_on_a_real_machine) {
    RunSpec spec = spec_of({});
    EXPECT_EQ(spec.command_timeout, milliseconds(200));
    set_live_timeout(spec);
    EXPECT_EQ(spec.command_timeout, milliseconds(400));
}

TEST(RunSpec, waits_longer_than_any_reply_is_late_in_either_world) {
    FaultBudget budget;
    budget[Hazard::delay_reply] = 1;
    RunSpec spec = spec_of(budget);
    EXPECT_EQ(spec.command_timeout, seconds(8));
    const Duration patience = spec.patience;
    EXPECT_GT(patience, seconds(14 + 6)) << "what is at rest, and the longest fault";
    set_live_timeout(spec);
    EXPECT_EQ(spec.command_timeout, seconds(8));
    EXPECT_EQ(spec.patience, patience);
}

TEST(LockOptions, are_renewed_as_often_in_another_ttl) {
    const LockOptions shorter = with_ttl(kOptions, seconds(3));
    EXPECT_EQ(shorter.ttl, seconds(3));
    EXPECT_EQ(shorter.renewal, seconds(1));
    const LockOptions none = with_ttl(LockOptions(), seconds(3));
    EXPECT_EQ(none.ttl, Duration::zero()) << "a key that never expires still does not";
    EXPECT_EQ(none.renewal, Duration::zero());
}

}  // namespace
}  // namespace locklab::run_spec_test
