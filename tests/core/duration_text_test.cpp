#include "harness/core/duration_text.h"

#include <gtest/gtest.h>

namespace locklab::duration_text_test {
namespace {

TEST(DurationTextTest, accepts_numbers_with_a_unit) {
    EXPECT_EQ(parse_duration("250us"), Duration(250));
    EXPECT_EQ(parse_duration("10ms"), Duration(10'000));
    EXPECT_EQ(parse_duration("1.5s"), Duration(1'500'000));
    EXPECT_EQ(parse_duration("2min"), Duration(120'000'000));
    EXPECT_EQ(parse_duration("0s"), Duration(0));
}

TEST(DurationTextTest, rejects_everything_else) {
    for (const char* text : {"", "10", "ms", "-1s", "1 s", "1h", "1..5s", "1e3s", "ten ms",
                             "99999999999999999999s", "0.00000000000000000000001s"}) {
        EXPECT_FALSE(parse_duration(text)) << text;
    }
}

TEST(DurationTextTest, prints_what_it_reads) {
    for (const std::int64_t us : {0, 1, 999, 1'000, 1'500, 10'000, 1'234'567, 30'000'000}) {
        EXPECT_EQ(parse_duration(to_string(Duration(us))), Duration(us)) << us;
    }
    EXPECT_EQ(to_string(Duration(1'500'000)), "1.5s");
    EXPECT_EQ(to_string(Duration(-1'500)), "-1.5ms");
}

}  // namespace
}  // namespace locklab::duration_text_test
