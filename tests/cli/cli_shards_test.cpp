// Shards of a command, merged: to the byte what one run gives, however many there are and in which
// order they come. What is missing, damaged or of another run is named, and nothing is written.

#include <algorithm>

#include "tests/cli/cli_run.h"

namespace locklab::cli_shards_test {
namespace {

namespace fs = std::filesystem;

class CliShardsTest : public CliTest {
protected:
    static std::string shard_of(std::size_t index, std::size_t of) {
        return std::to_string(index) + "/" + std::to_string(of);
    }
    static std::string folder_of(std::size_t index, std::size_t of) {
        return "shard " + std::to_string(index) + " of " + std::to_string(of);
    }
    static Words with(Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    Ran make(const Words& command, std::size_t index, std::size_t of) {
        return run(with(command, {"--shard", shard_of(index, of), "--out", folder_of(index, of)}));
    }
    /// Makes all shards, and returns `merge` with their folders, the last first.
    Words merge_of(const Words& command, std::size_t of) {
        Words words{"merge"};
        for (std::size_t i = of; i-- > 0;) {
            const Ran made = make(command, i, of);
            EXPECT_EQ(made.code, 0) << made.err;
            words.push_back(folder_of(i, of));
        }
        return words;
    }
    void expect_equal_to_one_run(const Words& command, const Words& more = {}) {
        const Ran one = run(with(command, more));
        ASSERT_NE(one.out, "") << one.err;
        const std::map<fs::path, std::string> traces = traces_left();
        for (const std::size_t of : {1U, 3U, 8U}) {
            SCOPED_TRACE(of);
            fs::remove_all(home_ / "results");
            const Ran merged = run(with(merge_of(command, of), more));
            EXPECT_EQ(merged.out, one.out);
            EXPECT_EQ(merged.err, one.err);
            EXPECT_EQ(merged.code, one.code);
            EXPECT_EQ(traces_left(), traces);
        }
    }
    /// Witnesses, by name.
    std::map<fs::path, std::string> traces_left() const {
        std::map<fs::path, std::string> traces;
        const fs::path folder = home_ / "results" / "traces";
        if (!fs::exists(folder)) return traces;
        for (const auto& file : fs::directory_iterator(folder)) {
            traces[file.path().filename()] = content_of(file.path());
        }
        return traces;
    }
    void expect_merge_refused(const Words& merge, const Words& words) {
        const std::vector<fs::path> before = written();
        expect_sentence(run(merge), 64, words);
        EXPECT_EQ(written(), before);
    }
};

/// Clean, violated, stuck, fenced; faults that strike seldom.
const Words kOneLock{"campaign", "setnx_expire", "--faults", "pause=1,crash=1,delay_request=1",
                     "--runs",   "150"};

TEST_F(CliShardsTest, merged_runs_of_one_lock_are_those_of_one_run) {
    expect_equal_to_one_run(kOneLock);
    expect_equal_to_one_run(kOneLock, {"--json"});
}

TEST_F(CliShardsTest, merged_runs_of_all_locks_are_those_of_one_run) {
    expect_equal_to_one_run(
        {"campaign", "all", "--faults", "pause=1,crash=1,lose_reply=1", "--runs", "11"},
        {"--json"});
}

TEST_F(CliShardsTest, merged_runs_of_a_swarm_are_those_of_one_run) {
    expect_equal_to_one_run({"campaign", "redlock", "--swarm", "--runs", "40", "--seed", "5"},
                            {"--json"});
}

TEST_F(CliShardsTest, merged_schedules_are_those_of_one_search) {
    // It takes time to search, and says how much.
    const auto without_time = [](const std::string& out) {
        Json json = parsed(out);
        json.erase("seconds");
        return json;
    };
    const auto expect_equal = [&](const Words& command) {
        const Json one = without_time(run(with(command, {"--json"})).out);
        for (const std::size_t of : {1U, 3U, 8U}) {
            SCOPED_TRACE(command[1] + " of " + std::to_string(of));
            EXPECT_EQ(without_time(run(with(merge_of(command, of), {"--json"})).out), one);
            for (std::size_t i = 0; i < of; ++i) fs::remove_all(here_ / folder_of(i, of));
        }
        return one;
    };
    const Words random{"--strategy", "random", "--budget", "20000", "--faults"};
    expect_equal(with({"explore", "set_nx_lua"}, with(random, {"crash=1"})));
    const Json broken = expect_equal(with({"explore", "set_nx_lua"}, with(random, {"pause=1"})));
    EXPECT_EQ(broken.at("verdict"), "violated");
    const Json counted =
        expect_equal(with({"explore", "set_nx_lua"}, with(random, {"pause=1", "--count"})));
    EXPECT_GT(counted.at("violated_schedules"), 1);
    expect_refused({"explore", "set_nx_lua", "--shard", "0/2", "--out", "x"},
                   {"--strategy random"});
}

TEST_F(CliShardsTest, merged_cells_of_libraries_are_those_of_one_table) {
    // Plays in virtual time, whose cells say when they were made and how long that took.
    const auto without_times = [](const std::string& out) {
        Json json = parsed(out);
        for (Json& row : json.at("runs")) {
            row.erase("date");
            row.erase("seconds");
        }
        return json;
    };
    const Words table{"campaign",    "libraries",
                      "--libraries", "driver:set_nx_lua,driver:setnx_del,driver:no_lock",
                      "--faults",    "none;crash=1",
                      "--plays",     "3"};
    const Json one = without_times(run(with(table, {"--json", "--out", "one"})).out);
    ASSERT_EQ(one.at("runs").size(), 6U);
    for (const std::size_t of : {2U, 8U}) {
        EXPECT_EQ(without_times(run(with(merge_of(table, of), {"--json"})).out), one);
    }
}

TEST_F(CliShardsTest, the_same_shard_twice_counts_once) {
    const Words merge = merge_of(kOneLock, 3);
    fs::copy(here_ / folder_of(1, 3), here_ / "copy", fs::copy_options::recursive);
    EXPECT_EQ(run(with(merge, {"copy", folder_of(0, 3)})).out, run(kOneLock).out);
}

TEST_F(CliShardsTest, a_finished_shard_is_not_made_again_and_a_damaged_one_is) {
    ASSERT_EQ(make(kOneLock, 1, 3).code, 0);
    const fs::path file = here_ / folder_of(1, 3) / "setnx_expire.0.jsonl";
    const std::string content = content_of(file);
    const auto time = fs::last_write_time(file);
    const Ran again = make(kOneLock, 1, 3);
    EXPECT_EQ(again.code, 0);
    EXPECT_NE(again.out.find("finished before"), std::string::npos) << again.out;
    EXPECT_EQ(fs::last_write_time(file), time);
    put_file(file, "{}\n");
    EXPECT_EQ(make(kOneLock, 1, 3).code, 0);
    EXPECT_EQ(content_of(file), content);
}

TEST_F(CliShardsTest, what_is_missing_is_named_with_the_command_that_makes_it) {
    Words merge = merge_of(kOneLock, 8);
    std::erase(merge, folder_of(2, 8));
    expect_merge_refused(
        merge, {"shard 2/8 is missing", "setnx_expire", "--runs 150", "--shard 2/8 --out FOLDER"});
    std::erase(merge, folder_of(7, 8));
    expect_merge_refused(merge, {"shards 2/8, 7/8 are missing"});
    expect_merge_refused({"merge", "nowhere"}, {"nowhere is no folder"});
    expect_merge_refused({"merge"}, {"which shards?"});
    // As a kill leaves it.
    fs::remove(here_ / folder_of(3, 8) / "shard.json");
    expect_merge_refused(merge, {folder_of(3, 8), "no finished shard"});
}

TEST_F(CliShardsTest, what_is_damaged_is_named) {
    const Words merge = merge_of(kOneLock, 3);
    const fs::path runs = here_ / folder_of(1, 3) / "setnx_expire.0.jsonl";
    const std::string content = content_of(runs);
    put_file(runs, content.substr(0, content.size() - 1));
    expect_merge_refused(merge, {folder_of(1, 3), "setnx_expire.0.jsonl", "damaged",
                                 "--shard 1/3 --out 'shard 1 of 3'"});
    fs::remove(runs);
    expect_merge_refused(merge, {folder_of(1, 3), "lacks setnx_expire.0.jsonl"});
    put_file(runs, content);
    const fs::path row = here_ / folder_of(2, 3) / "shard.json";
    std::string text = content_of(row);
    text.replace(text.find("\"150\""), 5, "\"151\"");
    put_file(row, text);
    expect_merge_refused(merge, {folder_of(2, 3), "shard.json", "damaged"});
    put_file(row, "nonsense");
    expect_merge_refused(merge, {folder_of(2, 3), "shard.json", "damaged"});
}

TEST_F(CliShardsTest, what_is_of_another_run_is_named) {
    const Words merge = merge_of(kOneLock, 3);
    const auto expect_foreign = [&](const Words& command, std::size_t of, const Words& words) {
        fs::remove_all(here_ / "foreign");
        ASSERT_EQ(run(with(command, {"--shard", shard_of(1, of), "--out", "foreign"})).code, 0);
        expect_merge_refused(with(merge, {"foreign"}), with(words, {"foreign", folder_of(2, 3)}));
    };
    expect_foreign(with(kOneLock, {"--seed", "2"}), 3,
                   {"made with --seed 2", "one made without --seed"});
    expect_foreign(with(kOneLock, {"--ttl", "2s"}), 3, {"--ttl 2s"});
    expect_foreign(kOneLock, 4, {"a shard of 4", "one of 3"});
    Words other = kOneLock;
    other[1] = "no_lock";
    expect_foreign(other, 3, {"campaign no_lock", "campaign setnx_expire"});
    expect_sentence(run(with(other, {"--shard", "1/3", "--out", folder_of(1, 3)})), 64,
                    {folder_of(1, 3), "has a shard of", "another --out"});
    expect_sentence(run(with(kOneLock, {"--shard", "0/3", "--out", folder_of(1, 3)})), 64,
                    {folder_of(1, 3), "has shard 1/3", "another --out"});
}

TEST_F(CliShardsTest, what_is_no_shard_is_one_sentence) {
    for (const char* text : {"3", "3/3", "-1/3", "1/0", "a/b", "1/2/3", "1/100001", "/", "0/"}) {
        expect_refused(with(kOneLock, {"--shard", text, "--out", "x"}),
                       {"--shard '" + std::string(text) + "'", "0/8"});
    }
    expect_refused(with(kOneLock, {"--shard", "0/2"}), {"--out FOLDER"});
    expect_refused({"campaign", "no_lock", "--shard", "0/2", "--out", "x"}, {"--runs"});
    expect_refused(with(kOneLock, {"--full", "--shard", "0/2", "--out", "x"}), {"--full"});
    expect_refused(
        {"campaign", "no_lock", "--world", "live", "--runs", "3", "--shard", "0/2", "--out", "x"},
        {"live runs", "--world sim"});
    expect_refused({"campaign", "driver:no_lock", "--shard", "0/2", "--out", "x"}, {"--shard"});
}

}  // namespace
}  // namespace locklab::cli_shards_test
