#include "harness/core/fault_sets.h"

#include <gtest/gtest.h>

#include <array>

#include "harness/core/fault_text.h"

namespace locklab::fault_sets_test {
namespace {

std::string listed(std::span<const Hazard> hazards, std::uint32_t count) {
    std::string text;
    for (const FaultBudget& set : fault_sets(hazards, count)) text += to_string(set) + ";";
    return text;
}

TEST(FaultSets, are_all_of_that_many_faults_each_once) {
    constexpr std::array kTwo{Hazard::crash, Hazard::pause};
    EXPECT_EQ(listed(kTwo, 0), "none;");
    EXPECT_EQ(listed(kTwo, 1), "crash=1;pause=1;");
    EXPECT_EQ(listed(kTwo, 2), "crash=2;crash=1,pause=1;pause=2;");
    EXPECT_EQ(listed({}, 1), "");
}

TEST(FaultSets, contain_a_set_whose_every_fault_they_have_as_often) {
    const FaultBudget set = parse_faults("crash=1,pause=2");
    for (const char* part : {"none", "crash=1", "pause=2", "crash=1,pause=1"}) {
        EXPECT_TRUE(contains(set, parse_faults(part))) << part;
    }
    for (const char* other : {"crash=2", "pause=3", "retry=1", "pause=1,retry=1"}) {
        EXPECT_FALSE(contains(set, parse_faults(other))) << other;
    }
}

}  // namespace
}  // namespace locklab::fault_sets_test
