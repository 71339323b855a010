// The verb `explore` from outside: the contract's keys and exit codes, witnesses that replay, and
// what it refuses.

#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_explore_test {
namespace {

class CliExploreTest : public CliTest {
protected:
    Ran explore(Words more) {
        more.insert(more.begin(), "explore");
        return run(more);
    }
};

TEST_F(CliExploreTest, json_has_what_the_contract_names) {
    const Ran ran = explore({"set_nx_lua", "--faults", "pause=1", "--json"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "");
    const Json json = Json::parse(ran.out);
    for (const char* key : {"algorithm", "clients", "rounds", "faults", "strategy", "seed",
                            "verdict", "exhausted", "schedules", "steps", "states", "seconds",
                            "witness", "cause", "vacuous", "coverage", "proofs"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["verdict"], "violated");
    EXPECT_EQ(json["cause"], "expired_while_held");
    EXPECT_EQ(json["witness_faults"], 1);
}

TEST_F(CliExploreTest, what_holds_is_exhausted_and_has_no_witness) {
    const Ran ran = explore({"set_nx_lua", "--faults", "crash=1,lose_reply=1", "--json"});
    EXPECT_EQ(ran.code, 0);
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["verdict"], "holds");
    EXPECT_EQ(json["exhausted"], true);
    EXPECT_TRUE(json["witness"].is_null());
}

TEST_F(CliExploreTest, what_is_told_beside_the_verdict_can_be_replayed) {
    const Ran ran = explore({"set_nx_lua", "--faults", "crash=1,lose_reply=1", "--json"});
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["orphaned"]["ttl_us"], 1'200'000);
    EXPECT_EQ(json["orphaned"]["at_most"], true);
    EXPECT_GE(json["orphaned"]["longest_us"].get<std::int64_t>(), 1'200'000);
    EXPECT_LE(json["orphaned"]["longest_us"].get<std::int64_t>(), 1'400'000);
    // The reply to a SET is lost, and the next try finds the key.
    EXPECT_GT(json["false_refusals"]["of_own"].get<std::int64_t>(), 0);
    EXPECT_EQ(json["false_refusals"]["of_nobodys"], 0);
    const auto replayed = [&](const char* told) {
        return run({"replay", json[told]["witness"].get<std::string>()});
    };
    const Ran orphaned = replayed("orphaned");
    EXPECT_EQ(orphaned.code, 0) << orphaned.out << orphaned.err;
    EXPECT_NE(orphaned.out.find("refused each time"), std::string::npos) << orphaned.out;
    // It ends with the refusal, before anybody was granted the lock.
    const Ran refused = replayed("false_refusals");
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_NE(refused.out.find("false refusals: 1 of 1"), std::string::npos) << refused.out;
    const Ran calm = explore({"set_nx_lua", "--faults", "none", "--json"});
    EXPECT_TRUE(Json::parse(calm.out)["false_refusals"].is_null());
}

TEST_F(CliExploreTest, without_faults_it_asks_what_the_row_claims) {
    const Ran ran = explore({"set_nx_lua", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.out;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["verdict"], "holds");
    EXPECT_EQ(json["vacuous"], false);
    ASSERT_EQ(json["proofs"].size(), 12U) << "none, and eleven hazards";
    EXPECT_EQ(json["proofs"][1]["faults"], "crash=1");
    EXPECT_EQ(json["proofs"][1]["searches"].size(), 4U);
    EXPECT_EQ(json["proofs"][1]["coverage"]["struck"]["crash"].size(), 4U);
    EXPECT_EQ(json["coverage"]["ttl_ran_out"], true);
}

TEST_F(CliExploreTest, a_proof_that_exercised_too_little_is_unknown) {
    const Ran ran =
        explore({"set_nx_lua", "--faults", "clock_offset=1", "--clients", "2", "--json"});
    EXPECT_EQ(ran.code, 2) << ran.out;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["verdict"], "unknown");
    EXPECT_EQ(json["vacuous"], true);
    EXPECT_EQ(json["proofs"][0]["missing"].size(), 1U);
}

TEST_F(CliExploreTest, a_late_reply_comes_before_the_time_out) {
    const Words words{"set_nx_lua", "--faults", "delay_reply=1", "--json"};
    const Json broken = Json::parse(explore(words).out);
    EXPECT_EQ(broken["verdict"], "violated");
    EXPECT_EQ(broken["cause"], "late_reply");
    Words shorter = words;
    shorter.insert(shorter.end(), {"--timeout", "150ms"});
    const Json held = Json::parse(explore(shorter).out);
    EXPECT_EQ(held["verdict"], "holds");
    EXPECT_EQ(held["vacuous"], false);
}

TEST_F(CliExploreTest, a_bound_that_was_hit_is_unknown) {
    const Ran ran = explore({"setnx_getset_epoch", "--faults", "lose_reply=2", "--memory", "1"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.out.find("unknown: out of memory; right would be more (--memory"),
              std::string::npos)
        << ran.out;
}

TEST_F(CliExploreTest, a_witness_is_replayed_in_both_worlds) {
    const Words cases[] = {{"set_nx_lua", "--faults", "pause=1"},
                           {"setnx_expire", "--faults", "crash=1"},
                           {"set_nx_del", "--faults", "delay_request=1"},
                           {"set_nx_lua", "--faults", "delay_reply=1"}};
    for (Words words : cases) {
        words.push_back("--json");
        const Json json = Json::parse(explore(words).out);
        const std::string file = json["witness"];
        const bool violated = json["verdict"] == "violated";
        for (const char* world : {"sim", "live"}) {
            const Ran ran = run({"replay", file, "--world", world});
            EXPECT_EQ(ran.code, 1) << words[0] << " " << world << "\n" << ran.out << ran.err;
            const char* verdict = violated ? "violated: " : "stuck: ";
            EXPECT_NE(ran.out.find(verdict), std::string::npos) << ran.out;
        }
        const Ran first = run({"replay", file, "--history", "-"});
        EXPECT_EQ(first.out, run({"replay", file, "--history", "-"}).out);
    }
}

TEST_F(CliExploreTest, a_witness_is_drawn) {
    const Ran svg = explore({"set_nx_lua", "--faults", "pause=1", "--svg"});
    EXPECT_EQ(svg.code, 1);
    EXPECT_EQ(svg.out.find("<svg"), 0U);
    const Ran mermaid = explore({"set_nx_lua", "--faults", "pause=1", "--mermaid"});
    EXPECT_NE(mermaid.out.find("sequenceDiagram"), std::string::npos);
}

TEST_F(CliExploreTest, refuses_with_one_sentence) {
    struct Case {
        Words words;
        std::string says;
    };
    for (const Case& c :
         {Case{{}, "which lock?"}, Case{{"set_nx_lau"}, "did you mean 'set_nx_lua'"},
          Case{{"set_nx_lua", "--clients", "5"}, "--clients"},
          Case{{"set_nx_lua", "--clients", "0"}, "--clients"},
          Case{{"set_nx_lua", "--timeout", "1500us"}, "no whole number of milliseconds"},
          Case{{"set_nx_lua", "--timeout", "60s"}, "up to half a minute"},
          Case{{"set_nx_lua", "--faults", "paus=1"}, "did you mean 'pause'"},
          Case{{"set_nx_lua", "--faults", "pause=101"}, "from 0 to 100"},
          Case{{"set_nx_lua", "--faults", "pause=16"}, "pause can strike 15 times at most"},
          Case{{"all", "--svg"}, "a picture is of one lock"},
          Case{{"perfect_lock", "--svg"}, "no witness to be drawn"},
          Case{{"set_nx_lua", "--svg", "--json"}, "each want stdout"}}) {
        const Ran ran = explore(c.words);
        EXPECT_EQ(ran.code, 64) << ran.err;
        EXPECT_NE(ran.err.find(c.says), std::string::npos) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
}

TEST_F(CliExploreTest, the_demonstration_shows_a_race_its_fix_and_a_search) {
    const Ran told = run({"demo"});
    EXPECT_EQ(told.code, 0) << told.out << told.err;
    std::size_t last = 0;
    for (const char* words :
         {"== 1 of 4", "set_nx_del: violated", "== 2 of 4", "set_nx_lua: violated", "== 3 of 4",
          "set_nx_lua: holds", "== 4 of 4", "shortest witness"}) {
        const std::size_t at = told.out.find(words, last);
        ASSERT_NE(at, std::string::npos) << words;
        last = at;
    }
    const Ran ran = run({"demo", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("as_expected"), true);
    ASSERT_EQ(json.at("parts").size(), 4U);
    EXPECT_EQ(json.at("parts").at(2).at("result").at("verdict"), "holds");
    // Each part is what the command beside it prints.
    for (const Json& part : json.at("parts")) {
        const std::string command = part.at("command");
        const Ran alone = paste("cd '" + home_.string() + "' && " + command + " --json");
        EXPECT_EQ(alone.code, part.at("exit")) << command;
    }
}

TEST_F(CliExploreTest, a_trace_that_was_tampered_with_is_refused) {
    const Json json =
        Json::parse(explore({"set_nx_lua", "--faults", "pause=1", "--clients", "3", "--json"}).out);
    const std::string text = content_of(json["witness"].get<std::string>());
    struct Case {
        const char* from;
        const char* to;
        const char* says;
    };
    for (const Case& c : {Case{"pass 901ms", "pass 9 1 ms", "is none"},
                          Case{"\"clients\":3", "\"clients\":9", "clients"},
                          Case{"set_nx_lua", "set_nx_lau", "there is no algorithm"},
                          Case{"\"rounds\":1", "\"wounds\":1", "rounds"},
                          Case{"\"newcomer\":false", "\"newcomer\":0", "newcomer"},
                          Case{" take\"", " time_out\"", "cannot be made"}}) {
        std::string other = text;
        const std::size_t at = other.find(c.from);
        ASSERT_NE(at, std::string::npos) << c.from;
        other.replace(at, std::string(c.from).size(), c.to);
        put_file(here_ / "other.json", other);
        const Ran ran = run({"replay", "other.json"});
        EXPECT_TRUE(ran.code == 64 || ran.code == 2) << ran.code << ran.err;
        EXPECT_NE(ran.err.find(c.says), std::string::npos) << c.from << ": " << ran.err;
    }
}

TEST_F(CliExploreTest, starvation_is_a_lasso_that_replays) {
    const Ran ran = explore({"set_nx_lua", "--starvation", "--json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["answer"], "starves");
    EXPECT_EQ(json["fair"], false);
    EXPECT_EQ(json["lasso"]["victim"], "A");
    EXPECT_EQ(json["lasso"]["laps_seen"], 30);
    EXPECT_FALSE(json["lasso"]["cycle"].empty());
    const Ran again = run({"replay", json["lasso"]["witness"], "--json"});
    EXPECT_EQ(again.code, 0) << again.err;
    const Ran told = explore({"set_nx_lua", "--starvation"});
    EXPECT_NE(told.out.find("client A is passed over for ever"), std::string::npos) << told.out;
}

TEST_F(CliExploreTest, starvation_says_why_it_is_not_known) {
    const Ran ran = explore({"setnx_getset_epoch", "--starvation"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.out.find("unknown: the lock reads its client's clock"), std::string::npos);
}

TEST_F(CliExploreTest, starvation_has_no_end_of_rounds) {
    const Words asked{"explore", "set_nx_lua", "--starvation"};
    const auto refused = [&](Words more, const Words& words) {
        more.insert(more.begin(), asked.begin(), asked.end());
        expect_refused(more, words);
    };
    refused({"--rounds", "2"}, {"--rounds", "--starvation"});
    refused({"--faults", "clock_jump=1"}, {"does not take clock_jump", "crash"});
    refused({"--strategy", "walk"}, {"every state", "exhaustive"});
}

TEST_F(CliExploreTest, starvation_takes_faults) {
    const Ran ran = explore({"set_nx_lua", "--starvation", "--faults", "crash=1", "--json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["faults"], "crash=1");
    EXPECT_EQ(json["answer"], "starves");
}

TEST_F(CliExploreTest, a_stuck_client_is_named) {
    const Ran ran = explore({"setnx_del", "--faults", "crash=1", "--json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["verdict"], "stuck");
    EXPECT_EQ(json["stuck_client"], "B");
    EXPECT_EQ(json["witness_steps"], 3);
    const Ran told = explore({"setnx_del", "--faults", "crash=1"});
    EXPECT_NE(told.out.find("B never gets the lock"), std::string::npos) << told.out;
    const Ran again = run({"replay", json["witness"]});
    EXPECT_EQ(again.code, 1) << again.out << again.err;
}

TEST_F(CliExploreTest, random_schedules_say_that_they_look_for_no_stuck_client) {
    for (const char* strategy : {"random", "walk", "pct", "delay"}) {
        const Words asked{"setnx_del", "--faults", "crash=1", "--strategy",
                          strategy,    "--budget", "100"};
        const Ran told = explore(asked);
        EXPECT_NE(told.out.find("not looked for: clients that are stuck"), std::string::npos);
        Words in_json = asked;
        in_json.emplace_back("--json");
        EXPECT_EQ(Json::parse(explore(in_json).out)["looks_for_stuck"], false) << strategy;
    }
}

TEST_F(CliExploreTest, latency_is_a_bound_of_its_own) {
    const Words asked{"set_nx_lua", "--faults", "none", "--client-job", "A=1190ms", "--json"};
    const Json at_once = Json::parse(explore(asked).out);
    EXPECT_EQ(at_once["verdict"], "holds");
    EXPECT_FALSE(at_once.contains("latency_us"));
    Words with = asked;
    with.insert(with.end(), {"--latency", "50ms"});
    const Json json = Json::parse(explore(with).out);
    EXPECT_EQ(json["verdict"], "violated");
    EXPECT_EQ(json["latency_us"], 50'000);
    const Ran again = run({"replay", json["witness"]});
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_NE(again.out.find("0.050"), std::string::npos) << again.out;
    expect_refused({"explore", "set_nx_lua", "--latency", "75ms"}, {"150ms", "half"});
}

/// A key that never expires is safe, and so is a renewed one; one of 1.2 s is not.
TEST_F(CliExploreTest, latency_breaks_one_lock_and_leaves_others) {
    const auto searched = [&](const char* lock, const char* latency, bool in_json) {
        Words words{lock, "--faults",   "none", "--client-job", "A=1190ms", "--rounds",
                    "1",  "--attempts", "2",    "--clients",    "2"};
        if (latency != nullptr) words.insert(words.end(), {"--latency", latency});
        if (in_json) words.emplace_back("--json");
        return explore(words);
    };
    EXPECT_EQ(searched("set_nx_lua", "50ms", false).code, 1);
    const std::string told = "; request and reply on their way for up to 50ms each";
    const Ran late = searched("watchdog_owned", "50ms", false);
    EXPECT_NE(late.out.find(told), std::string::npos) << late.out;
    for (const char* lock : {"setnx_del", "watchdog_owned"}) {
        const Json with = Json::parse(searched(lock, "50ms", true).out);
        const Json without = Json::parse(searched(lock, nullptr, true).out);
        EXPECT_EQ(with["latency_us"], 50'000);
        EXPECT_EQ(with["verdict"], without["verdict"]) << lock;
        EXPECT_NE(with["verdict"], "violated") << lock;
        EXPECT_EQ(with["exhausted"], true);
        EXPECT_GT(with["states"], without["states"]) << "messages are on their way";
    }
}

TEST_F(CliExploreTest, thresholds_say_that_messages_take_time) {
    const Words asked{"no_lock", "--thresholds", "--latency", "40ms",       "--clients",
                      "2",       "--rounds",     "1",         "--attempts", "1"};
    Words in_json = asked;
    in_json.emplace_back("--json");
    EXPECT_NE(explore(asked).out.find("on their way for up to 40ms each"), std::string::npos);
    for (const Json& row : Json::parse(explore(in_json).out)["thresholds"]) {
        EXPECT_EQ(row["latency_us"], 40'000);
    }
}

TEST_F(CliExploreTest, a_latency_that_is_none_is_refused_in_one_sentence) {
    for (const char* wrong : {"0", "0ms", "50", "fast", "-5ms", "250us", "31s"}) {
        expect_refused({"explore", "set_nx_lua", "--latency", wrong},
                       {"--latency", wrong, "whole number of milliseconds from 1ms", "50ms"});
    }
    expect_refused({"explore", "driver:set_nx_lua", "--latency", "5ms"},
                   {"--latency", "not for driver processes"});
    expect_refused({"explore", "set_nx_lua", "--starvation", "--latency", "5ms"},
                   {"--latency", "--starvation"});
}

TEST_F(CliExploreTest, built_without_mpi_it_says_so_to_mpirun) {
    // The module that links MPI lies beside the program, if it was built.
    const std::filesystem::path alone = root_.path() / "locklab";
    std::filesystem::copy_file(built_program(), alone);
    const auto started_as = [&](const char* rank, const char* ranks) {
        options_.environment["OMPI_COMM_WORLD_RANK"] = rank;
        options_.environment["OMPI_COMM_WORLD_SIZE"] = ranks;
        return Process(alone, {"explore", "set_nx_lua", "--faults", "pause=1"}, options_).wait();
    };
    expect_sentence(started_as("0", "2"), 64, {"mpirun", "without MPI", "libopenmpi-dev"});
    const Ran other = started_as("1", "2");
    EXPECT_EQ(other.out + other.err, "") << "one of them says it";
    EXPECT_EQ(started_as("0", "1").code, 1) << "one rank is one process";
}

TEST_F(CliExploreTest, what_nobody_fixed_is_deepened) {
    for (const char* faults : {"none", "crash=1"}) {
        const Words one{"set_nx_lua", "--faults", faults, "--clients", "2", "--json"};
        const Json json = Json::parse(explore(one).out);
        const Json& proof = json["proofs"][0];
        ASSERT_TRUE(proof.contains("deepened")) << faults;
        EXPECT_GT(proof["deepened"].size(), 2U);
        EXPECT_LE(proof["states_spent"], 1'100'000);
        for (const Json& deeper : proof["deepened"]) EXPECT_EQ(deeper["clients"], 2);
        // Without a fault two clients that stay never let a lease run out, however often they come.
        EXPECT_EQ(json["vacuous"], std::string_view(faults) == "none");
    }
    const Ran fixed = explore({"set_nx_lua", "--faults", "none", "--clients", "2", "--rounds", "1",
                               "--attempts", "2", "--json"});
    EXPECT_FALSE(Json::parse(fixed.out)["proofs"][0].contains("deepened"));
}

}  // namespace
}  // namespace locklab::cli_explore_test
