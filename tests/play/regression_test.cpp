// Finds that are kept: each must be seen again, and be found again at the same length.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/check/judge.h"
#include "harness/explore/exhaustive.h"
#include "harness/play/explore_trace.h"
#include "harness/stage/sim_world.h"
#include "tests/core/places.h"

namespace locklab::regression_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> traces() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(source_dir() + "/tests/regressions")) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Regression : public testing::TestWithParam<fs::path> {};

/// A file is called VERDICT.ALGORITHM.FAULTS.json.
TEST_P(Regression, is_seen_and_found_again) {
    std::ifstream file(GetParam());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string name = GetParam().filename().string();
    const Find find = read_find(text, name);
    const std::string verdict = name.substr(0, name.find('.'));

    SimWorld world;
    const Judgement judgement = judge(play_steps(find, world, Key{"lock"}).history);
    EXPECT_EQ(name_of(judgement.verdict), verdict);

    const std::atomic<bool> go_on{false};
    const SearchResult found = search_exhaustively(*find.algorithm, find.bounds, SearchLimits(),
                                                   go_on, [](const SearchProgress&) {});
    EXPECT_EQ(name_of(found.verdict), verdict);
    EXPECT_EQ(found.witness.steps.size(), find.steps.size());
    EXPECT_EQ(to_json(find), text) << "what is written is what was read";
}

INSTANTIATE_TEST_SUITE_P(Kept, Regression, testing::ValuesIn(traces()), [](const auto& trace) {
    std::string name = trace.param.stem().string();
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

}  // namespace
}  // namespace locklab::regression_test
