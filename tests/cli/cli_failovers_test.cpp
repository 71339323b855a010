// locklab failovers from outside.

#include <filesystem>

#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_failovers_test {
namespace {

class CliFailoversTest : public CliTest {
protected:
    static Words failovers(const Words& more) {
        Words words{"failovers", "--lag", "100ms", "--safeguards", "none",
                    "--within",  "1ms",   "--out", "here"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(CliFailoversTest, what_cannot_be_asked_is_refused_in_one_sentence) {
    expect_refused({"failovers", "--lag", "5ms,soon"}, {"'soon'", "--lag 0ms,5ms,50ms"});
    expect_refused({"failovers", "--lag", "2s"}, {"'2s'", "at most 1s"});
    expect_refused({"failovers", "--safeguards", "wiat"}, {"'wiat'", "Known: none, wait"});
    expect_refused({"failovers", "--ttl", "3s"}, {"--ttl", "at least 15s"});
    expect_refused({"failovers", "--within", "1min"}, {"--within", "at most 5s"});
    expect_refused({"failovers", "--replicas", "3"}, {"--replicas"});
    expect_refused({"failovers", "--runs", "0"}, {"--runs"});
    expect_refused({"failovers", "--server", "valkay"}, {"valkay", "valkey"});
}

/// The machine may be so late that a failover shows nothing; the same command makes that one again.
TEST_F(CliFailoversTest, a_lost_lock_is_exit_code_1_and_is_kept_in_the_folder) {
    const Ran first = run_to_a_verdict(failovers({"--runs", "1", "--json"}));
    EXPECT_EQ(first.code, 1) << first.err;
    const Json json = parsed(first.out);
    ASSERT_EQ(json.at("failovers").size(), 1U);
    const Json& cell = json.at("failovers")[0];
    EXPECT_EQ(cell.at("lag_us"), 100'000);
    EXPECT_EQ(cell.at("safeguard"), "none");
    EXPECT_EQ(cell.at("real").at("lost"), 1);
    EXPECT_EQ(cell.at("real").at("twice"), 1);
    EXPECT_EQ(cell.at("modelled").at("lost"), 1);
    EXPECT_EQ(parsed(content_of(here_ / "here" / "failovers.json")).at("failovers"),
              json.at("failovers"));

    const std::string kept = content_of(here_ / "here" / "failovers.jsonl");
    const Ran again = run(failovers({"--runs", "1"}));
    EXPECT_EQ(again.code, 1);
    EXPECT_NE(again.out.find("100ms  none       1     1        1     100 % (20.7 to 100)"),
              std::string::npos)
        << again.out;
    EXPECT_EQ(content_of(here_ / "here" / "failovers.jsonl"), kept) << "nothing was made again";
}

TEST_F(CliFailoversTest, an_interrupt_keeps_what_is_finished_and_leaves_nothing_running) {
    Process process(built_program(), failovers({"--runs", "50", "--parallel", "1"}), options_);
    const auto file = here_ / "here" / "failovers.jsonl";
    EXPECT_TRUE(await([&] { return std::filesystem::exists(file) || !process.running(); }));
    const pid_t server = process.redis();
    process.interrupt();
    const Ran ran = process.wait();
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.err.find("interrupted; what is shown was finished before, and the same command "
                           "goes on from there"),
              std::string::npos)
        << ran.err;
    EXPECT_FALSE(server != 0 && std::filesystem::exists("/proc/" + std::to_string(server)));
    EXPECT_FALSE(content_of(file).empty());
}

}  // namespace
}  // namespace locklab::cli_failovers_test
