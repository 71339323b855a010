// Campaigns and their witnesses from outside: equal seeds give equal bytes, the contract's keys
// are there, the exit code says the verdict, and the replay command that is printed works.

#include <algorithm>

#include "harness/core/hazard.h"
#include "tests/cli/cli_run.h"

namespace locklab::cli_campaign_test {
namespace {

namespace fs = std::filesystem;

/// By default in as many runs as `holds` takes.
Words campaign(const std::string& algorithm, const std::string& faults, const Words& more = {},
               const std::string& grants = "1080") {
    Words words{"campaign", algorithm, "--faults", faults, "--grants", grants, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(CliTest, equal_seeds_give_equal_bytes_and_others_do_not) {
    const Ran first = run(campaign("setnx_expire", "pause=1,crash=1"));
    const Ran second = run(campaign("setnx_expire", "pause=1,crash=1"));
    const Ran other = run(campaign("setnx_expire", "pause=1,crash=1", {"--seed", "2"}));
    EXPECT_EQ(first.code, 1);
    EXPECT_EQ(first.out, second.out);
    EXPECT_NE(first.out, other.out);
    const auto grants = [](const Ran& ran) { return parsed(ran.out).at("runs")[0].at("grants"); };
    EXPECT_GE(grants(first), 600U);
    EXPECT_GE(grants(other), 600U);
}

void expect_numbers(const Json& object, const Words& keys) {
    for (const std::string& key : keys) {
        ASSERT_TRUE(object.contains(key)) << key;
        EXPECT_TRUE(object[key].is_number()) << key << " is " << object[key];
    }
}

TEST_F(CliTest, campaign_json_has_what_the_contract_promises) {
    const Ran ran = run(campaign("all", "pause=1,crash=1", {"--seed", "7"}, "100"));
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "");
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("seed"), 7);
    EXPECT_EQ(json.at("world"), "sim");
    ASSERT_TRUE(json.at("runs").is_array());
    EXPECT_GT(json["runs"].size(), 10U);
    for (const Json& row : json["runs"]) {
        SCOPED_TRACE(row.dump());
        EXPECT_TRUE(row.at("algorithm").is_string());
        EXPECT_EQ(row.at("hazards"), (Json{"crash", "pause"}));
        expect_numbers(row, {"grants", "overlaps", "lost_updates", "fence_inversions", "stuck",
                             "throughput_per_s", "commands_per_grant", "jain"});
        expect_numbers(row.at("causes"),
                       {"expired_while_held", "foreign_delete", "foreign_renewal", "revived_key",
                        "clock", "lost_data", "token_collision", "stale_write"});
        expect_numbers(row.at("overlaps_per_1000_grants"), {"value", "low"});
        EXPECT_TRUE(row["overlaps_per_1000_grants"].contains("high"));
        expect_numbers(row.at("wait_us"), {"p50", "p99", "p999", "max"});
        const bool red = row.at("verdict") == "violated" || row.at("verdict") == "stuck";
        EXPECT_EQ(row.at("replay").is_string(), red);
    }
}

TEST_F(CliTest, exit_codes_are_the_verdicts) {
    const auto expect = [&](const Words& words, int code, const char* verdict) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, code) << ran.out;
        EXPECT_EQ(ran.err, "");
        EXPECT_EQ(parsed(ran.out).at("runs")[0].at("verdict"), verdict);
    };
    expect(campaign("set_nx_lua", "none"), 0, "holds");
    expect(campaign("set_nx_lua", "crash=1"), 0, "holds");
    expect(campaign("no_lock", "none"), 1, "violated");
    expect(campaign("setnx_del", "crash=1"), 1, "stuck");
    // It sends no command that could be lost.
    expect(campaign("perfect_lock", "lose_request=1"), 2, "unknown");
    // One verdict for all: the worst.
    EXPECT_EQ(run(campaign("all", "none", {}, "30")).code, 1);
}

/// Nothing went wrong in five runs: that is said, with what it leaves open, and is no success.
TEST_F(CliTest, few_runs_do_not_hold_and_full_goes_on_until_they_do) {
    const Words few{"campaign", "set_nx_lua", "--faults", "none", "--runs", "5"};
    const auto with = [&](const char* word) {
        Words words = few;
        words.emplace_back(word);
        return run(words);
    };
    const Ran text = run(few);
    EXPECT_EQ(text.code, 2);
    EXPECT_NE(
        text.out.find("set_nx_lua under none: not seen (95 %: something goes wrong in at most "
                      "43.4 % of runs; holds is said from 35 runs on)\n"),
        std::string::npos)
        << text.out;
    const Json row = parsed(with("--json").out).at("runs")[0];
    EXPECT_EQ(row.at("verdict"), "not seen");
    EXPECT_NEAR(row.at("goes_wrong_at_most").get<double>(), 0.4345, 0.0001);
    const Ran full = with("--full");
    EXPECT_EQ(full.code, 0);
    EXPECT_NE(full.out.find("holds (95 %: something goes wrong in at most 5 % of runs)\n  73 runs"),
              std::string::npos)
        << full.out;
}

/// What a lock does beside mutual exclusion: who is told late of a grant, whose key is deleted.
TEST_F(CliTest, oracles_are_told_beside_the_verdict) {
    const Words words = campaign("set_nx_del", "delay_reply=1,lose_reply=1,slow_job=1");
    const Json row = parsed(run(words).out).at("runs")[0];
    const Json& oracles = row.at("oracles");
    EXPECT_EQ(oracles.size(), 11U);
    for (const char* name : {"late_grants", "others_keys_deleted", "keys_left"}) {
        const Json& oracle = oracles.at(name);
        EXPECT_EQ(oracle.at("verdict"), "violated") << name;
        EXPECT_LE(oracle.at("found"), oracle.at("of")) << name;
        EXPECT_TRUE(oracle.at("first_run").is_number()) << name;
    }
    EXPECT_EQ(oracles.at("own_keys_deleted").at("found"), 0);
    EXPECT_EQ(oracles.at("deaths").at("found"), 0);
    EXPECT_EQ(oracles.at("long_calls").at("verdict"), "unknown") << "nobody promises anything";
    EXPECT_GT(row.at("commands_in_worst_second"), 0);
    EXPECT_FALSE(row.contains("worst_lag_us")) << "no machine is late in sim";
    Words without(words);
    std::erase(without, "--json");
    const std::string text = run(without).out;
    EXPECT_NE(text.find("another client's key deleted: violated, "), std::string::npos) << text;
    EXPECT_NE(text.find(" in the worst second, Jain "), std::string::npos) << text;
    const Json calm = parsed(run(campaign("set_nx_lua", "none")).out).at("runs")[0].at("oracles");
    for (const auto& [name, oracle] : calm.items()) EXPECT_EQ(oracle.at("found"), 0) << name;
}

TEST_F(CliTest, a_reply_is_late_for_no_longer_than_its_client_waits) {
    const Words shorter{"--timeout", "1s"};
    EXPECT_EQ(run(campaign("set_nx_lua", "delay_reply=1")).code, 1);
    const Ran held = run(campaign("set_nx_lua", "delay_reply=1", shorter));
    EXPECT_EQ(held.code, 0) << held.out;
    EXPECT_GT(parsed(held.out).at("runs")[0].at("strikes").at("delay_reply"), 0);
    EXPECT_EQ(parsed(held.out).at("runs")[0].at("unknown_answers"), 0);
    EXPECT_EQ(run(campaign("setnx_del", "delay_reply=1")).code, 0);
    const Ran bad = run(campaign("set_nx_lua", "none", {"--timeout", "soon"}));
    EXPECT_EQ(bad.code, 64);
    EXPECT_NE(bad.err.find("--timeout 'soon' is no duration"), std::string::npos) << bad.err;
}

TEST_F(CliTest, a_swarm_says_which_faults_violated_runs_had) {
    const Words words{"campaign", "set_nx_lua", "--swarm", "--runs", "60", "--json"};
    const Ran first = run(words);
    EXPECT_EQ(first.code, 1);
    EXPECT_EQ(run(words).out, first.out);
    const Json row = parsed(first.out).at("runs")[0];
    const Json& swarm = row.at("swarm");
    const auto sum = [&](const char* list, const char* key) {
        std::uint64_t all = 0;
        for (const Json& one : swarm.at(list)) all += one.at(key).get<std::uint64_t>();
        return all;
    };
    for (const char* list : {"clients", "ttls", "subsets"}) {
        EXPECT_EQ(sum(list, "runs"), 60U) << list;
        EXPECT_EQ(sum(list, "violated"), row.at("violated_runs")) << list;
    }
    for (const Json& fault : swarm.at("faults")) {
        EXPECT_EQ(fault.at("runs").get<int>() + fault.at("without").at("runs").get<int>(), 60);
        EXPECT_GT(fault.at("struck"), 0) << fault;
    }
    EXPECT_TRUE(swarm.at("fewest_struck").at("faults").is_array());
    options_.folder = home_;
    const Json there = parsed(run(words).out).at("runs")[0];
    const Ran replayed = paste(there.at("replay").get<std::string>() + " --history run.jsonl");
    EXPECT_EQ(replayed.code, 1);
    const std::string history = content_of(home_ / "run.jsonl");
    EXPECT_NE(history.find("\"drawn_faults\":"), std::string::npos);
    const Ran text =
        run({"campaign", "set_nx_lua", "--swarm", "--runs", "60", "--faults", "pause=1,crash=1"});
    EXPECT_NE(text.out.find("a swarm of crash=1,pause=1"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("with pause: violated"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("faults crash, pause: violated"), std::string::npos) << text.out;
    expect_refused({"campaign", "set_nx_lua", "--swarm", "--clients", "1"},
                   {"--swarm", "--clients 2"});
}

TEST_F(CliTest, locks_inside_locks_need_one_order) {
    const Ran crossed = run(campaign("set_nx_lua", "none", {"--locks", "2"}));
    EXPECT_EQ(crossed.code, 1);
    const Json row = parsed(crossed.out).at("runs")[0];
    EXPECT_EQ(row.at("verdict"), "violated");
    EXPECT_EQ(row.at("locks"), 2);
    EXPECT_GT(row.at("causes").at("expired_while_held"), 0);
    EXPECT_EQ(run(campaign("watchdog_owned", "none", {"--locks", "2"}, "60")).code, 1);
    const Words same{"--locks", "2", "--lock-order", "same"};
    for (const char* lock : {"set_nx_lua", "watchdog_owned"}) {
        EXPECT_EQ(run(campaign(lock, "none", same)).code, 0) << lock;
    }
}

TEST_F(CliTest, tasks_share_a_lock_object) {
    const Words two{"--tasks", "2", "--clients", "2"};
    const Ran both = run(campaign("reentrant_watchdog", "none", two));
    EXPECT_EQ(both.code, 1);
    const Json row = parsed(both.out).at("runs")[0];
    EXPECT_EQ(row.at("tasks"), 2);
    EXPECT_GT(row.at("causes").at("shared_object"), 0);
    EXPECT_EQ(run(campaign("perfect_lock", "none", two)).code, 0);
    const Ran text =
        run({"campaign", "reentrant_watchdog", "--faults", "none", "--tasks", "2", "--runs", "3"});
    EXPECT_NE(text.out.find("each client has 2 tasks, which share one lock object"),
              std::string::npos)
        << text.out;
    const std::size_t file = text.out.find("replay '") + 8;
    const Ran again = run({"replay", text.out.substr(file, text.out.find('\'', file) - file)});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_NE(again.out.find("clients 0 to 1, and so on, are tasks of one process"),
              std::string::npos)
        << again.out;
    const Ran searched = run({"explore", "set_nx_lua", "--tasks", "2"});
    EXPECT_EQ(searched.code, 64);
    EXPECT_NE(searched.err.find("right would be campaign set_nx_lua --tasks 2"), std::string::npos)
        << searched.err;
}

TEST_F(CliTest, the_replay_of_a_deadlock_says_who_waits_for_whom) {
    const Ran ran =
        run({"campaign", "setnx_del", "--faults", "none", "--locks", "2", "--runs", "20"});
    const std::size_t file = ran.out.find("replay '") + 8;
    const Ran again = run({"replay", ran.out.substr(file, ran.out.find('\'', file) - file)});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_NE(again.out.find("client 0 has lock 1 and waits for lock 2"), std::string::npos)
        << again.out;
    EXPECT_NE(again.out.find("is stuck: it has lock 2 and waits for lock 1"), std::string::npos)
        << again.out;
}

TEST_F(CliTest, what_does_not_go_with_several_locks_is_named) {
    const auto error_of = [&](const Words& more) {
        const Ran ran = run(campaign("set_nx_lua", "none", more));
        EXPECT_EQ(ran.code, 64) << ran.out;
        return ran.err;
    };
    const auto says = [&](const Words& more, const char* what) {
        const std::string error = error_of(more);
        EXPECT_NE(error.find(what), std::string::npos) << error;
    };
    says({"--locks", "4"}, "--locks '4' is no whole number from 1 to 3");
    says({"--locks", "2", "--lock-order", "some"}, "did you mean 'same'?");
    says({"--lock-order", "same"}, "right would be --locks 2");
    says({"--locks", "2", "--topology", "masters:2"}, "leave out --topology");
}

TEST_F(CliTest, unknown_says_why) {
    const Json row = parsed(run(campaign("perfect_lock", "lose_request=1")).out).at("runs")[0];
    EXPECT_EQ(row.at("why_unknown"), "lose_request struck in no run");
    const Ran text =
        run({"campaign", "perfect_lock", "--faults", "lose_request=1", "--grants", "60"});
    EXPECT_NE(text.out.find("unknown (lose_request struck in no run)"), std::string::npos);
}

TEST_F(CliTest, no_lock_is_seen_by_all_oracles_and_perfect_lock_by_none) {
    const Json canary = parsed(run(campaign("no_lock", "none")).out).at("runs")[0];
    const Json oracle = parsed(run(campaign("perfect_lock", "pause=2,crash=1")).out).at("runs")[0];
    for (const char* key : {"overlaps", "lost_updates", "fence_inversions"}) {
        EXPECT_GT(canary.at(key), 0) << key;
        EXPECT_EQ(oracle.at(key), 0) << key;
    }
    EXPECT_EQ(oracle.at("verdict"), "holds");
}

/// The resource is in the lock's Redis, and asks for the key's value.
TEST_F(CliTest, a_guarded_write_loses_no_update) {
    const auto row_of = [&](const char* lock, const Words& more) {
        return Json(parsed(run(campaign(lock, "pause=1", more)).out).at("runs")[0]);
    };
    const Json plain = row_of("set_nx_lua", {});
    EXPECT_GT(plain.at("lost_updates"), 0);
    EXPECT_EQ(plain.at("denied"), 0);
    const Json guarded = row_of("set_nx_lua", {"--guarded"});
    EXPECT_EQ(guarded.at("verdict"), "violated");
    EXPECT_GT(guarded.at("overlaps"), 0);
    EXPECT_EQ(guarded.at("lost_updates"), 0);
    EXPECT_GT(guarded.at("denied"), 0);
    const Ran replayed = paste(guarded.at("replay"));
    EXPECT_EQ(replayed.code, 1);
    EXPECT_GT(row_of("set_nx_del", {"--guarded"}).at("lost_updates"), 0) << "one value for all";
}

TEST_F(CliTest, the_replay_command_works_where_it_was_printed) {
    options_.folder = home_;  // as in a checkout: ./locklab is here
    const Json row = parsed(run(campaign("setnx_expire", "pause=1")).out).at("runs")[0];
    const std::string command = row.at("replay");
    EXPECT_TRUE(command.starts_with("./locklab replay results/traces/setnx_expire.")) << command;
    const Ran replayed = paste(command);
    EXPECT_EQ(replayed.code, 1);
    EXPECT_TRUE(replayed.out.starts_with("setnx_expire, seed 1, run ")) << replayed.out;

    EXPECT_EQ(paste(command + " --history a").code, 1);
    EXPECT_EQ(paste(command + " --history b").code, 1);
    EXPECT_NE(content_of(home_ / "a"), "");
    EXPECT_EQ(content_of(home_ / "a"), content_of(home_ / "b"));
    EXPECT_EQ(content_of(home_ / "a"), paste(command + " --history -").out);
    // A history is judged as the run was.
    Json judged = parsed(paste("./locklab check a --json").out);
    EXPECT_TRUE(judged.at("inclusion").get<std::string>().starts_with("the rules allow"));
    judged.erase("inclusion");
    EXPECT_EQ(
        judged.at("schedule"),
        "whether the rules allow what the clients made of it is not known: only live runs are "
        "followed; 'locklab replay' makes this one again");
    judged.erase("schedule");
    EXPECT_EQ(judged, parsed(paste(command + " --json").out));
    EXPECT_EQ(judged.at("verdict"), "violated");
}

TEST_F(CliTest, names_with_spaces_and_other_folders_do_not_matter) {
    const Words more{"--traces", "it's a folder"};
    const Json row = parsed(run(campaign("setnx_del", "crash=1", more)).out).at("runs")[0];
    const std::string command = row.at("replay");
    EXPECT_TRUE(fs::is_directory(here_ / "it's a folder"));
    EXPECT_NE(command.find("home/locklab' replay 'it'\\''s a folder/"), std::string::npos)
        << command;
    EXPECT_EQ(paste(command).code, 1);
    // From a third folder the results are in the home, and the command finds them.
    const std::string from_home =
        parsed(run(campaign("setnx_del", "crash=1")).out)["runs"][0]["replay"];
    options_.folder = root_.path();
    EXPECT_EQ(paste(from_home).code, 1);
    EXPECT_EQ(content_of(here_ / "x"), "");
}

TEST_F(CliTest, a_replay_command_outlives_the_next_campaign) {
    const auto command = [&](const char* ttl) {
        const Ran ran = run(campaign("set_nx_lua", "pause=1", {"--ttl", ttl}));
        return parsed(ran.out).at("runs")[0].at("replay").get<std::string>() + " --history -";
    };
    const std::string one = command("1s");
    const std::string before = paste(one).out;
    EXPECT_NE(paste(command("2s")).out, before);
    EXPECT_EQ(paste(one).out, before);
}

TEST_F(CliTest, all_faults_together_still_have_a_file) {
    std::string faults;
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.hazard == Hazard::contention) continue;
        faults += (faults.empty() ? "" : ",") + std::string(row.name) + "=" +
                  std::to_string(most_of(row.hazard));
    }
    const Ran ran = run(
        campaign("no_lock", faults,
                 {"--seed", "18446744073709551615", "--clients", "300", "--retry", "100ms"}, "30"));
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_EQ(paste(parsed(ran.out).at("runs")[0].at("replay")).code, 1);
}

TEST_F(CliTest, what_cannot_be_written_is_known_before_anything_is_run) {
    put_file(here_ / "file", "");
    for (const char* folder : {"file", "file/below", "/proc/nowhere", "/dev/null"}) {
        expect_refused({"campaign", "setnx_del", "--traces", folder}, {folder, "--traces FOLDER"});
        expect_refused({"suite", "--out", folder}, {folder, "--out FOLDER"});
    }
}

TEST_F(CliTest, a_history_that_cannot_be_written_is_an_error) {
    options_.folder = home_;
    const Json row = parsed(run(campaign("setnx_del", "crash=1")).out).at("runs")[0];
    const Ran ran = paste(row.at("replay").get<std::string>() + " --history locklab/x");
    expect_sentence(ran, 2, {"cannot write", "locklab/x"});
    EXPECT_EQ(ran.out, "");
}

TEST_F(CliTest, a_full_disk_leaves_no_half_of_a_file) {
    options_.file_limit = 2048;
    const Ran ran = run({"campaign", "setnx_del", "--faults", "crash=1", "--grants", "600"});
    expect_sentence(ran, 2, {"cannot write", "setnx_del.crash=1.seed1.run", "File too large"});
    EXPECT_NE(ran.out.find("setnx_del under crash=1: stuck"), std::string::npos) << ran.out;
    EXPECT_TRUE(fs::is_empty(home_ / "results" / "traces"));

    options_.file_limit = 512;
    const Ran suite = run({"suite", "--runs", "1", "--out", "full"});
    expect_sentence(suite, 2, {"cannot write", "full/"});
    EXPECT_EQ(suite.out, "");
    // What was written before is whole.
    for (const auto& file : fs::recursive_directory_iterator(here_ / "full")) {
        EXPECT_FALSE(parsed(content_of(file)).empty()) << file.path() << " is half of one";
    }
}

TEST_F(CliTest, a_stdout_that_is_full_is_an_error) {
    options_.out = "/dev/full";
    for (const Words& words : std::vector<Words>{
             {"list"}, {"list", "--json"}, {"--help"}, campaign("perfect_lock", "none")}) {
        expect_sentence(run(words), 2, {"stdout"});
    }
}

}  // namespace
}  // namespace locklab::cli_campaign_test
