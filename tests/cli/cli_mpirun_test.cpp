// `mpirun -n N locklab explore ...` from outside: the answer of one process, the exit code of the
// contract, one sentence where something is wrong, and nothing left behind.

#include "tests/cli/cli_mpirun.h"

#include "tests/core/places.h"

namespace locklab::cli_mpirun_test {
namespace {

const Words kSmall{"--clients", "2", "--rounds", "1"};

Words with_small(Words words) {
    words.insert(words.end(), kSmall.begin(), kSmall.end());
    return words;
}

TEST_F(CliMpirunTest, what_holds_holds_as_in_one_process) {
    // It deepens by itself, each search in as many states.
    expect_as_in_one_process({"set_nx_lua", "--faults", "crash=1,lose_reply=1"}, {1, 2, 4});
}

TEST_F(CliMpirunTest, what_is_violated_or_stuck_has_the_same_witness) {
    expect_as_in_one_process({"set_nx_lua", "--faults", "pause=1"}, {2, 4});
    expect_as_in_one_process(with_small({"setnx_del", "--faults", "crash=1"}), {2, 4});
    expect_as_in_one_process(with_small({"setnx_expire", "--faults", "crash=1,slow_job=1"}), {2});
}

TEST_F(CliMpirunTest, what_is_unknown_is_unknown) {
    expect_as_in_one_process(with_small({"set_nx_lua", "--faults", "clock_offset=1"}), {2});
    expect_as_in_one_process(with_small({"set_nx_lua", "--faults", "delay_request=9"}), {2});
}

TEST_F(CliMpirunTest, every_lock_and_every_set_of_faults_is_asked_alike) {
    expect_as_in_one_process(with_small({"all", "--faults", "none", "--attempts", "1"}), {2});
    expect_as_in_one_process(with_small({"setnx_del", "--thresholds"}), {2});
}

TEST_F(CliMpirunTest, ranks_have_more_memory_than_one) {
    const Words words{"set_nx_lua", "--faults", "crash=1,retry=1", "--clients", "3",
                      "--rounds",   "1",        "--attempts",      "3",         "--memory",
                      "1",          "--json"};
    Words alone = words;
    alone.insert(alone.begin(), "explore");
    const Ran one = run(alone);
    EXPECT_EQ(parsed(one.out)["why_unknown"], "out of memory") << one.out;
    EXPECT_EQ(one.code, 2);
    const Ran four = explore_in(4, words);
    EXPECT_EQ(parsed(four.out)["verdict"], "holds") << four.out << four.err;
    EXPECT_EQ(four.code, 0);
}

TEST_F(CliMpirunTest, what_ranks_do_not_answer_is_refused) {
    const struct {
        Words words;
        const char* wrong;
        const char* right;
    } refused[] = {{{"set_nx_lua", "--probability"}, "--probability", "without mpirun"},
                   {{"set_nx_lua", "--starvation"}, "--starvation", "without mpirun"},
                   {{"set_nx_lua", "--strategy", "walk"}, "schedules", "--shard I/N"},
                   {{"driver:set_nx_lua"}, "drivers", "without mpirun"},
                   {{"set_nx_lau"}, "set_nx_lau", "set_nx_lua"}};
    for (const auto& one : refused) {
        SCOPED_TRACE(one.wrong);
        expect_one_sentence(explore_in(2, one.words), 64, {one.wrong, one.right});
    }
    expect_one_sentence(explore_in(17, {"set_nx_lua"}), 64, {"17 ranks", "16 at most"});
}

TEST_F(CliMpirunTest, ranks_that_run_something_else_end_all) {
    const auto one = [](const char* faults) {
        return CliMpirunTest::ranks_of(
            1, {built_program(), "explore", "set_nx_lua", "--faults", faults});
    };
    Words both = one("none");
    const Words other = one("crash=1");
    both.push_back(":");
    both.insert(both.end(), other.begin(), other.end());
    expect_one_sentence(mpirun(both), 2, {"rank 1", "another build or command"});
}

TEST_F(CliMpirunTest, a_rank_that_is_killed_ends_all) {
    const std::string traces = root_.path() / "killed";
    const Words search{built_program(), "explore", "set_nx_lua", "--traces", traces,
                       "--clients",     "4",       "--rounds",   "3"};
    Words both = ranks_of(1, search);
    Words killed{":", "-n", "1", "timeout", "-s", "KILL", "3"};
    killed.insert(killed.end(), search.begin(), search.end());
    both.insert(both.end(), killed.begin(), killed.end());
    const Ran ran = mpirun(both);
    EXPECT_NE(ran.code, 0);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(await([&] { return running(traces) == 0; }));
}

TEST_F(CliMpirunTest, an_interrupt_ends_all) {
    const std::string traces = root_.path() / "interrupted";
    Words words = ranks_of(3, {built_program(), "explore", "set_nx_lua", "--traces", traces,
                               "--clients", "4", "--rounds", "3"});
    words.insert(words.begin(), {"--allow-run-as-root", "--oversubscribe"});
    Process process(locklab::mpirun(), words, options_);
    // The first of them makes the folder as the search begins.
    ASSERT_TRUE(await([&] { return std::filesystem::exists(traces); }));
    EXPECT_EQ(running(traces), 1 + 3);
    process.interrupt();
    EXPECT_NE(process.wait().code, 0);
    EXPECT_TRUE(await([&] { return running(traces) == 0; }));
}

}  // namespace
}  // namespace locklab::cli_mpirun_test
