// The cells and the surface of a suite: the command of each counts the same again.

#include <algorithm>
#include <set>
#include <tuple>

#include "tests/cli/cli_whole_suite.h"

namespace locklab::cli_cells_test {
namespace {

class CliSurfaceTest : public CliWholeSuite {};

TEST_F(CliSurfaceTest, the_command_of_each_cell_counts_the_same_again) {
    std::size_t again = 0;
    const Json cells = file("suite.json").at("cells");
    for (const Json& cell : cells) {
        // Of live ones chance decides.
        if (cell.at("verdict") == "not_applicable" || cell.at("world") == "live") continue;
        const std::string command = cell.at("command");
        SCOPED_TRACE(command);
        const Ran ran = paste_there(command + " --json");
        const Json row = parsed(ran.out).at("runs")[0];
        for (const char* key : {"verdict", "runs", "grants", "overlaps", "lost_updates", "stuck",
                                "fence_inversions", "causes", "overlaps_per_1000_grants"}) {
            EXPECT_EQ(row.at(key), cell.at(key)) << key;
        }
        ++again;
    }
    EXPECT_GT(again, 150U);
}

TEST_F(CliSurfaceTest, has_every_lock_and_each_point_can_be_repeated) {
    const Json points = file("surface.json").at("surface");
    // Longest job, TTL, length of the pauses.
    using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    std::map<std::string, std::set<Place>> seen;
    std::set<std::int64_t> jobs;
    std::set<std::string> seeds;
    std::size_t repeated = 0;
    for (const Json& point : points) {
        SCOPED_TRACE(point.at("replay"));
        const std::string command = point.at("replay");
        EXPECT_TRUE(seeds.insert(command.substr(command.rfind(" --seed "))).second)
            << "each square has a seed of its own";
        const std::string lock = point.at("algorithm");
        const Json& ttl = point.at("ttl_us");
        const std::int64_t ttl_us = ttl.is_null() ? 0 : ttl.get<std::int64_t>();
        const std::int64_t pause_us = point.at("pause_length_us");
        jobs.insert(point.at("longest_job_us").get<std::int64_t>());
        EXPECT_TRUE(seen[lock].emplace(point.at("longest_job_us"), ttl_us, pause_us).second);
        EXPECT_EQ(point.at("clients"), 5);
        EXPECT_EQ(point.at("pause_every_us"), pause_us == 0 ? 0 : 5'000'000);
        EXPECT_GE(point.at("grants"), 10);
        if (seen[lock].size() > 2) continue;
        ++repeated;
        const Ran ran = paste_there(point.at("replay").get<std::string>() + " --json");
        const Json row = parsed(ran.out).at("runs")[0];
        for (const char* key :
             {"runs", "grants", "overlaps", "writes", "erased_writes", "erased_per_1000_writes"}) {
            EXPECT_EQ(row.at(key), point.at(key)) << key;
        }
    }
    const Json all = parsed(run({"list", "algorithms", "--json"}).out).at("algorithms");
    const auto locks = static_cast<std::size_t>(
        std::ranges::count_if(all, [](const Json& row) { return row.at("in_all").get<bool>(); }));
    EXPECT_EQ(seen.size(), locks);
    EXPECT_EQ(repeated, 2 * locks);
    for (const auto& [lock, places] : seen) {
        const bool expires = std::get<1>(*places.begin()) > 0;
        EXPECT_EQ(places.size(), expires ? 8U : 4U) << lock;
    }
    // The short jobs end before the smallest TTL, and each lock is seen without pauses, too.
    EXPECT_EQ(jobs, (std::set<std::int64_t>{400'000, 2'000'000}));
    EXPECT_TRUE(seen.at("set_nx_lua").contains({400'000, 500'000, 0}));
}

}  // namespace
}  // namespace locklab::cli_cells_test
