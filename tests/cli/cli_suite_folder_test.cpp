// The folder of a suite: its own, locked while it runs, gone on with by --resume; and a suite that
// finds no Redis.

#include <ctime>

#include "harness/core/sha1.h"
#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_suite_folder_test {
namespace {

namespace fs = std::filesystem;

class CliSuiteFolderTest : public CliLiveTest {
protected:
    /// Without libraries, whatever is installed in the sources.
    CliSuiteFolderTest() { fs::create_directory_symlink(source_dir() + "/plots", home_ / "plots"); }

    static Words suite(const Words& more = {}) {
        Words words{"suite",
                    "--runs",
                    "1",
                    "--out",
                    "a run",
                    "--sections",
                    "campaigns,scenarios,libraries,bench"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    Json file(const std::string& name) { return parsed(content_of(folder_ / name)); }
    /// Each file that the manifest lists is there, with the digest that it says.
    void expect_as_listed() {
        const Json manifest = file("manifest.json");
        const Json& digests = manifest.at("digests");
        EXPECT_EQ(digests.size(), manifest.at("files").size());
        for (const Json& name : manifest.at("files")) {
            const std::string content = content_of(folder_ / name.get<std::string>());
            EXPECT_EQ(digests.at(name.get<std::string>()), to_hex(sha1(content))) << name;
        }
    }

    const fs::path folder_ = here_ / "a run";
};

TEST_F(CliSuiteFolderTest, a_used_folder_is_refused) {
    fs::create_directory(folder_);
    put_file(folder_ / "somebody's", "");
    expect_refused(suite(), {"a run", "is not empty", "another --out"});
    put_file(folder_ / "manifest.json", "{}");
    expect_refused(suite(), {"a run", "has a run already", "another --out", "--resume"});
}

TEST_F(CliSuiteFolderTest, what_is_no_interrupted_run_is_not_resumed) {
    expect_refused(suite({"--resume"}), {"a run", "no manifest.json", "resumed"});
    expect_refused({"suite", "--resume"}, {"--out FOLDER --resume"});
    fs::create_directory(folder_);
    for (const char* manifest : {"", "nonsense", "[]", "{}", R"({"identity":7})"}) {
        put_file(folder_ / "manifest.json", manifest);
        expect_refused(suite({"--resume"}), {"manifest.json", "another --out"});
    }
}

TEST_F(CliSuiteFolderTest, a_folder_has_one_writer_at_a_time) {
    const auto refused = [&](const Words& more) {
        ProcessOptions other = options_;
        other.out = root_.path() / "other stdout";
        other.err = root_.path() / "other stderr";
        return Process(built_program(), suite(more), other).wait();
    };
    fs::create_directory(folder_);
    std::vector<Ran> others;
    interrupted(suite(), [&](Process&) {
        if (!fs::exists(folder_ / "manifest.json")) return false;
        others = {refused({}), refused({"--resume"})};
        return true;
    });
    ASSERT_EQ(others.size(), 2U);
    for (const Ran& other : others) expect_sentence(other, 64, {"another locklab writes", "a run"});
    EXPECT_EQ(file("manifest.json").at("complete"), false);
}

TEST_F(CliSuiteFolderTest, two_that_start_in_one_second_have_two_folders) {
    const fs::path results = home_ / "results";
    fs::create_directory(results);
    const std::time_t now = std::time(nullptr);
    for (std::time_t at = now; at < now + 100; ++at) {
        char name[32];
        std::strftime(name, sizeof name, "%Y%m%dT%H%M%SZ", std::gmtime(&at));
        fs::create_directory(results / name);
    }
    fs::path made;
    interrupted({"suite", "--runs", "1"}, [&](Process&) {
        for (const auto& entry : fs::directory_iterator(results)) {
            if (fs::exists(entry.path() / "manifest.json")) made = entry.path();
        }
        return !made.empty();
    });
    EXPECT_TRUE(made.string().ends_with("Z-2")) << made;
    EXPECT_TRUE(fs::exists(made / "report.html"));
}

TEST_F(CliSuiteFolderTest, without_a_redis_it_writes_what_it_has_and_is_resumed_with_one) {
    options_.environment["PATH"] = "/nowhere";
    const Ran ran = run(suite());
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.out.find("a run/report.html"), std::string::npos) << ran.out;
    const char* why = "redis-server was not found";
    for (const std::string part : {"live runs", "live plays of the scenarios", "what each lock"}) {
        const std::size_t at = ran.err.find("locklab: " + part);
        ASSERT_NE(at, std::string::npos) << ran.err;
        EXPECT_NE(ran.err.find(why, at), std::string::npos) << ran.err;
    }
    std::size_t said = 0;
    for (const char* line :
         {"part 1 of 5, campaigns in the sim", "  sim   contention          violated no_lock",
          "part 2 of 5, campaigns on a real", "part 4 of 5, libraries",
          "locklab: no library is installed", "part 5 of 5, what"}) {
        said = ran.err.find(line, said);
        ASSERT_NE(said, std::string::npos) << line << " is not said in its turn: " << ran.err;
    }
    const Json before = file("manifest.json");
    EXPECT_EQ(before.at("complete"), false);
    EXPECT_EQ(before.at("running"), false);
    EXPECT_EQ(before.at("to_come").size(), 3U);
    EXPECT_EQ(before.at("missing").size(), 3U);
    EXPECT_EQ(before.at("finished"), Json({"sim", "libraries"}));
    EXPECT_TRUE(file("libraries.json").at("libraries").empty());
    EXPECT_FALSE(file("races.json").at("races").empty()) << "played in sim";
    EXPECT_FALSE(file("bench.json").at("rows").empty()) << "measured in sim";
    EXPECT_NE(content_of(folder_ / "report.html").find(why), std::string::npos);
    expect_as_listed();

    // Another run is not gone on with.
    expect_refused({"suite", "--runs", "2", "--out", "a run", "--resume"},
                   {"a run", "other options", "--runs 1"});
    expect_refused(suite(), {"has a run already", "--resume"});

    // What is as it was left is not made anew: its times stay. What is not, is.
    options_.environment.erase("PATH");
    put_file(folder_ / "libraries.json", R"({"libraries":[]})");
    interrupted(suite({"--resume"}), [&](Process&) { return fs::exists(folder_ / "histories"); });
    const Json after = file("manifest.json");
    EXPECT_EQ(after.at("finished"), Json({"sim"}));
    EXPECT_EQ(after.at("took"), Json({before.at("took").at(0)}));
    EXPECT_EQ(after.at("resumed").size(), 1U);
    for (const char* key : {"started", "command", "identity"}) {
        EXPECT_EQ(after.at(key), before.at(key)) << key;
    }
    EXPECT_GT(after.at("seconds"), before.at("seconds"));
    EXPECT_TRUE(after.at("missing").empty());
    EXPECT_NE(after.at("redis"), "");
    expect_as_listed();
}

/// As an earlier build of locklab would have left the run.
TEST_F(CliSuiteFolderTest, parts_are_made_anew_beside_those_of_another_build) {
    const auto with = [&](Words more) {
        const Words suite{"suite", "--runs", "1", "--out", "a run"};
        more.insert(more.begin(), suite.begin(), suite.end());
        return more;
    };
    expect_refused({"suite", "--remake", "sim"}, {"--out FOLDER --remake sim"});
    expect_refused(with({"--remake", "sim", "--resume"}), {"--remake and --resume"});
    run(with({"--sections", "sim,surface"}));
    Json manifest = file("manifest.json");
    manifest["identity"]["program"] = "of another";
    manifest["commit"] = "abc";
    manifest["digests"]["traces/no_lock_is_broken_so_any_more"] = "";
    put_file(folder_ / "manifest.json", manifest.dump());
    put_file(folder_ / "traces/no_lock_is_broken_so_any_more", "");
    put_file(folder_ / "failovers.jsonl", "");
    expect_refused(with({"--resume"}), {"another build", "--remake"});
    expect_refused(with({"--seed", "2", "--remake", "sim"}), {"other options"});
    const Json surface = file("surface.json");

    // What cannot be kept is not lost.
    fs::rename(folder_ / "surface.json", folder_ / "away");
    expect_refused(with({"--remake", "sim"}), {"'surface' of a run", "would lose it", "anew too"});
    EXPECT_EQ(file("manifest.json"), manifest);
    fs::rename(folder_ / "away", folder_ / "surface.json");

    run(with({"--remake", "sim"}));
    const Json after = file("manifest.json");
    EXPECT_EQ(after.at("finished"), Json({"surface", "sim"}));
    const Json& took = after.at("took");
    EXPECT_EQ(took.at(0).at("commit"), "abc");
    EXPECT_EQ(took.at(0).at("started"), manifest.at("started"));
    EXPECT_EQ(took.at(1).at("name"), "sim");
    EXPECT_FALSE(took.at(1).contains("commit")) << "this build made it";
    EXPECT_NE(after.at("commit"), "abc");
    EXPECT_EQ(file("surface.json"), surface);
    expect_as_listed();
    EXPECT_FALSE(fs::exists(folder_ / "traces/no_lock_is_broken_so_any_more"));
    // Of a part that is not made anew, nothing goes.
    EXPECT_TRUE(fs::exists(folder_ / "failovers.jsonl"));
}

}  // namespace
}  // namespace locklab::cli_suite_folder_test
