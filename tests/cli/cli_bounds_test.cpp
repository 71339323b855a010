// Inputs that would take the machine with them: each ends in one sentence that names the bound.

#include "harness/core/limits.h"
#include "tests/cli/cli_run.h"

namespace locklab::cli_bounds_test {
namespace {

/// Who holds the lock is gone, and another asks for it every microsecond.
constexpr const char* kEndlessFind =
    R"({"format":"locklab-trace","version":1,"kind":"steps","algorithm":"setnx_del","clients":1,)"
    R"("rounds":1,"attempts":1,"faults":"crash=1","ttl_us":30000000,"renewal_us":0,)"
    R"("clock_unit_us":1000,"job_us":1000,"wait_us":1,"command_timeout_us":1000,"slow_job_us":0,)"
    R"("pause_us":30000000,"delay_us":0,"clock_us":0,"clock_offsets_us":[0],"newcomer":true,)"
    R"("steps":["A wake","A send","A take","A crash"]})";

class CliBoundsTest : public CliTest {};

TEST_F(CliBoundsTest, a_find_whose_newcomer_never_stops_is_ended) {
    put_file(here_ / "find.json", kEndlessFind);
    expect_sentence(run({"replay", "find.json"}), 2,
                    {"after " + std::to_string(kMostMoves) + " moves", "wait_us"});
}

TEST_F(CliBoundsTest, a_trace_that_is_nested_without_end_is_refused) {
    put_file(here_ / "deep", std::string(3'000'000, '['));
    expect_refused({"replay", "deep"}, {"deep:1:", std::to_string(kDeepestJson) + " deep"});
    put_file(here_ / "deep", "{\"kind\":" + std::string(3'000'000, '['));
    expect_refused({"replay", "deep"}, {"deep:1:", std::to_string(kDeepestJson) + " deep"});
}

TEST_F(CliBoundsTest, endless_files_are_refused) {
    expect_refused({"replay", "/dev/zero"}, {"/dev/zero", std::to_string(kMostTrace) + " bytes"});
    expect_refused({"check", "/dev/zero"}, {"/dev/zero:1:", std::to_string(kLongestLine)});
    expect_refused({"scenario", "/dev/zero"}, {"/dev/zero"});
}

TEST_F(CliBoundsTest, a_history_of_clients_that_never_leave_is_judged) {
    std::string history;
    for (std::size_t i = 0; i < 1'000; ++i) {
        history += R"({"t_us":)" + std::to_string(i) + R"(,"client":)" + std::to_string(i) +
                   R"(,"event":"granted"})" + "\n";
    }
    put_file(here_ / "h", history + R"({"t_us":2000,"client":0,"event":"leaving"})");
    const Ran ran = run({"check", "h", "--json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("overlaps"), 499'500);
    EXPECT_EQ(json.at("without_cause"), 499'500 - kMostOverlaps);
}

#ifndef LOCKLAB_SMALL_BOUNDS  // a sanitizer needs terabytes of addresses, and thrice the time
/// One client holds the lock for almost a second; the others ask for it every microsecond.
constexpr const char* kEndlessRun =
    R"({"format":"locklab-trace","version":1,"algorithm":"set_nx_lua","seed":1,"run":0,)"
    R"("clients":3,"grants":30,"faults":"none","latency":"constant:1us","wait":"fixed",)"
    R"("ttl_us":10000000,"retry_us":1,"give_up_us":0,"renewal_us":0,"clock_unit_us":1000,)"
    R"("job_least_us":900000,"job_most_us":900000,"job_limit_us":0,"think_least_us":0,)"
    R"("think_most_us":0,"away_least_us":0,"away_most_us":0,"wait_us":1,"scale_us":1000000,)"
    R"("command_timeout_us":100000,"patience_us":1000000,"picks":[]})";

TEST_F(CliBoundsTest, a_run_that_never_ends_is_ended) {
    put_file(here_ / "run.json", kEndlessRun);
    expect_sentence(run({"replay", "run.json"}), 2,
                    {std::to_string(kMostEvents) + " events", "wait_us"});
}

TEST_F(CliBoundsTest, a_verb_that_runs_out_of_memory_says_so) {
    options_.memory_limit = 300'000'000;
    put_file(here_ / "run.json", kEndlessRun);
    expect_sentence(run({"replay", "run.json"}), 2, {"out of memory"});
    const Ran campaign = run({"campaign", "set_nx_lua", "--faults", "none", "--clients", "10000",
                              "--grants-per-run", "1000000", "--ttl", "10s", "--retry", "10ms"});
    expect_sentence(campaign, 2, {"out of memory"});
    const Ran search =
        run({"explore", "set_nx_lua", "--clients", "3", "--rounds", "3", "--attempts", "3",
             "--faults", "crash=1,lose_reply=1,lose_request=1", "--threads", "2", "--json"});
    EXPECT_EQ(search.code, 2) << search.err;
    EXPECT_EQ(parsed(search.out).at("why_unknown"), "out of memory") << search.err;
}
#endif

}  // namespace
}  // namespace locklab::cli_bounds_test
