#include "harness/check/proved_overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace locklab::proved_overlap_test {
namespace {

/// "A+ B+ A? A! B? B!": + granted, ? a step is asked, ! inside, - outside, r a release is asked.
/// Pairs that are proved, as "AB 1 3 5": first, second, and the places.
std::string proved(std::string_view moments) {
    constexpr std::string_view kSigns = "+?!-r";
    OverlapProver prover;
    std::string found;
    for (std::size_t at = 0; at < moments.size(); at += 3) {
        ClientMoment moment;
        moment.client = ClientId{static_cast<std::uint32_t>(moments[at] - 'A')};
        moment.kind = static_cast<ClientMoment::Kind>(kSigns.find(moments[at + 1]));
        for (const ProvedOverlap& each : prover.see(moment)) {
            found +=
                std::string(found.empty() ? "" : "; ") + static_cast<char>('A' + each.first.value) +
                static_cast<char>('A' + each.second.value) + " " + std::to_string(each.granted) +
                " " + std::to_string(each.first_step) + " " + std::to_string(each.second_step);
        }
    }
    return found;
}

TEST(ProvedOverlap, rejects_two_that_are_inside_in_this_order) {
    EXPECT_EQ(proved("A+ B+ A? A! B? B!"), "AB 1 3 5");
    EXPECT_EQ(proved("B+ A+ A? A! B? B!"), "AB 0 3 5") << "whoever was granted first";
}

TEST(ProvedOverlap, accepts_intervals_that_only_seem_to_overlap) {
    EXPECT_EQ(proved("A+ B+"), "");
    EXPECT_EQ(proved("A+ B+ A? A!"), "") << "B may have lost it by then";
    EXPECT_EQ(proved("A+ B+ B? B!"), "") << "A may have lost it before";
    EXPECT_EQ(proved("A+ A? B+ A! B? B!"), "") << "A's step may have been before B's grant";
    EXPECT_EQ(proved("A+ B+ A? B? A! B!"), "") << "B's step may have been before A's";
    EXPECT_EQ(proved("A+ B+ B? A? B! A!"), "");
}

TEST(ProvedOverlap, accepts_who_was_asked_to_release_in_between) {
    EXPECT_EQ(proved("A+ B+ Ar A? A! B? B!"), "");
    EXPECT_EQ(proved("A+ B+ A? A! Ar B? B!"), "");
    EXPECT_EQ(proved("A+ B+ A? A! Br B? B!"), "");
    EXPECT_EQ(proved("A+ B+ A? A! Br B+ B? B!"), "") << "this is another grant of B";
}

TEST(ProvedOverlap, accepts_who_knows_of_its_loss) {
    EXPECT_EQ(proved("A+ B+ A? A- B? B!"), "");
    EXPECT_EQ(proved("A+ B+ A- A? A! B? B!"), "") << "a line that says lost was read";
    EXPECT_EQ(proved("A+ B+ A? A! B- B? B!"), "");
    EXPECT_EQ(proved("A+ B+ A? A! B? B-"), "");
}

TEST(ProvedOverlap, accepts_answers_to_nothing) {
    EXPECT_EQ(proved("A+ B+ A! B!"), "");
    EXPECT_EQ(proved("A+ B+ A? A! B? B-"), "");
    EXPECT_EQ(proved("A? A! B? B!"), "");
}

TEST(ProvedOverlap, rejects_a_late_grant) {
    // What is granted long after it was asked for is a grant all the same.
    EXPECT_EQ(proved("A+ A? A! A? B+ A! A? A! B? B!"), "AB 4 7 9");
}

TEST(ProvedOverlap, tells_each_pair_of_grants_once) {
    EXPECT_EQ(proved("A+ B+ A? A! B? B! A? A! B? B!"), "AB 1 3 5");
    EXPECT_EQ(proved("A+ B+ A? A! B? B! Br B+ A? A! B? B!"), "AB 1 3 5; AB 7 9 11");
}

TEST(ProvedOverlap, sees_every_pair_of_three) {
    EXPECT_EQ(proved("A+ B+ C+ A? A! B? B! C? C!"), "AB 1 4 6; AC 2 4 8; BC 2 6 8");
}

}  // namespace
}  // namespace locklab::proved_overlap_test
