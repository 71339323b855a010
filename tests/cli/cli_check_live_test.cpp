// Whether the rules allow one of our live histories: the file says all that has to be known for it.
// It is that of any live run, whether its lock broke or not.

#include <algorithm>
#include <fstream>

#include "algorithms/registry.h"
#include "harness/live/live_loop.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/cli/cli_live_run.h"

namespace locklab {
namespace {

constexpr auto kMs = std::chrono::milliseconds(1);

class CliCheckTest : public CliLiveTest {
protected:
    static RunSpec spec_of(const char* algorithm) {
        const Algorithm& lock = *algorithm_named(algorithm);
        LockOptions options = lock.defaults;
        const auto part = options.ttl / (500 * kMs);
        options.ttl = 500 * kMs;
        options.retry = 20 * kMs;
        options.clock_unit = kMs;
        options.renewal /= part;
        RunSpec spec = make_run_spec(lock, options, Duration::zero(), FaultBudget());
        spec.grants = 6;
        return spec;
    }

    /// The history of a run in which this happens to client 0.
    static History history_of(const RunSpec& spec, const std::vector<PlannedFault>& plan) {
        ManagedServers server;
        LiveLoop loop(server);
        LiveConfig config{spec, spec};
        config.plan = plan;
        LiveResult result;
        loop.run({config}, 1, [&](std::size_t, LiveResult its) { result = std::move(its); });
        tell_effects(result.history);
        result.history.given = to_json(GivenRun{spec, result.worst_lag});
        return std::move(result.history);
    }

    std::string written(const History& history) const {
        std::ofstream out(here_ / "run.jsonl");
        write_history(out, history);
        return "run.jsonl";
    }
    Json judged(const std::string& file) {
        const Ran ran = run({"check", file, "--json"});
        EXPECT_EQ(ran.err, "");
        return parsed(ran.out);
    }
};

constexpr const char* kAllowed = "the rules allow what the clients made of it";

TEST_F(CliCheckTest, says_that_the_rules_allow_live_histories) {
    using enum Hazard;
    const auto inside = [](Hazard hazard, Duration amount) {
        return PlannedFault{hazard, {ClientId{0}, 1, Phase::inside, 0}, amount};
    };
    const auto releasing = [](Hazard hazard, Duration amount) {
        return PlannedFault{hazard, {ClientId{0}, 1, Phase::release, 0}, amount};
    };
    const std::vector<std::pair<const char*, std::vector<PlannedFault>>> runs{
        {"set_nx_lua", {}},
        {"set_nx_del", {inside(slow_job, 700 * kMs)}},
        {"set_nx_lua", {releasing(delay_request, 30 * kMs)}},
        {"watchdog_unowned", {releasing(lose_reply, {})}},
        {"watchdog_owned", {inside(pause, 200 * kMs)}},
    };
    for (const auto& [algorithm, plan] : runs) {
        const Json found = judged(written(history_of(spec_of(algorithm), plan)));
        EXPECT_TRUE(found.at("inclusion").get<std::string>().starts_with("the rules allow"))
            << algorithm << ": " << found.at("inclusion");
        EXPECT_EQ(found.at("schedule"), kAllowed) << algorithm;
    }
}

TEST_F(CliCheckTest, says_that_the_rules_do_not_allow_a_spoiled_one) {
    const std::string file = written(history_of(spec_of("set_nx_lua"), {}));
    std::string text = content_of(here_ / file);
    // Its clients would have asked for another time to live than they were given.
    const std::string px = "\"PX\",\"500\"";
    ASSERT_NE(text.find(px), std::string::npos);
    for (std::size_t at = text.find(px); at != std::string::npos; at = text.find(px, at)) {
        text.replace(at, px.size(), "\"PX\",\"501\"");
    }
    put_file(here_ / "spoiled.jsonl", text);
    const std::string found = judged("spoiled.jsonl").at("schedule");
    EXPECT_TRUE(found.starts_with(
        "the rules do not allow what the clients made of it: no rule allows event "))
        << found;
}

TEST_F(CliCheckTest, says_what_it_lacks) {
    History history = history_of(spec_of("set_nx_del"), {});
    const std::string unknown =
        "whether the rules allow what the clients made of it is not known: ";
    const std::string given = history.given;
    history.given.clear();
    EXPECT_EQ(judged(written(history)).at("schedule"),
              unknown + "the options of the run are not in the file");
    history.given = given;
    history.given.replace(given.find("set_nx_del"), 10, "set_nx_gone");
    EXPECT_EQ(judged(written(history)).at("schedule"),
              unknown + "there is no lock 'set_nx_gone' here (see locklab list)");
}

/// no_lock breaks whenever two of its clients want it.
TEST_F(CliCheckTest, a_campaign_leaves_a_history_that_can_be_followed) {
    const Ran ran = run_to_a_verdict(
        {"campaign", "no_lock", "--world", "live", "--faults", "none", "--runs", "2", "--json"});
    const Json row = parsed(ran.out).at("runs").at(0);
    ASSERT_EQ(row.at("verdict"), "violated");
    std::string file = row.at("replay");
    file.erase(0, file.find("check ") + 6);
    std::erase(file, '\'');
    EXPECT_EQ(judged(file).at("schedule"), kAllowed);
}

}  // namespace
}  // namespace locklab
