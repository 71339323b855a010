// witnesses.json of a suite: the searches' shortest witnesses, as `replay` tells them.

#include <set>

#include "tests/cli/cli_whole_suite.h"
#include "tests/view/told_lines.h"

namespace locklab::cli_witnesses_test {
namespace {

class CliWitnessesTest : public CliWholeSuite {};

TEST_F(CliWitnessesTest, are_the_shortest_that_the_thresholds_have) {
    const Json thresholds = file("thresholds.json").at("thresholds");
    std::map<std::vector<std::string>, std::size_t> shortest;
    for (const Json& row : thresholds) {
        for (const Json& set : row.at("minimal")) {
            const std::string faults = set.at("faults");
            if (faults.find(',') != std::string::npos) continue;
            const std::string hazard =
                faults == "none" ? "contention" : faults.substr(0, faults.find('='));
            std::size_t& least = shortest[{row.at("algorithm"), hazard, set.at("verdict")}];
            const std::size_t length = set.at("steps");
            least = least == 0 ? length : std::min(least, length);
        }
    }
    const Json witnesses = file("witnesses.json").at("witnesses");
    EXPECT_EQ(witnesses.size(), shortest.size());
    EXPECT_GT(witnesses.size(), 20U);
    std::size_t number = 0;
    for (const Json& row : witnesses) {
        SCOPED_TRACE(row.at("replay"));
        const std::vector<std::string> key{row.at("algorithm"), row.at("hazard"),
                                           row.at("verdict")};
        EXPECT_EQ(shortest[key], row.at("length").get<std::size_t>());
        // Every fifth, for all take long.
        if (number++ % 5 != 0) continue;
        const Ran ran = paste_there(row.at("replay"));
        EXPECT_EQ(ran.code, 1) << ran.err;
        EXPECT_EQ(misfit_of(ran.out, told_in(row.at("steps"))), "") << ran.out;
        if (key[2] == "violated") {
            EXPECT_NE(row.at("cause"), "");
        }
    }
}

}  // namespace
}  // namespace locklab::cli_witnesses_test
