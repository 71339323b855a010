#include "harness/foreign/play_deviations.h"

#include <gtest/gtest.h>

#include "harness/core/usage_error.h"

namespace locklab::play_deviations_test {
namespace {

TEST(PlayDeviations, are_read_as_they_are_written) {
    const PlayDeviations some = parse_deviations("3:1,17:2");
    EXPECT_EQ(to_string(some), "3:1,17:2");
    EXPECT_EQ(picks_of(some).size(), 18U);
    EXPECT_EQ(to_string(parse_deviations("calm")), "calm");
    EXPECT_EQ(deviations_of({{0, 2}, {1, 2}, {0, 3}, {2, 3}}), parse_deviations("1:1,3:2"));
    for (const char* wrong : {"3", "3:", "3:0", "x:1", "3:1;4:1", "999999:1"}) {
        EXPECT_THROW(parse_deviations(wrong), UsageError) << wrong;
    }
}

}  // namespace
}  // namespace locklab::play_deviations_test
