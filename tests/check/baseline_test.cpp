#include "harness/check/baseline.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace locklab::baseline_test {
namespace {

std::set<std::string_view> baseline_of(LeaseTraits traits) {
    std::set<std::string_view> names;
    for (const HazardRow& row : kHazards) {
        if (is_baseline(row.hazard, traits)) names.insert(row.name);
    }
    return names;
}

using Names = std::set<std::string_view>;

TEST(Baseline, is_what_no_lease_survives) {
    EXPECT_EQ(baseline_of({}),
              (Names{"clock_jump", "clock_offset", "evict", "failover", "flush", "pause", "restart",
                     "restart_snapshot", "server_clock_jump", "slow_job"}));
}

TEST(Baseline, a_long_job_tells_locks_apart_that_renew) {
    EXPECT_EQ(baseline_of({.renews = true}).count("slow_job"), 0U);
    EXPECT_EQ(baseline_of({.renews = true}).size(), baseline_of({}).size() - 1);
}

TEST(Baseline, wrong_clocks_tell_locks_apart_that_say_they_bear_them) {
    EXPECT_EQ(baseline_of({.renews = true, .checks_clocks = true}),
              (Names{"evict", "failover", "flush", "pause", "restart", "restart_snapshot"}));
}

TEST(Baseline, says_why_in_one_sentence) {
    for (const HazardRow& row : kHazards) {
        const std::string_view why = why_baseline(row.hazard, {});
        if (why.empty()) continue;
        EXPECT_EQ(why.find('.'), why.size() - 1) << row.name;
    }
}

}  // namespace
}  // namespace locklab::baseline_test
