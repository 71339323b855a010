// The command line from outside: bad usage is one sentence that helps, and nothing happens; what
// a verb promises on stdout is there, and nothing else.

#include <set>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/core/hazard.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_test {
namespace {

/// A command line, and what the sentence that refuses it must name.
struct Bad {
    Words arguments;
    Words named;
};

TEST_F(CliTest, unknown_words_are_named_with_the_nearest_known_one) {
    const std::vector<Bad> all{
        {{"suit"}, {"'suit'", "'suite'"}},
        {{"frobnicate"}, {"'frobnicate'", "campaign"}},
        {{""}, {"''", "campaign"}},
        {{"campaign", "setnx_dell"}, {"'setnx_dell'", "'setnx_del'"}},
        {{"campaign", ""}, {"algorithm ''"}},
        {{"campaign", "setnx_del", "--faults", "paus=1"}, {"'paus'", "'pause'"}},
        {{"campaign", "setnx_del", "--faults", "contention=1"}, {"'contention'", "crash"}},
        {{"campaign", "setnx_del", "--fault", "none"}, {"'--fault'", "'--faults'"}},
        {{"campaign", "-x"}, {"'-x'", "--faults"}},
        {{"campaign", "setnx_del", "--world", "simm"}, {"'simm'", "'sim'"}},
        {{"campaign", "setnx_del", "--wait", "jiter"}, {"'jiter'", "'jitter'"}},
        {{"campaign", "setnx_del", "--latency", "fast"}, {"'fast'", "constant:200us"}},
        {{"list", "fault"}, {"'fault'", "'faults'"}},
        {{"list", "--jsn"}, {"'--jsn'", "'--json'"}},
        {{"replay", "x", "--world", "liv"}, {"'liv'", "'live'"}},
        {{"bench", "--benchmark_filtr=x"}, {"--benchmark_filtr"}},
    };
    for (const Bad& bad : all) {
        if (bad.arguments[0] != "bench") {
            expect_refused(bad.arguments, bad.named);
            continue;
        }
        const Ran ran = run(bad.arguments);  // Google Benchmark's own sentence
        EXPECT_EQ(ran.code, 64);
        EXPECT_NE(ran.err.find(bad.named[0]), std::string::npos) << ran.err;
    }
}

TEST_F(CliTest, counts_are_whole_numbers_in_their_range) {
    for (const char* option : {"--clients", "--grants", "--grants-per-run"}) {
        for (const char* count :
             {"0", "-1", "abc", "1e3", "3.0", " 3", "+3", "3x", "0x10", "99999999999999999999"}) {
            expect_refused({"campaign", "setnx_del", option, count},
                           {option, "'" + std::string(count) + "'", "from 1 to"});
        }
    }
    expect_refused({"campaign", "setnx_del", "--clients", "10001"}, {"'10001'", "to 10000"});
    expect_refused({"campaign", "setnx_del", "--seed", "-1"}, {"--seed '-1'", "from 0 to"});
    expect_refused({"suite", "--seed", "x"}, {"--seed 'x'"});
    expect_refused({"suite", "--runs", "0"}, {"--runs '0'", "from 1 to"});
}

TEST_F(CliTest, durations_have_a_unit_and_are_no_longer_than_a_day) {
    for (const char* option : {"--ttl", "--retry", "--renewal", "--unit", "--job-limit"}) {
        for (const char* time :
             {"1", "0s", "-1s", "abc", "1h", "1e3ms", "1441min", "99999999min"}) {
            expect_refused({"campaign", "watchdog_owned", option, time},
                           {option, "'" + std::string(time) + "'", "10ms"});
        }
    }
    expect_refused({"campaign", "set_nx_del", "--ttl", "1500ms"}, {"1.5s", "set_nx_del", "--unit"});
    expect_refused({"campaign", "set_nx_del", "--ttl", "1us", "--unit", "1us"}, {"1us", "1ms"});
    expect_refused({"campaign", "set_nx_del", "--ttl", "1440min"},
                   {"--retry 10ms", "--retry 1.1232s"});
}

TEST_F(CliTest, faults_are_names_with_counts) {
    const std::vector<Bad> all{
        {{"pause"}, {"'pause'", "pause=1"}},
        {{"pause="}, {"'pause'", "pause=1"}},
        {{"pause=-1"}, {"'pause'", "0 to 100"}},
        {{"pause=101"}, {"'pause'", "0 to 100"}},
        {{"pause=1x"}, {"'pause'", "pause=1"}},
        {{"pause=1=1"}, {"'pause'", "pause=1"}},
        {{"pause=1,pause=1"}, {"'pause'", "twice"}},
        {{"pause=1,,"}, {"'pause=1,,'", "none"}},
        {{",pause=1"}, {"',pause=1'", "none"}},
        {{"=1"}, {"'=1'", "pause=1"}},
        {{"none,pause=1"}, {"'none,pause=1'"}},
        {{"PAUSE=1"}, {"'PAUSE'", "'pause'"}},
        {{""}, {"--faults", "empty"}},
    };
    for (const Bad& bad : all) {
        expect_refused({"campaign", "setnx_del", "--faults", bad.arguments[0]}, bad.named);
    }
    const std::vector<std::string> who{"no caller can cancel a try of set_nx_lua", "lib:redsync"};
    expect_refused({"campaign", "driver:set_nx_lua", "--world", "live", "--faults", "cancel=1"},
                   who);
    expect_refused({"explore", "driver:set_nx_lua", "--faults", "cancel=1"}, who);
    expect_refused({"explore", "set_nx_lua", "--faults", "cancel=1"}, {"lib:redsync"});
    for (const HazardRow& row : kHazards) {
        const std::string faults = std::string(row.name) + "=1";
        const auto refused_in = [&](FaultWorld world, const std::vector<std::string>& arguments) {
            const std::string why(why_not_in(world, row.hazard));
            if (!why.empty()) expect_refused(arguments, {"'" + std::string(row.name) + "'", why});
        };
        refused_in(FaultWorld::simulator, {"campaign", "setnx_del", "--faults", faults});
        refused_in(FaultWorld::live,
                   {"campaign", "setnx_del", "--world", "live", "--faults", faults});
        refused_in(FaultWorld::search, {"explore", "setnx_del", "--faults", faults});
        refused_in(FaultWorld::drivers,
                   {"campaign", "driver:setnx_del", "--world", "live", "--faults", faults});
        refused_in(FaultWorld::plays, {"explore", "driver:setnx_del", "--faults", faults});
    }
}

TEST_F(CliTest, operands_are_neither_too_many_nor_missing) {
    expect_refused({"campaign", "set_nx_del", "setnx_del"}, {"'setnx_del'", "campaign --help"});
    expect_refused({"replay", "a", "b"}, {"'b'"});
    expect_refused({"check", "a", "b"}, {"'b'"});
    expect_refused({"list", "faults", "x"}, {"'x'"});
    expect_refused({"suite", "all"}, {"'all'"});
    expect_refused({"report", "a", "b"}, {"'b'"});
    expect_refused({"replay"}, {"locklab replay FILE"});
    expect_refused({"check"}, {"locklab check FILE"});
    expect_refused({"report"}, {"locklab report"});
    expect_refused({"compare", "a"}, {"locklab compare"});
    expect_refused({"compare", "a", "b", "c"}, {"'c'"});
    expect_refused({"test"}, {"./locklab test"});
}

TEST_F(CliTest, options_that_mean_nothing_together_are_refused) {
    expect_refused({"suite", "--quick", "--full"}, {"--quick", "--full"});
    expect_refused({"campaign", "setnx_del", "--seed", "1", "--seed", "2"}, {"--seed"});
    expect_refused({"campaign", "setnx_del", "--clients"}, {"--clients"});
    expect_refused({"campaign", "setnx_del", "--faults="}, {"--faults"});
    expect_refused({"campaign", "setnx_del", "--json=1"}, {"--json"});
    expect_refused({"campaign", "setnx_del", "--redis", "localhost:1"}, {"--redis", "live"});
    expect_refused({"campaign", "setnx_del", "--world", "live", "--latency", "instant"},
                   {"--latency", "sim"});
    expect_refused({"campaign", "set_nx_lua", "--topology", "masters:3", "--guarded"},
                   {"--guarded", "several masters"});
    expect_refused({"replay", "x", "--history", "-", "--json"}, {"--json", "--history"});
    put_file(here_ / "x", "{}");  // no trace of a scenario, which alone can be played live
    expect_refused({"replay", "x", "--world", "live"}, {"locklab check"});
    for (const char* option : {"--out", "--redis", "--seed"}) {
        expect_refused({"suite", option, ""}, {option, "empty"});
    }
}

TEST_F(CliTest, options_of_a_client_that_is_not_there_are_refused_with_what_can_be) {
    expect_refused({"explore", "set_nx_lua", "--client-ttl", "D=1s"}, {"client D", "--clients 4"});
    expect_refused({"explore", "set_nx_lua", "--client-ttl", "E=1s"}, {"client E", "be A to D"});
    expect_refused({"campaign", "set_nx_lua", "--client-ttl", "E=1s"}, {"--clients 5"});
}

TEST_F(CliTest, a_mode_is_refused_where_no_lock_can_be_had_in_both) {
    for (const char* verb : {"campaign", "explore"}) {
        expect_refused({verb, "set_nx_lua", "--client-mode", "A=alone"},
                       {"--client-mode", "read-write", "set_nx_lua", "leave it out"});
        expect_refused({verb, "all", "--client-mode", "B=shared"}, {"each of these locks"});
    }
}

TEST_F(CliTest, help_is_no_error_and_nothing_at_all_is_one) {
    for (const Words& words : std::vector<Words>{{"--help"}, {"-h"}, {"help"}}) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0);
        EXPECT_NE(ran.out.find("locklab campaign"), std::string::npos);
        EXPECT_EQ(ran.err, "");
    }
    // What a verb takes is named where all verbs are.
    const std::string help = run({"--help"}).out;
    for (const char* known : {"algorithms|libraries|scenarios|faults|topologies",
                              "explore A|all|lib:NAME", "--algorithm A|lib:NAME"}) {
        EXPECT_NE(help.find(known), std::string::npos) << known;
    }
    EXPECT_EQ(run({"list", "topologies"}).code, 0);
    for (const char* verb : {"list", "suite", "campaign", "replay", "check", "report", "compare"}) {
        const Ran ran = run({verb, "--help"});
        EXPECT_EQ(ran.code, 0);
        EXPECT_EQ(ran.out.rfind("locklab " + std::string(verb), 0), 0U) << ran.out;
    }
    const Ran ran = run({});
    EXPECT_EQ(ran.code, 64);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("locklab campaign"), std::string::npos);
}

TEST_F(CliTest, list_is_the_registry) {
    const Ran ran = run({"list", "--json"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    const Json json = parsed(ran.out);
    const Json& rows = json.at("algorithms");
    ASSERT_EQ(rows.size(), every_algorithm().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Algorithm& algorithm = *every_algorithm()[i];
        EXPECT_EQ(rows[i].at("in_all"), i < algorithms().size());
        EXPECT_EQ(rows[i].at("name"), algorithm.name);
        EXPECT_EQ(rows[i].at("label"), algorithm.label);
        EXPECT_EQ(rows[i].at("source"), algorithm.source);
        const auto control = [&](const char* word) { return rows[i].at("control") == word; };
        EXPECT_EQ(control("grants_always"), algorithm.control == Control::grants_always);
        EXPECT_EQ(control("never_wrong"), algorithm.control == Control::never_wrong);
        EXPECT_EQ(rows[i].at("redis_servers"), algorithm.redis_servers);
        EXPECT_EQ(
            rows[i].at("reads_clocks").size(),
            (algorithm.reads_wall_clock ? 1U : 0U) + (algorithm.reads_monotonic_clock ? 1U : 0U));
        EXPECT_EQ(rows[i].at("renews"), algorithm.renews);
        EXPECT_EQ(rows[i].at("reentrant"), algorithm.reentrant);
        EXPECT_EQ(rows[i].at("fair"), algorithm.fair);
        EXPECT_EQ(rows[i].at("fences"), algorithm.fences);
        for (const HazardRow& row : kHazards) {
            const auto lists = [&](const char* key) {
                const Json& list = rows[i].at(key);
                return std::find(list.begin(), list.end(), row.name) != list.end();
            };
            EXPECT_EQ(lists("safe_under"), algorithm.safe_under.contains(row.hazard));
            EXPECT_EQ(lists("broken_by"), algorithm.broken_by.contains(row.hazard));
        }
    }
    EXPECT_TRUE(json.at("scenarios").is_array());
    const Json& faults = json.at("faults");
    ASSERT_EQ(faults.size(), kHazards.size());
    for (std::size_t i = 0; i < faults.size(); ++i) {
        EXPECT_EQ(faults[i].at("name"), kHazards[i].name);
        EXPECT_EQ(faults[i].at("meaning"), kHazards[i].meaning);
        for (const FaultWorldRow& world : kFaultWorldRows) {
            const std::string why(why_not_in(world.world, kHazards[i].hazard));
            EXPECT_EQ(faults[i].at("worlds").at(world.name), why.empty() ? Json() : Json(why));
        }
    }
}

TEST_F(CliTest, list_says_what_it_was_asked_for) {
    const std::string all = run({"list"}).out;
    const std::string algorithms_only = run({"list", "algorithms"}).out;
    const std::string scenarios_only = run({"list", "scenarios"}).out;
    const std::string faults_only = run({"list", "faults"}).out;
    const std::string topologies_only = run({"list", "topologies"}).out;
    EXPECT_EQ(all, algorithms_only + scenarios_only + faults_only + topologies_only);
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_NE(algorithms_only.find(algorithm.name), std::string::npos) << algorithm.name;
    }
    EXPECT_NE(faults_only.find("clock_jump"), std::string::npos);
}

TEST_F(CliTest, list_puts_every_meaning_into_one_column) {
    use_sources();
    for (const char* what : {"algorithms", "libraries", "scenarios", "faults", "topologies"}) {
        std::istringstream lines(run({"list", what}).out);
        std::string line;
        std::getline(lines, line);
        std::set<std::size_t> columns;
        while (std::getline(lines, line)) {
            columns.insert(line.find_first_not_of(' ', line.find(' ', 2)));
        }
        EXPECT_EQ(columns.size(), 1U) << what;
    }
}

TEST_F(CliTest, a_shell_completes_verbs_options_and_names) {
    use_sources();
    const auto completed = [&](const std::string& words, int at) {
        return paste("bash -c 'source <(\"" + built_program() + "\" completion); COMP_WORDS=(\"" +
                     built_program() + "\" " + words + "); COMP_CWORD=" + std::to_string(at) +
                     "; _locklab; echo ${COMPREPLY[*]}'")
            .out;
    };
    EXPECT_EQ(completed("ex", 1), "explore\n");
    EXPECT_EQ(completed("explore set_nx_", 2),
              "set_nx_del set_nx_lua set_nx_get_del set_nx_time_del set_nx_delifeq\n");
    EXPECT_EQ(completed("campaign setnx_del --faults delay", 4), "delay_request=1 delay_reply=1\n");
    EXPECT_EQ(completed("explore setnx_del --thr", 3), "--threads --thresholds\n");
    EXPECT_EQ(completed("scenario late_del", 2), "late_del_after_takeover\n");
    EXPECT_EQ(completed("scenario all --world l", 4), "live\n");
    EXPECT_EQ(completed("libraries in", 2), "install\n");
    EXPECT_EQ(completed("bench lib", 2).find("libraries lib:"), 0U);
    EXPECT_EQ(completed("bench driver:set_nx_l", 2), "driver:set_nx_lua\n");
    EXPECT_EQ(completed("libraries install redis-p", 3),
              "redis-py redis-py:asyncio redis-py:extended redis-py-7 redis-py-7:asyncio\n");
}

}  // namespace
}  // namespace locklab::cli_test
