#include "harness/core/fault_text.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace locklab::fault_text_test {
namespace {

std::string error_of(const char* text) {
    try {
        parse_faults(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "read";
}

TEST(FaultTextTest, reads_names_with_counts_in_any_order) {
    const FaultBudget budget = parse_faults("pause=2,crash=0,clock_jump=100");
    for (const HazardRow& row : kHazards) {
        const std::uint32_t expected = row.hazard == Hazard::pause        ? 2
                                       : row.hazard == Hazard::clock_jump ? 100
                                                                          : 0;
        EXPECT_EQ(budget[row.hazard], expected) << row.name;
    }
    EXPECT_EQ(parse_faults("none"), FaultBudget());
}

TEST(FaultTextTest, writes_what_it_reads_in_report_order) {
    EXPECT_EQ(to_string(parse_faults("pause=2,crash=1")), "crash=1,pause=2");
    EXPECT_EQ(to_string(parse_faults("pause=0")), "none");
    EXPECT_EQ(to_string(FaultBudget()), "none");
    FaultBudget all;
    for (const HazardRow& row : kHazards) {
        if (row.hazard != Hazard::contention) all[row.hazard] = std::min(3U, most_of(row.hazard));
    }
    EXPECT_EQ(parse_faults(to_string(all)), all);
}

TEST(FaultTextTest, names_what_it_cannot_read_and_what_would_be_right) {
    const std::string count =
        "fault 'pause' needs a count from 0 to 100; right would be pause=1, "
        "several joined by commas, or none";
    for (const char* text : {"pause", "pause=", "pause=x", "pause=-1", "pause=1x", "pause=101",
                             "pause=1=1", "pause= 1"}) {
        EXPECT_EQ(error_of(text), count) << text;
    }
    EXPECT_EQ(error_of("failover=2"),
              "fault 'failover' needs a count from 0 to 1; right would be failover=1, several "
              "joined by commas, or none");
    EXPECT_EQ(error_of("pause=1,pause=1"), "fault 'pause' is given twice");
    EXPECT_EQ(error_of("pause=0,pause=1"), "fault 'pause' is given twice");
    for (const char* text : {"", ",", "pause=1,", ",pause=1", "pause=1,,crash=1", "=1"}) {
        EXPECT_EQ(error_of(text), "the faults '" + std::string(text) +
                                      "' have a place without a name; right would be "
                                      "pause=1,crash=2 or none alone");
    }
    EXPECT_EQ(error_of("none,pause=1").rfind("the faults 'none,pause=1' name some and none", 0),
              0U);
    EXPECT_EQ(error_of("paus=1").rfind("unknown fault 'paus'; did you mean 'pause'?", 0), 0U);
    EXPECT_EQ(error_of("contention=1").rfind("unknown fault 'contention'", 0), 0U);
    EXPECT_EQ(error_of("Pause=1").rfind("unknown fault 'Pause'; did you mean 'pause'?", 0), 0U);
}

}  // namespace
}  // namespace locklab::fault_text_test
