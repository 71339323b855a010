#include "harness/core/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace locklab::nearest_test {
namespace {

constexpr std::array<std::string_view, 3> kWords{"granted", "released", "wants"};

TEST(Nearest, is_the_one_with_the_fewest_edits) {
    EXPECT_EQ(nearest("grantd", kWords), "granted");
    EXPECT_EQ(nearest("release", kWords), "released");
    EXPECT_EQ(nearest("WANTS", kWords), "wants");
    EXPECT_EQ(nearest("", kWords), "wants");
    EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, the_first_of_equals) {
    constexpr std::array<std::string_view, 2> kTwins{"ab", "ac"};
    EXPECT_EQ(nearest("ad", kTwins), "ab");
}

TEST(Nearest, says_what_is_known) {
    EXPECT_EQ(unknown_word("event", "grantd", kWords),
              "unknown event 'grantd'; did you mean 'granted'? Known: granted, released, wants");
}

TEST(Nearest, proposes_nothing_far_away) {
    EXPECT_EQ(unknown_word("event", "zzzzzz", kWords),
              "unknown event 'zzzzzz'. Known: granted, released, wants");
    EXPECT_EQ(unknown_word("event", "x", {}), "unknown event 'x'. Known: ");
}

TEST(Nearest, quotes_without_control_characters_and_not_for_ever) {
    EXPECT_EQ(in_quotes("a\nb\x7fz\xc3"), "'a?b?z?'");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(48, 'x') + "...'");
    EXPECT_EQ(nearest(std::string(1'000'000, 'g'), kWords), "granted");
}

}  // namespace
}  // namespace locklab::nearest_test
