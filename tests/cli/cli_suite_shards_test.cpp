// Shards of a suite, merged: the files of one run to the byte, save what is a time, and a page.

#include "tests/cli/cli_run.h"

namespace locklab::cli_suite_shards_test {
namespace {

namespace fs = std::filesystem;

class CliSuiteShardsTest : public CliTest {
protected:
    CliSuiteShardsTest() { use_sources(); }

    Words suite(const Words& more) const {
        Words words{"suite", "--runs", "2", "--sections", sections_};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// The folders of all shards.
    Words made(std::size_t of) {
        Words folders;
        for (std::size_t i = 0; i < of; ++i) {
            const std::string folder = "part " + std::to_string(i) + " of " + std::to_string(of);
            const Ran ran = run(
                suite({"--shard", std::to_string(i) + "/" + std::to_string(of), "--out", folder}));
            EXPECT_EQ(ran.code, 0) << ran.err;
            folders.push_back(folder);
        }
        return folders;
    }
    Ran merged(const Words& folders) {
        Words words{"merge", "--out", "a run"};
        words.insert(words.end(), folders.begin(), folders.end());
        return run(words);
    }
    /// A file without its times.
    static std::string without_times(const fs::path& file) {
        const std::string content = content_of(file);
        if (file.extension() != ".json" || file.parent_path().filename() == "traces") {
            return content;
        }
        Json json = parsed(content);
        if (json.contains("thresholds")) {
            for (Json& row : json["thresholds"]) row.erase("seconds");
        }
        return json.dump();
    }
    void expect_equal_runs(const fs::path& one, const fs::path& other) {
        const Json files = parsed(content_of(one / "manifest.json")).at("files");
        EXPECT_EQ(parsed(content_of(other / "manifest.json")).at("files"), files);
        ASSERT_GT(files.size(), 8U);
        for (const Json& file : files) {
            const std::string name = file.get<std::string>();
            EXPECT_EQ(without_times(one / name), without_times(other / name)) << name;
        }
    }
    void expect_equal(const std::vector<std::size_t>& numbers) {
        const Ran one = run(suite({"--out", "a run"}));
        ASSERT_TRUE(fs::exists(here_ / "a run" / "report.html")) << one.err;
        fs::rename(here_ / "a run", here_ / "one");
        for (const std::size_t of : numbers) {
            SCOPED_TRACE(of);
            const Ran ran = merged(made(of));
            EXPECT_EQ(ran.code, one.code) << ran.err;
            EXPECT_EQ(ran.out, one.out);
            expect_equal_runs(here_ / "one", here_ / "a run");
            EXPECT_TRUE(fs::exists(here_ / "a run" / "report.html"));
            const Json manifest = parsed(content_of(here_ / "a run" / "manifest.json"));
            EXPECT_EQ(manifest.at("merged_from"), of);
            EXPECT_EQ(manifest.at("finished"),
                      parsed(content_of(here_ / "one" / "manifest.json")).at("finished"));
            fs::remove_all(here_ / "merged");
            fs::rename(here_ / "a run", here_ / "merged");
        }
        const Ran compared = run({"compare", "one", "merged"});
        // It has not every section, so what is missing is unknown.
        EXPECT_EQ(compared.code, 2) << compared.err;
        EXPECT_NE(compared.out.find("0 verdicts, 0 thresholds, 0 races changed"), std::string::npos)
            << compared.out;
    }

    std::string sections_ = "sim,surface";
};

TEST_F(CliSuiteShardsTest, merged_files_are_those_of_one_run) { expect_equal({1, 3, 8}); }

TEST_F(CliSuiteShardsTest, merged_thresholds_are_those_of_one_run) {
    // They take longest.
    sections_ = "thresholds";
    expect_equal({3});
}

TEST_F(CliSuiteShardsTest, what_is_no_part_of_the_run_is_refused_and_nothing_is_written) {
    const auto shard = [&](std::size_t index, const Words& more, const std::string& folder) {
        Words words{"suite",
                    "--runs",
                    "1",
                    "--sections",
                    "surface",
                    "--shard",
                    std::to_string(index) + "/2",
                    "--out",
                    folder};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_EQ(run(words).code, 0);
    };
    shard(0, {}, "first");
    shard(1, {"--seed", "2"}, "foreign");
    shard(1, {}, "second");
    const auto expect_no_merge = [&](const Words& folders, const Words& words) {
        expect_sentence(merged(folders), 64, words);
        EXPECT_FALSE(fs::exists(here_ / "a run"));
    };
    expect_no_merge({"first"}, {"shard 1/2 is missing", "--sections surface"});
    expect_no_merge({"first", "foreign"}, {"foreign", "made with --seed 2"});
    expect_sentence(run({"merge", "first", "second"}), 64, {"--out FOLDER"});
    put_file(here_ / "second" / "surface.json", "{}");
    expect_no_merge({"first", "second"}, {"second lacks surface.json", "damaged"});
    // A part is no whole run to go on with.
    expect_sentence(run({"suite", "--runs", "1", "--out", "first", "--resume"}), 64,
                    {"first", "with other options"});
}

}  // namespace
}  // namespace locklab::cli_suite_shards_test
