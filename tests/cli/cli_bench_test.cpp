// locklab bench from outside, each suite so small that it shows only that it works.

#include <set>

#include "algorithms/registry.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_bench_test {
namespace {

class CliBenchTest : public CliTest {
protected:
    Json bench(const std::string& filter, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"bench",
                                       "--small",
                                       "--json",
                                       "--benchmark_repetitions=1",
                                       "--benchmark_min_time=0.001",
                                       "--benchmark_filter=" + filter};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return parsed(ran.out);
    }

    static double figure(const Json& row, const std::string& name) {
        const Json& figures = row.at("figures");
        return figures.contains(name) ? figures.at(name).at("value").get<double>() : -1;
    }
    /// Whether the row's lock sends Redis anything, which its figures are to show.
    static bool is_on_redis(const Json& row) {
        const bool is = algorithm_named(row.at("lock").get<std::string>())->on_redis();
        EXPECT_EQ(is, figure(row, "commands_per_grant") > 0) << row;
        return is;
    }
};

/// What every suite that has a row for each lock must say of it.
void expect_a_row_for_every_lock(const Json& rows) {
    std::set<std::string> seen;
    for (const Json& row : rows) {
        EXPECT_TRUE(row.at("error").is_null()) << row;
        EXPECT_EQ(row.at("repetitions"), 1) << row;
        EXPECT_GT(row.at("time_us").at("value").get<double>(), 0) << row;
        EXPECT_TRUE(row.at("time_us").at("low").is_null()) << "one value has no interval";
        seen.insert(row.at("lock").get<std::string>());
    }
    for (const Algorithm& lock : algorithms()) {
        EXPECT_TRUE(seen.contains(std::string(lock.name))) << lock.name;
    }
}

TEST_F(CliBenchTest, uncontended_measures_every_lock_everywhere_and_splits_what_a_grant_takes) {
    const Json rows = bench("live/uncontended/").at("rows");
    expect_a_row_for_every_lock(rows);
    std::set<std::string> where;
    for (const Json& row : rows) {
        where.insert(row.at("over").get<std::string>() + " " + row.at("cpus").get<std::string>());
        if (!is_on_redis(row)) continue;
        EXPECT_NEAR(figure(row, "ratio_to_floor") * figure(row, "floor_per_s"),
                    figure(row, "grants_per_s"), 1)
            << row;
        const double parts = figure(row, "network_us") + figure(row, "server_us") +
                             figure(row, "harness_us") + figure(row, "lock_us");
        EXPECT_NEAR(parts, row.at("time_us").at("value").get<double>(), 0.01) << row;
        EXPECT_GT(figure(row, "server_cpu_us"), 0) << row;
    }
    EXPECT_TRUE(where.contains("unix same"));
    EXPECT_TRUE(where.contains("tcp same"));
    EXPECT_EQ(where.size() % 2, 0U);
}

TEST_F(CliBenchTest, distinct_measures_every_lock_against_the_asynchronous_floor) {
    const Json rows = bench("live/distinct/").at("rows");
    expect_a_row_for_every_lock(rows);
    for (const Json& row : rows) {
        if (!is_on_redis(row)) continue;
        EXPECT_GT(figure(row, "floor_per_s"), 0) << row;
        EXPECT_NEAR(figure(row, "ratio_to_floor") * figure(row, "floor_per_s"),
                    figure(row, "grants_per_s"), 1)
            << row;
    }
}

TEST_F(CliBenchTest, contended_measures_waits_fairness_and_commands) {
    const Json rows = bench("live/contended/").at("rows");
    expect_a_row_for_every_lock(rows);
    std::set<std::string> policies;
    for (const Json& row : rows) {
        policies.insert(row.at("wait").get<std::string>());
        EXPECT_GE(figure(row, "wait_max_us"), figure(row, "wait_p50_us")) << row;
        EXPECT_GT(figure(row, "jain"), 0) << row;
        EXPECT_LE(figure(row, "jain"), 1) << row;
        EXPECT_GE(figure(row, "overlaps_per_1000"), 0) << row;
    }
    EXPECT_EQ(policies, (std::set<std::string>{"exponential", "fixed", "jitter"}));
}

TEST_F(CliBenchTest, what_can_be_chosen_is_in_the_names) {
    const Json rows =
        bench("live/contended/lock:set_nx_lua/clients:2/",
              {"--hold", "2ms", "--think", "1ms", "--retry", "3ms", "--wait", "fixed"})
            .at("rows");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_NE(rows[0].at("name").get<std::string>().find("hold:2ms/think:1ms/wait:fixed/retry:3ms"),
              std::string::npos);
}

TEST_F(CliBenchTest, arrivals_and_recovery_measure_every_lock) {
    expect_a_row_for_every_lock(bench("live/arrivals/").at("rows"));
    const Json rows = bench("live/recovery/").at("rows");
    expect_a_row_for_every_lock(rows);
    for (const Json& row : rows) {
        EXPECT_GT(figure(row, "crashes"), 0) << row;
        // Only SETNX without a TTL leaves everybody waiting for ever.
        EXPECT_EQ(figure(row, "recovered") == 0, row.at("lock") == "setnx_del") << row;
    }
}

TEST_F(CliBenchTest, many_clients_work_in_one_process_and_are_small) {
    const Json rows = bench("live/clients/").at("rows");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(figure(rows[0], "clients_without_a_grant"), 0);
#ifndef LOCKLAB_SMALL_BOUNDS  // under a sanitizer the heap does not tell
    EXPECT_GT(figure(rows[0], "bytes_per_client"), 1000);
#endif
    EXPECT_LT(figure(rows[0], "bytes_per_client"), 64 * 1024);
}

TEST_F(CliBenchTest, redis_own_tool_stands_beside) {
    const Json rows = bench("live/redis_benchmark/").at("rows");
    ASSERT_EQ(rows.size(), 6U);
    for (const Json& row : rows) EXPECT_GT(figure(row, "commands_per_s"), 0) << row;
}

TEST_F(CliBenchTest, the_proxy_is_measured_beside_a_direct_connection_and_a_relay) {
    const Json rows = bench("live/proxy/").at("rows");
    ASSERT_EQ(rows.size(), 3U);
    for (const Json& row : rows) {
        EXPECT_GT(figure(row, "ratio_to_direct"), 0) << row;
        EXPECT_GT(figure(row, "ratio_to_relay"), 0) << row;
        EXPECT_GT(figure(row, "proxy_cpu_us"), 0) << row;
        EXPECT_GT(figure(row, "relay_cpu_us"), 0) << row;
    }
}

TEST_F(CliBenchTest, the_plane_has_every_lock_and_is_the_same_for_the_same_seed) {
    const Json rows = bench("sim/plane/").at("rows");
    expect_a_row_for_every_lock(rows);
    EXPECT_EQ(bench("sim/plane/").at("rows"), rows);
}

TEST_F(CliBenchTest, the_simulator_and_the_explorer_are_measured_and_the_machine_is_named) {
    const Json json = bench("sim/step|explore/");
    std::string names;
    for (const Json& row : json.at("rows")) {
        EXPECT_TRUE(row.at("error").is_null()) << row;
        names += row.at("name").get<std::string>() + "\n";
    }
    EXPECT_EQ(json.at("benchmarks").size(), json.at("rows").size());
    EXPECT_LT(names.find("sim/step/3\n"), names.find("sim/step/10000\n"));
    EXPECT_NE(names.find("explore/schedules/walk"), std::string::npos);
    for (const char* key : {"locklab", "commit", "compiler", "machine_cpu", "machine_cores",
                            "machine_governor", "redis", "hiredis", "libuv"}) {
        EXPECT_TRUE(json.at("context").contains(key)) << key;
    }
}

TEST_F(CliBenchTest, the_tables_name_what_differs) {
    const Ran ran = run({"bench", "--small", "--benchmark_repetitions=6",
                         "--benchmark_filter=live/uncontended/lock:set_nx_lua/over:unix"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out.find("live/uncontended, medians of 6 (95 % intervals)\n"), 0U) << ran.out;
    EXPECT_NE(ran.out.find("ratio_to_floor"), std::string::npos);
    EXPECT_NE(ran.out.find("set_nx_lua"), std::string::npos);
}

TEST_F(CliBenchTest, a_process_of_a_lock_is_measured_beside_another_and_the_floor) {
    const Json rows = bench("drivers/", {"driver:set_nx_lua"}).at("rows");
    ASSERT_EQ(rows.size(), 2U);
    for (const Json& row : rows) {
        EXPECT_TRUE(row.at("error").is_null()) << row;
        EXPECT_EQ(row.at("driver"), "set_nx_lua");
        EXPECT_GT(figure(row, "grants_per_s"), 0) << row;
    }
    const Json& alone = rows[0];
    EXPECT_EQ(alone.at("name"), "drivers/uncontended/driver:set_nx_lua/over:tcp");
    EXPECT_EQ(figure(alone, "commands_per_grant"), 2);
    const double time = alone.at("time_us").at("value").get<double>();
    EXPECT_GE(figure(alone, "pair_p99_us"), time);
    EXPECT_GT(figure(alone, "floor_per_s"), 0);
    EXPECT_NEAR(figure(alone, "ratio_to_floor") * time, figure(alone, "floor_p50_us"), 0.01);
    EXPECT_NEAR(figure(alone, "ratio_to_like") * time, figure(alone, "like_p50_us"), 0.01);
    EXPECT_GT(figure(alone, "like_p50_us"), 0);
    const Json& contended = rows[1];
    EXPECT_EQ(contended.at("clients"), "2");
    EXPECT_EQ(contended.at("wait"), "jitter");
    EXPECT_GE(figure(contended, "commands_per_grant"), 1);
    EXPECT_GE(figure(contended, "wait_max_us"), figure(contended, "wait_p50_us"));
    EXPECT_GT(figure(contended, "jain"), 0);
    EXPECT_LE(figure(contended, "jain"), 1);
}

TEST_F(CliBenchTest, a_library_is_measured_beside_the_lock_that_it_is_like) {
    namespace fs = std::filesystem;
    fs::copy(fs::path(source_dir()) / "tests/data/drivers", home_ / "drivers",
             fs::copy_options::recursive);
    expect_refused({"bench", "lib:fake"}, {"lib:fake is not installed", "libraries install fake"});
    ASSERT_EQ(run({"libraries", "install", "fake"}).code, 0);
    const Json json = bench("drivers/uncontended", {"lib:fake"});
    EXPECT_EQ(json.at("context").at("lib:fake"), "1");
    ASSERT_EQ(json.at("rows").size(), 1U);
    const Json& row = json.at("rows").at(0);
    EXPECT_TRUE(row.at("error").is_null()) << row;
    EXPECT_EQ(row.at("lib"), "fake");
    EXPECT_EQ(figure(row, "commands_per_grant"), 2);
    EXPECT_GT(figure(row, "ratio_to_like"), 0);
    const Ran table = run({"bench", "libraries", "--small", "--benchmark_repetitions=1",
                           "--benchmark_filter=drivers/uncontended"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("\n  fake "), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("is not counted"), std::string::npos) << table.out;
}

TEST_F(CliBenchTest, what_it_cannot_measure_as_processes_is_a_sentence) {
    use_sources();
    expect_refused({"bench", "set_nx_lua"}, {"lock:set_nx_lua/", "driver:set_nx_lua"});
    expect_refused({"bench", "nonsense"}, {"'nonsense'", "lib:NAME"});
    expect_refused({"bench", "driver:set_nx_lu"}, {"'set_nx_lu'", "'set_nx_lua'"});
    expect_refused({"bench", "lib:redis-pie"}, {"redis-pie", "redis-py"});
    expect_refused({"bench", "driver:set_nx_lua", "--redis", "127.0.0.1:1"},
                   {"a redis-server of their own", "leave out --redis"});
}

TEST_F(CliBenchTest, what_fits_nothing_is_bad_usage) {
    const Ran ran = run({"bench", "--benchmark_filter=no_such_thing", "--json"});
    EXPECT_EQ(ran.code, 64);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("no_such_thing"), std::string::npos);
}

}  // namespace
}  // namespace locklab::cli_bench_test
