// Scenarios on a real Redis, from outside: what the simulator shows is seen there too, and a play
// that is interrupted leaves nothing behind.

#include <thread>

#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_scenario_live_test {
namespace {

namespace fs = std::filesystem;

const std::string kLate = "slow_holder_deletes_anothers_lock";

class CliScenarioLiveTest : public CliLiveTest {
protected:
    /// Plays it live; every play must be as expected. The plays.
    Json played(const std::string& name, const Words& more = {}) {
        Words words{"scenario", name, "--world", "live", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run_to_a_verdict(words);
        EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
        EXPECT_EQ(without_notes(ran.err), "");
        Json plays = parsed(ran.out).at("scenarios");
        for (const Json& play : plays) {
            EXPECT_EQ(play.at("world"), "live");
            EXPECT_EQ(play.at("ok"), true) << play.dump(2);
            EXPECT_EQ(play.at("agrees_with_sim"), true) << play.dump(2);
        }
        EXPECT_TRUE(temp_is_empty());
        return plays;
    }
    /// Plays all live, and is interrupted so long after its server is there.
    Ran interrupted_after(std::chrono::seconds time) {
        return interrupted({"scenario", "all", "--world", "live", "--json"}, [&](Process& it) {
            if (it.redis() == 0) return false;
            std::this_thread::sleep_for(time);
            return true;
        });
    }
};

#ifdef LOCKLAB_SMALL_BOUNDS
TEST_F(CliScenarioLiveTest, a_handful_come_out_live_as_in_sim) {
    for (const std::string& name :
         {kLate, std::string("crash_leaves_the_lock"), std::string("lost_reply_on_acquire"),
          std::string("restart_forgets_the_lock"), std::string("late_del_after_takeover")}) {
        EXPECT_FALSE(played(name).empty());
    }
}
#else
TEST_F(CliScenarioLiveTest, all_come_out_live_as_in_sim) {
    std::set<std::string> seen;
    for (const Json& play : played("all")) seen.insert(play.at("scenario"));
    EXPECT_TRUE(seen.contains("restart_forgets_the_lock"));
    EXPECT_TRUE(seen.contains("old_snapshot"));
    EXPECT_GE(seen.size(), 40U);
}
#endif

TEST_F(CliScenarioLiveTest, what_cannot_be_done_live_is_left_out_and_said) {
    start_redis();
    ask("SET", "theirs", "1");
    const Ran ran = run_to_a_verdict({"scenario", "all", "--world", "live", "--redis", address(),
                                      "--algorithm", "perfect_lock", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
    for (const char* name : {"old_snapshot", "server_clock_ahead", "restart_forgets_the_lock"}) {
        EXPECT_NE(ran.err.find(std::string(name) + " is left out: "), std::string::npos) << name;
        EXPECT_EQ(ran.out.find(name), std::string::npos) << name;
    }
    EXPECT_EQ(ask("KEYS", "*").elements().size(), 1U);
    expect_refused(
        {"scenario", "restart_forgets_the_lock", "--world", "live", "--redis", address()},
        {"'restart_forgets_the_lock'", "--redis"});
}

TEST_F(CliScenarioLiveTest, a_scenario_on_somebodys_redis_leaves_only_what_was_there) {
    start_redis();
    ask("SET", "theirs", "1");
    options_.environment["LOCKLAB_REDIS"] = address();
    EXPECT_EQ(played(kLate).size(), 10U);
    EXPECT_EQ(ask("KEYS", "*").elements().size(), 1U);
    EXPECT_EQ(ask("GET", "theirs").text(), "1");
}

TEST_F(CliScenarioLiveTest, a_trace_is_played_again_live) {
    const Json plays = played(kLate, {"--traces", ".", "--algorithm", "set_nx_del"});
    const std::string trace = plays.at(0).at("trace");
    const Ran ran = run_to_a_verdict({"replay", trace, "--world", "live"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_NE(ran.out.find("A deletes the key of B"), std::string::npos) << ran.out;
    const Ran history = run({"replay", trace, "--world", "live", "--history", "-"});
    EXPECT_NE(history.out.find("\"world\":\"live\""), std::string::npos);
    EXPECT_TRUE(temp_is_empty());
}

TEST_F(CliScenarioLiveTest, an_expectation_that_is_wrong_is_told_live_too) {
    std::string text = content_of(fs::path(source_dir()) / "scenarios" / (kLate + ".yaml"));
    const std::string from = "[A+B, B+C]";
    ASSERT_NE(text.find(from), std::string::npos);
    put_file(here_ / "copy.yaml", text.replace(text.find(from), from.size(), "[A+B]"));
    const Ran ran = run_to_a_verdict({"scenario", "./copy.yaml", "--world", "live"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_NE(ran.out.find("NOT AS EXPECTED    set_nx_del"), std::string::npos) << ran.out;
}

TEST_F(CliScenarioLiveTest, a_redis_that_is_none_is_refused) {
    options_.environment["LOCKLAB_REDIS"] = "127.0.0.1:1";
    expect_refused({"scenario", kLate, "--world", "live"}, {"127.0.0.1:1", "reached"});
    expect_refused({"scenario", kLate, "--world", "live", "--traces", "traces"}, {"127.0.0.1:1"});
    options_.environment["LOCKLAB_REDIS"] = "nowhere";
    expect_refused({"scenario", kLate, "--world", "live"}, {"nowhere", "host:port"});
}

TEST_F(CliScenarioLiveTest, ctrl_c_shows_what_was_finished_and_ends_its_servers) {
    std::size_t finished = 0;
    std::size_t missing = 0;
    // How soon the first play ends is the machine's business: until one did, there is more time.
    for (std::chrono::seconds time{2}; finished == 0 && time < std::chrono::minutes(2); time *= 2) {
        const Json json = parsed(interrupted_after(time).out);
        missing = 0;
        for (const Json& play : json.at("scenarios")) {
            play.at("ok") == true ? ++finished : ++missing;
            if (play.at("ok") == true) continue;
            EXPECT_EQ(play.at("observed"), "not played: interrupted");
            EXPECT_EQ(play.at("verdict"), "unknown");
        }
    }
    EXPECT_GT(finished, 0U);
    EXPECT_GT(missing, 0U);
}

TEST_F(CliScenarioLiveTest, ctrl_c_leaves_no_key_on_somebodys_redis) {
    start_redis();
    const Ran ran =
        interrupted({"scenario", "all", "--world", "live", "--redis", address(), "--traces", "t"},
                    [&](Process&) { return has_keys(); });
    EXPECT_NE(ran.out.find("not played: interrupted"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("NOT"), std::string::npos) << ran.out;
    EXPECT_FALSE(has_keys());
}

}  // namespace
}  // namespace locklab::cli_scenario_live_test
