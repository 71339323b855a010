// The two forms of the rules, by what they count: the tables of the search, and all schedules of
// `Cluster`.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "harness/explore/every_schedule.h"
#include "harness/explore/state_graph.h"
#include "tests/explore/search_bounds.h"

namespace locklab {

/// `plain`: all schedules of the lock within these bounds. The tables have as many, with and
/// without symmetry; the search finds what they show, and both exercised the same.
inline void expect_the_same_of_tables(const Algorithm& lock, Bounds bounds,
                                      const Schedules& plain) {
    ASSERT_TRUE(plain.complete) << plain.count;
    for (const bool symmetry : {false, true}) {
        bounds.symmetry = symmetry;
        const Odds odds = odds_of(lock, bounds, Path(), std::uint64_t{1} << 30, kGoOn);
        ASSERT_TRUE(odds.complete) << odds.why_not;
        EXPECT_EQ(odds.schedules, static_cast<double>(plain.count)) << "symmetry " << symmetry;
        EXPECT_EQ(odds.violated_schedules, static_cast<double>(plain.violated));
    }
    const SearchResult found = search(lock, bounds);
    EXPECT_EQ(found.verdict == Verdict::violated, plain.violated > 0);
    if (plain.violated > 0) {
        EXPECT_EQ(found.witness.steps.size(), plain.shortest.steps.size());
        return;
    }
    EXPECT_EQ(found.verdict == Verdict::stuck, plain.stuck > 0);
    // And each found out by itself what was exercised.
    EXPECT_EQ(found.coverage.sent, plain.coverage.sent);
    EXPECT_TRUE(found.coverage == plain.coverage);
}

}  // namespace locklab
