// Failovers that are made by a function, and not by servers.

#include "harness/failover/failover_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>

#include "harness/live/temp_folder.h"
#include "harness/record/json_line.h"

namespace locklab::failover_plan_test {
namespace {

using namespace std::chrono_literals;

class FailoverPlanTest : public testing::Test {
protected:
    FailoverPlanTest() {
        plan_.parts = {{{0ms, Safeguard::none}, 5}, {{50ms, Safeguard::wait}, 3}};
        plan_.at_once = 3;
    }
    FailoverMaker maker() {
        return [this](const FailoverCell& cell, const FailoverShape& shape, std::uint64_t number) {
            FailoverRun run;
            run.cell = cell;
            run.shape = shape;
            run.run = number;
            run.real.granted = true;
            run.real.lost = cell.lag > 0ms && number == 1;
            if (number == shows_nothing_) run.why_nothing = "There was no server.";
            const std::lock_guard guard(mutex_);
            made_.push_back(number);
            stop_ = made_.size() >= stops_after_;
            return run;
        };
    }
    std::vector<FailoverCount> measure() {
        FailoverFile file(path());
        Watcher watcher;
        watcher.stop = &stop_;
        const auto hears = [this](const FailoverCount& count) { ended_.push_back(count); };
        return measure_failovers(plan_, file, watcher, hears, maker());
    }
    std::filesystem::path path() const { return folder_.path() / "failovers.jsonl"; }

    TempFolder folder_{"locklab-test"};
    FailoverPlan plan_;
    std::mutex mutex_;
    std::vector<std::uint64_t> made_;
    std::size_t stops_after_ = 1000;
    std::uint64_t shows_nothing_ = 1000;
    std::atomic<bool> stop_{false};
    std::vector<FailoverCount> ended_;
};

TEST_F(FailoverPlanTest, each_cell_has_its_runs_and_is_told_as_it_ends) {
    const std::vector<FailoverCount> counts = measure();
    ASSERT_EQ(counts.size(), 2u);
    EXPECT_EQ(counts[0].runs, 5u);
    EXPECT_EQ(counts[0].real.lost, 0u);
    EXPECT_EQ(counts[1].runs, 3u);
    EXPECT_EQ(counts[1].real.lost, 1u);
    EXPECT_EQ(counts[1].cell, plan_.parts[1].cell);
    EXPECT_EQ(ended_.size(), 2u);
    std::ranges::sort(made_);
    EXPECT_EQ(made_, (std::vector<std::uint64_t>{0, 0, 1, 1, 2, 2, 3, 4}));
}

TEST_F(FailoverPlanTest, a_stopped_measurement_goes_on_with_what_it_lacks) {
    plan_.at_once = 1;
    stops_after_ = 6;
    EXPECT_EQ(measure().size(), 1u);
    EXPECT_EQ(made_.size(), 6u);
    made_.clear();
    stop_ = false;
    const std::vector<FailoverCount> counts = measure();
    ASSERT_EQ(counts.size(), 2u);
    EXPECT_EQ(made_, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(counts[1].real.lost, 1u);
    made_.clear();
    EXPECT_EQ(measure().size(), 2u);
    EXPECT_TRUE(made_.empty());
}

TEST_F(FailoverPlanTest, runs_of_another_cell_or_seed_do_not_count) {
    measure();
    made_.clear();
    plan_.shape.seed = 2;
    measure();
    EXPECT_EQ(made_.size(), 8u);
    made_.clear();
    plan_.parts[0].cell.lag = 1ms;
    measure();
    EXPECT_EQ(made_.size(), 5u);
}

TEST_F(FailoverPlanTest, what_showed_nothing_is_made_again_by_the_same_command) {
    shows_nothing_ = 2;
    EXPECT_EQ(measure()[0].nothing, 1u);
    made_.clear();
    shows_nothing_ = 1000;
    const std::vector<FailoverCount> counts = measure();
    EXPECT_EQ(made_, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_EQ(counts[0].nothing, 0u);
    EXPECT_EQ(counts[0].runs, 5u);
}

TEST_F(FailoverPlanTest, a_line_that_was_cut_off_is_made_again_and_another_one_is_refused) {
    measure();
    std::string text;
    {
        std::ifstream in(path());
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::ofstream(path()) << text.substr(0, text.size() - 20);
    made_.clear();
    measure();
    EXPECT_EQ(made_.size(), 1u);
    std::ofstream(path()) << "{}\n" << text;
    try {
        FailoverFile file(path());
        ADD_FAILURE() << "it was not refused";
    } catch (const FormatError& error) {
        EXPECT_NE(std::string(error.what()).find(":1: is no failover"), std::string::npos)
            << error.what();
    }
}

TEST_F(FailoverPlanTest, what_a_maker_throws_ends_the_measurement) {
    FailoverFile file(path());
    const auto throws = [](const FailoverCell&, const FailoverShape&,
                           std::uint64_t) -> FailoverRun { throw std::logic_error("no"); };
    EXPECT_THROW(measure_failovers(
                     plan_, file, {}, [](const FailoverCount&) {}, throws),
                 std::logic_error);
}

}  // namespace
}  // namespace locklab::failover_plan_test
