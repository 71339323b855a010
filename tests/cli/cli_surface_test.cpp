// The options of a campaign by which jobs, pauses and TTLs vary, as in the surface of a suite.

#include "tests/cli/cli_run.h"

namespace locklab::cli_surface_test {
namespace {

TEST_F(CliTest, only_a_lock_with_a_ttl_is_waited_for_until_a_ttl) {
    const auto waits = [&](const std::string& lock) {
        const Ran ran = run({"campaign", lock, "--faults", "pause=1", "--runs", "300", "--json"});
        return parsed(ran.out).at("runs")[0].at("stuck_until_ttl").get<int>();
    };
    EXPECT_EQ(waits("perfect_lock"), 0);
    EXPECT_EQ(waits("setnx_del"), 0);
    EXPECT_GT(waits("set_nx_lua"), 0);
}

TEST_F(CliTest, a_campaign_runs_exactly_as_often_as_told) {
    const Ran ran = run({"campaign", "setnx_del", "--faults", "crash=1", "--runs", "7", "--json"});
    EXPECT_EQ(parsed(ran.out).at("runs")[0].at("runs"), 7);
    expect_sentence(run({"campaign", "setnx_del", "--runs", "0"}), 64, {"--runs '0'", "from 1 to"});
}

TEST_F(CliTest, faults_are_listed_with_their_sizes) {
    const Json faults = parsed(run({"list", "faults", "--json"}).out).at("faults");
    for (const Json& fault : faults) {
        if (fault.at("name") == "pause") {
            EXPECT_EQ(fault.at("amount").at("least_percent_of_ttl"), 20);
            EXPECT_TRUE(fault.at("baseline").at("unless").is_null()) << "it breaks every lease";
            EXPECT_EQ(fault.at("amount").at("most_percent_of_ttl"), 300);
        }
        if (fault.at("name") == "crash") {
            EXPECT_TRUE(fault.at("amount").is_null());
        }
    }
    const std::string text = run({"list", "faults"}).out;
    EXPECT_NE(text.find("20 to 300 % of the TTL, ahead or back"), std::string::npos) << text;
}

TEST_F(CliTest, a_library_is_answered_with_the_lock_that_is_like_it) {
    use_sources();
    for (const auto& [word, like] :
         {std::pair{"redisson", "reentrant_watchdog"}, std::pair{"Redis_Py", "set_nx_lua"},
          std::pair{"redsync", "set_nx_lua"}, std::pair{"redlock.using", "watchdog_owned"},
          std::pair{"node-redlock", "set_nx_lua"}, std::pair{"redlock.net", "watchdog_owned"}}) {
        expect_sentence(run({"campaign", word}), 64, {word, "is like", like});
    }
}

TEST_F(CliTest, a_pause_that_outlasts_the_ttl_erases_writes_and_a_shorter_one_does_not) {
    const auto erased = [&](const std::string& length) {
        const Ran ran = run({"campaign", "set_nx_lua", "--faults", "none", "--ttl", "2s", "--job",
                             "200ms-500ms", "--think", "0s", "--pause-every", "5s",
                             "--pause-length", length, "--grants", "2000", "--json"});
        return parsed(ran.out).at("runs")[0].at("erased_writes").get<int>();
    };
    // A job of half a second at most, and a pause of 1.4 s, end within the 2 s.
    EXPECT_EQ(erased("1400ms"), 0);
    EXPECT_GT(erased("2400ms"), 0);
}

TEST_F(CliTest, jobs_that_end_before_the_smallest_ttl_break_nothing_by_themselves) {
    const auto erased = [&](const std::string& job) {
        const Ran ran = run({"campaign", "set_nx_lua", "--faults", "none", "--clients", "5",
                             "--ttl", "500ms", "--unit", "1ms", "--job", job, "--think", "0s-100ms",
                             "--retry", "100ms", "--grants", "2000", "--json"});
        return parsed(ran.out).at("runs")[0].at("erased_writes").get<int>();
    };
    EXPECT_EQ(erased("0s-400ms"), 0);
    EXPECT_GT(erased("0s-2s"), 0);
}

TEST_F(CliTest, regular_pauses_are_in_the_trace) {
    const Ran ran = run({"campaign", "set_nx_del", "--faults", "none", "--ttl", "1s",
                         "--pause-every", "2s", "--pause-length", "3s", "--grants", "300"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.out.find("under a pause of 3s every 2s: violated"), std::string::npos) << ran.out;
    const Ran again =
        paste("cd '" + here_.string() + "' && " + ran.out.substr(ran.out.find("replay: ") + 8));
    EXPECT_EQ(again.code, 1);
    EXPECT_NE(again.out.find("expired_while_held"), std::string::npos) << again.out;
}

TEST_F(CliTest, what_makes_no_sense_of_jobs_and_pauses_is_refused) {
    const auto refused = [&](const Words& more, const Words& said) {
        Words words{"campaign", "set_nx_lua"};
        words.insert(words.end(), more.begin(), more.end());
        expect_sentence(run(words), 64, said);
    };
    refused({"--job", "2s-1s"}, {"--job", "2s-1s", "0s-2s"});
    refused({"--job", "0s"}, {"--job", "longer than nothing"});
    refused({"--think", "soon"}, {"--think", "soon", "300ms"});
    refused({"--pause-every", "5s"}, {"--pause-length", "need each other"});
    refused({"--pause-length", "5s"}, {"--pause-every", "need each other"});
    refused({"--pause-every", "1us", "--pause-length", "1s"}, {"--pause-every 1us", "too often"});
    refused({"--pause-every", "1s", "--pause-length", "1440min", "--clients", "1000"},
            {"5000 hours"});
    refused({"--world", "live", "--pause-every", "1s", "--pause-length", "1s"}, {"--world sim"});
}

}  // namespace
}  // namespace locklab::cli_surface_test
