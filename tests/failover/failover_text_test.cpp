#include "harness/failover/failover_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace locklab::failover_text_test {
namespace {

using namespace std::chrono_literals;

constexpr FailoverShape kShape{3, 200ms, 30s};

FailoverRun run_of(const FailoverCell& cell, const FailoverOutcome& real,
                   const FailoverOutcome& modelled) {
    FailoverRun run;
    run.cell = cell;
    run.redis = "7.0.15";
    run.drawn = 10ms;
    run.killed = 12ms;
    run.late = 2ms;
    run.promoted = 1500ms;
    run.real = real;
    run.modelled = modelled;
    return run;
}

TEST(FailoverText, has_a_line_for_each_cell_and_what_there_is_to_say) {
    const FailoverCell none{50ms, Safeguard::none};
    const FailoverCell wait{50ms, Safeguard::wait, 2};
    const FailoverOutcome kept{.granted = true};
    const FailoverOutcome lost{.granted = true, .lost = true, .twice = true};
    std::vector<FailoverRun> runs(3, run_of(none, kept, kept));
    runs.push_back(run_of(none, lost, kept));
    runs.push_back(run_of(none, kept, kept));
    runs.back().why_nothing = "The Sentinels did not agree.";
    std::vector<FailoverRun> others(2, run_of(wait, kept, kept));
    others[0].second_refused = "NOREPLICAS";
    others[1].refused = "NOREPLICAS";
    const std::vector<FailoverCount> counts{count_failovers(none, kShape, runs),
                                            count_failovers(wait, kShape, others)};
    const std::string table = failover_table(counts);
    const auto has = [&](const std::string& line) {
        EXPECT_NE(table.find(line + "\n"), std::string::npos) << table;
    };
    has("failovers: a client takes the lock (TTL 30s), and its master is killed within 200ms of "
        "the "
        "answer to SET");
    has("  Redis 7.0.15, 3 Sentinels, down-after-milliseconds 300, seed 3");
    has("  lag                safeguard  runs  granted  lost  lost (95 %)          simulated     "
        "twice  left  promoted after   machine late");
    has("  50ms               none       4     4        1     25 % (4.56 to 69.9)  0 %, outside  "
        "1      0     1500ms (1500ms)  2ms (2ms)");
    has("  50ms (one of two)  wait       1     1        0     0 % (0 to 79.3)      -             "
        "0      0     1500ms (1500ms)  2ms (2ms)");
    has("  50ms, none: in 1 run of 4 the model says something else than the servers");
    has("  50ms, none: 1 run left out: The Sentinels did not agree.");
    has("  50ms (one of two), wait: the master refused the first SET in 1 run, which count for "
        "nothing");
    has("  50ms (one of two), wait: the new master refused the second client in 1 run: NOREPLICAS");
    EXPECT_EQ(table.find("as root"), std::string::npos) << "no machine was late";
    runs.back().why_nothing = "This machine was late by 9ms.";
    const std::vector<FailoverCount> late{count_failovers(none, kShape, runs)};
    EXPECT_NE(failover_table(late).find("or as root, where masters"), std::string::npos);
    EXPECT_EQ(failover_line(counts[0]), "50ms, none: 1 of 4 locks lost: 25 % (4.56 to 69.9)");
    EXPECT_EQ(failover_table({}), "failovers: no cell is finished\n");
}

}  // namespace
}  // namespace locklab::failover_text_test
