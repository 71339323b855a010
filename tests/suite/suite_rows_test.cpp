// The rows of a suite's files, written and read back, each of something that was run.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "algorithms/registry.h"
#include "harness/play/scenario_plays.h"
#include "harness/play/strategies.h"
#include "harness/play/threshold_text.h"
#include "harness/stage/scenario_reader.h"
#include "harness/suite/bench_row.h"
#include "harness/suite/explored_row.h"
#include "harness/suite/play_row.h"
#include "harness/suite/races.h"
#include "harness/suite/run_row.h"
#include "harness/suite/threshold_row.h"
#include "tests/core/places.h"
#include "tests/explore/search_bounds.h"

namespace locklab::suite_rows_test {
namespace {

/// Its JSON is that of what is read from it.
template <class Row>
Row read_back(const Row& row) {
    const std::string text = to_json(row).dump(1);
    Row read;
    read_row(nlohmann::ordered_json::parse(text), read);
    EXPECT_EQ(to_json(read).dump(1), text);
    return read;
}

ThresholdRow thresholds_of(const char* lock, bool in_suite, std::uint32_t in_silence = 0) {
    const Algorithm& algorithm = *algorithm_named(lock);
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = 2;
    bounds.attempts = 1;
    bounds.attempts_in_silence = in_silence;
    const ThresholdPair found = find_thresholds(algorithm, {{bounds}, 1}, SearchLimits(),
                                                kNeverStopped, [](const SearchProgress&) {});
    ThresholdRow row =
        threshold_row(found.exclusion, threshold_witnesses(found.exclusion, testing::TempDir()));
    if (in_suite) row.most_faults = 1;
    return row;
}

TEST(SuiteRows, thresholds) {
    const ThresholdRow row = thresholds_of("set_nx_lua", true);
    ASSERT_FALSE(row.minimal.empty());
    ASSERT_FALSE(row.harmless.empty());
    ASSERT_FALSE(row.coverage.struck.empty());
    const ThresholdRow read = read_back(row);
    EXPECT_EQ(read.minimal[0].least, row.minimal[0].least);
    EXPECT_EQ(read.minimal[0].search.leaves, row.minimal[0].search.leaves);
    EXPECT_EQ(read.most_faults, 1U);
    const auto alone = to_json(read_back(thresholds_of("set_nx_lua", false)));
    EXPECT_FALSE(alone.contains("seconds")) << "is a suite's";
}

TEST(SuiteRows, a_table_of_sets_has_each_with_the_bounds_that_it_was_asked_within) {
    ThresholdRow row = thresholds_of("set_nx_lua", true);
    row.brief_searches.at(0).clients = 3;
    row.harmless_briefly = {"x=1"};
    const auto sets = threshold_sets({row});
    ASSERT_EQ(sets.size(), row.minimal.size() + row.harmless.size() + row.unknown.size() + 1);
    EXPECT_EQ(sets.front().at("faults"), row.minimal[0].faults);
    EXPECT_EQ(sets.front().at("verdict"), "violated");
    EXPECT_EQ(sets.at(row.minimal.size()).at("clients"), 2);
    EXPECT_EQ(sets.back().at("faults"), "x=1");
    EXPECT_EQ(sets.back().at("clients"), 3);
    EXPECT_EQ(sets.back().at("verdict"), "holds");
}

TEST(SuiteRows, a_search_in_which_a_server_hangs_may_have_fewer_tries) {
    ThresholdRow row = thresholds_of("set_nx_lua", true);
    row.searches.at(0).attempts = 3;
    row.brief_searches.at(0).attempts = 3;
    row.attempts_in_silence = 2;
    row = read_back(row);
    EXPECT_EQ(row.attempts_in_silence, 2U);
    row.harmless = {"crash=1", "freeze=1", "crash=1,partition=1"};
    row.harmless_briefly = {"partition=1", "pause=1"};
    std::map<std::string, int> attempts;
    for (const auto& set : threshold_sets({row})) {
        if (set.at("verdict") == "holds") attempts[set.at("faults")] = set.at("attempts");
    }
    const std::map<std::string, int> expected{{"crash=1", 3},
                                              {"freeze=1", 2},
                                              {"crash=1,partition=1", 2},
                                              {"partition=1", 2},
                                              {"pause=1", 3}};
    EXPECT_EQ(attempts, expected);
    EXPECT_FALSE(to_json(thresholds_of("set_nx_lua", true)).contains("attempts_in_silence"));
    EXPECT_EQ(thresholds_of("set_nx_lua", true, 1).attempts_in_silence, 1U);
}

TEST(SuiteRows, what_a_search_came_to) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Bounds bounds = bounds_for(lock);
    bounds.clients = 2;
    bounds.attempts = 1;
    const auto vacuous = to_json(explored_row(explore_plainly(lock, bounds, 1000, Watcher())));
    EXPECT_TRUE(vacuous["exhausted"].get<bool>());
    EXPECT_TRUE(vacuous["vacuous"].get<bool>());
    EXPECT_EQ(vacuous["proofs"].size(), 1U);
    EXPECT_TRUE(vacuous["witness"].is_null());
    EXPECT_FALSE(vacuous.contains("witness_steps"));
    bounds.faults[Hazard::pause] = 1;
    RandomLimits limits;
    limits.schedules = 3000;
    Explored found = explore_randomly(lock, bounds, limits, Watcher());
    ASSERT_EQ(found.result.verdict, Verdict::violated);
    show_witness(found, testing::TempDir());
    const auto random = to_json(explored_row(found));
    EXPECT_EQ(random["seed"], limits.seed);
    EXPECT_EQ(random["witness"], found.trace);
    EXPECT_EQ(random["witness_faults"], 1);
    EXPECT_EQ(random["cause"], "expired_while_held");
    EXPECT_FALSE(random.contains("proofs"));
    limits.schedules = 200;
    limits.count = true;
    const auto counted = to_json(explored_row(explore_randomly(lock, bounds, limits, Watcher())));
    EXPECT_TRUE(counted["coverage"]["sets_ttl"].get<bool>());
    EXPECT_GT(counted["violated_share"]["high"], counted["violated_share"]["low"]);
}

TEST(SuiteRows, plays_and_races) {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    std::vector<Scenario> scenarios = read_scenarios(source_dir() + "/scenarios", names);
    scenarios.resize(2);
    std::vector<PlayedScenario> plays = expected_plays(scenarios);
    play_all(plays, {});
    plays.push_back(plays.back());
    plays.back().done = false;
    plays.back().expected = nullptr;
    plays.back().trace = "x.json";
    for (const PlayedScenario& played : plays) {
        const PlayRow row = play_row(played);
        const PlayRow read = read_back(row);
        EXPECT_EQ(read.expected, row.expected);
        EXPECT_EQ(read.agrees_with_sim, row.agrees_with_sim);
        EXPECT_EQ(read.trace, row.trace);
    }
    const std::vector<RaceRow> races = races_of(plays);
    ASSERT_EQ(races.size(), 2U);
    for (const RaceRow& race : races) {
        const RaceRow read = read_back(race);
        EXPECT_EQ(read.scene.steps.size(), race.scene.steps.size());
        EXPECT_FALSE(read.scene.steps.empty());
        EXPECT_EQ(read.outcomes.size(), race.outcomes.size());
    }
    const WitnessRow witness{"set_nx_lua", Hazard::pause, Verdict::violated, 9, 2,
                             "clock",      "replay",      races[0].scene};
    EXPECT_EQ(read_back(witness).hazard, Hazard::pause);
}

TEST(SuiteRows, what_a_run_is) {
    RunRow run;
    run.started = "2026-11-20T12:00:00Z";
    run.missing = {{"live runs", "no redis-server"}};
    run.left_out = {{"bench", "what each lock costs"}};
    run.took = {{"sim", 1.5, 2.75, {}, {}}, {"live", 3, 4, "abc", "2026-11-20T12:00:00Z"}};
    run.parameters.sim.latency = "instant";
    run.parameters.live.server = "host:1";
    run.identity = {"digest", "quick", 1000, 40, 7, "", "3/8"};
    run.merged_from = 8;
    run.digests = {{"suite.json", "00"}, {"cells.csv", "01"}};
    const RunRow read = read_back(run);
    EXPECT_EQ(read.identity, run.identity);
    EXPECT_EQ(read.merged_from, run.merged_from);
    EXPECT_EQ(read.digests, run.digests);
    EXPECT_FALSE(read.resumed);
    EXPECT_EQ(read.left_out.at(0).title, "what each lock costs");
    EXPECT_EQ(read.took.at(0).processor_seconds, 2.75);
    EXPECT_EQ(read.took.at(0).commit, std::nullopt);
    EXPECT_EQ(read.took.at(1).commit, "abc");
    EXPECT_EQ(read.took.at(1).started, "2026-11-20T12:00:00Z");
    run.resumed = {"later"};
    EXPECT_EQ(read_back(run).resumed, run.resumed);
    IdentityRow other;
    read_row(to_json(run).at("identity"), other);
    EXPECT_EQ(other, run.identity);
    for (const char* key : {"program", "mode", "sim_runs", "live_runs", "seed", "redis"}) {
        auto json = to_json(run).at("identity");
        json[key].is_string() ? json[key] = "another" : json[key] = 1;
        read_row(json, other);
        EXPECT_NE(other, run.identity) << key;
    }
}

TEST(SuiteRows, benchmarks) {
    BenchmarkRow row;
    row.name = "live/contended/lock:x/clients:2";
    row.parts = {{"suite", "live/contended"}, {"lock", "x"}, {"clients", "2"}};
    row.repetitions = 6;
    row.time_us = {12.5, 12.0, 13.0, 6};
    row.figures["ratio_to_floor"] = {0.97, 0.96, 0.99, 6};
    row.time_us.values = {13.0, 12.0, 12.5};
    row.figures["jain"] = {1, std::nullopt, std::nullopt, 1};
    BenchmarkRow failed;
    failed.name = "live/x";
    failed.error = "no server";
    const BenchRows bench{{row, failed}, {"noisy"}, {{"redis", "7.0"}}};
    const BenchRows read = read_back(bench);
    EXPECT_EQ(read.rows.at(0).parts, row.parts);
    EXPECT_EQ(read.rows.at(0).figures.at("ratio_to_floor").high, 0.99);
    EXPECT_EQ(read.rows.at(0).time_us.values, row.time_us.values) << "in the order measured";
    EXPECT_EQ(read.rows.at(1).error, "no server");
    EXPECT_EQ(read.versions, bench.versions);
    EXPECT_EQ(to_json(row).at("ratio"), "0.97 (0.96 to 0.99)");
    read_back(BenchRows());
}

}  // namespace
}  // namespace locklab::suite_rows_test
