#include "harness/stage/scenario_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace locklab::scenario_reader_test {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string_view> kAlgorithms{"set_nx_del", "set_nx_lua", "watchdog_owned"};
constexpr ClientId kA{0};
constexpr ClientId kB{1};

constexpr std::string_view kWhole = R"(# Every key there is.
title: The slow holder's DEL frees another's lock
source: "000"
says: 锁过期了
means: >
  The lock expires,
  and somebody else gets it.
verdict_on_source: 'it''s right'
hits: release without ownership
ttl: 10s
retry: 250ms
timeout: 1s
job_limit: 8s
sim_only: clocks jump
cast:
  - A
  - B: {clock: +3s, job: 12s, habit: always_releases}
  - C: {clock: -1s}
script:
  - A acquires
  - "11s pass"
  - B's next DEL is
    delayed
expect:
  set_nx_del:
    inside_together: [B+C, A+B]
    stuck: {B: for_ever, A: until_ttl}
    kept_out: [C]
    deleted: [B by A]
    extended: [B by B, A by C]
    lost_updates: [B by A]
    why: A deletes
    fix: compare
  set_nx_lua, watchdog_owned:
    why: a script compares
)";

TEST(ScenarioReader, reads_every_key) {
    const Scenario scenario = read_scenario(kWhole, "scenarios/slow.yaml", kAlgorithms);
    EXPECT_EQ(scenario.name, "slow");
    EXPECT_EQ(scenario.title, "The slow holder's DEL frees another's lock");
    EXPECT_EQ(scenario.source, "000");
    EXPECT_EQ(scenario.says, "锁过期了");
    EXPECT_EQ(scenario.means, "The lock expires, and somebody else gets it.");
    EXPECT_EQ(scenario.verdict_on_source, "it's right");
    EXPECT_EQ(scenario.hits, "release without ownership");
    EXPECT_EQ(scenario.ttl, 10s);
    EXPECT_EQ(scenario.retry, Duration(250ms));
    EXPECT_EQ(scenario.timeout, Duration(1s));
    EXPECT_EQ(scenario.job_limit, Duration(8s));
    EXPECT_EQ(scenario.sim_only, "clocks jump");
}

TEST(ScenarioReader, reads_the_cast_and_the_script) {
    const Scenario scenario = read_scenario(kWhole, "slow.yaml", kAlgorithms);
    ASSERT_EQ(scenario.cast.size(), 3U);
    EXPECT_EQ(scenario.cast[0].name, "A");
    EXPECT_EQ(scenario.cast[0].clock_offset, 0s);
    EXPECT_EQ(scenario.cast[0].job, 0s);
    EXPECT_FALSE(scenario.cast[0].always_releases);
    EXPECT_EQ(scenario.cast[1].name, "B");
    EXPECT_EQ(scenario.cast[1].clock_offset, 3s);
    EXPECT_EQ(scenario.cast[1].job, 12s);
    EXPECT_TRUE(scenario.cast[1].always_releases);
    EXPECT_EQ(scenario.cast[2].clock_offset, -1s);
    ASSERT_EQ(scenario.script.size(), 3U);
    EXPECT_EQ(scenario.script[0].verb, Line::Verb::acquires);
    EXPECT_EQ(scenario.script[0].client, kA);
    EXPECT_EQ(scenario.script[0].line, 20U);
    EXPECT_EQ(scenario.script[1].verb, Line::Verb::time_passes);
    EXPECT_EQ(scenario.script[1].amount, 11s);
    EXPECT_EQ(scenario.script[1].text, "11s pass");
    EXPECT_EQ(scenario.script[2].verb, Line::Verb::delays);
    EXPECT_EQ(scenario.script[2].text, "B's next DEL is delayed");
    EXPECT_EQ(scenario.script[2].line, 22U);
}

TEST(ScenarioReader, reads_expectations_in_order) {
    const Scenario scenario = read_scenario(kWhole, "slow.yaml", kAlgorithms);
    ASSERT_EQ(scenario.expectations.size(), 3U);
    const Expectation& first = scenario.expectations[0];
    const ClientId c{2};
    EXPECT_EQ(first.algorithm, "set_nx_del");
    EXPECT_EQ(first.outcome.inside_together, (std::vector<Deed>{{kA, kB}, {kB, c}}));
    EXPECT_EQ(first.outcome.stuck, (std::map<ClientId, StuckKind>{{kA, StuckKind::until_ttl},
                                                                  {kB, StuckKind::for_ever}}));
    EXPECT_EQ(first.outcome.kept_out, std::vector<ClientId>{c});
    EXPECT_EQ(first.outcome.deleted, (std::vector<Deed>{{kB, kA}}));
    EXPECT_EQ(first.outcome.extended, (std::vector<Deed>{{kA, c}, {kB, kB}}));
    EXPECT_EQ(first.outcome.lost_updates, (std::vector<Deed>{{kB, kA}}));
    EXPECT_EQ(first.why, "A deletes");
    EXPECT_EQ(first.fix, "compare");
    EXPECT_EQ(first.line, 25U);
    EXPECT_EQ(scenario.expectations[1].algorithm, "set_nx_lua");
    EXPECT_EQ(scenario.expectations[2].algorithm, "watchdog_owned");
    EXPECT_EQ(scenario.expectations[2].outcome, Outcome{});
    EXPECT_EQ(scenario.expectations[2].why, "a script compares");
    EXPECT_EQ(scenario.expectations[2].fix, "");
    EXPECT_EQ(scenario.expectations[2].line, 34U);
}

/// What the reader says of this text; nothing if it is good.
std::string complaint(std::string_view text) {
    try {
        read_scenario(text, "f.yaml", kAlgorithms);
        return "";
    } catch (const ScenarioError& error) {
        return error.what();
    }
}

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::size_t kStride = 31;
#else
constexpr std::size_t kStride = 3;
#endif

/// Whatever the text, there is no crash, and nothing is thrown but a ScenarioError.
TEST(ScenarioReader, survives_cuts_and_changed_bytes) {
    const std::string whole(kWhole);
    for (std::size_t i = whole.find("title"); i + 1 < whole.size(); i += kStride) {
        EXPECT_NE(complaint(whole.substr(i + 1)), "") << "without the first " << i + 1;
        complaint(whole.substr(0, i));
        for (const char c : std::string_view("\0\n :-[{*&!|>'\"%@~\xff", 18)) {
            std::string changed = whole;
            changed[i] = c;
            complaint(changed);
        }
    }
    complaint("a: " + std::string(100'000, '['));
    complaint(std::string(100'000, '{'));
}

class Folder {
public:
    explicit Folder(const std::string& name) : path(testing::TempDir() + name) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directory(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    void write(const std::string& name, std::string_view text) const {
        std::ofstream(path / name, std::ios::binary) << text;
    }
    std::string complaint() const {
        try {
            read_scenarios(path, kAlgorithms);
            return "";
        } catch (const ScenarioError& error) {
            return std::string(error.what()).substr(path.string().size());
        }
    }
    const std::filesystem::path path;
};

TEST(ScenarioReader, reads_a_folder_by_name) {
    const Folder folder("scenario_reader_good");
    folder.write("b.yaml", kWhole);
    folder.write("a.yaml", kWhole);
    folder.write("README.md", "no scenario");
    const std::vector<Scenario> all = read_scenarios(folder.path, kAlgorithms);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(all[1].name, "b");
}

TEST(ScenarioReader, refuses_a_folder) {
    const Folder folder("scenario_reader_bad");
    EXPECT_EQ(folder.complaint(), ": holds no scenario; right would be a folder with *.yaml files");
    std::filesystem::create_directory(folder.path / "a.yaml");
    EXPECT_EQ(folder.complaint(), "/a.yaml:1:1: cannot be read; right would be a file that can");
    std::filesystem::remove(folder.path / "a.yaml");
    folder.write("b.yaml", "");
    EXPECT_EQ(folder.complaint(),
              "/b.yaml:1:1: the file is empty; right would be a map that begins "
              "with 'title: '");
    folder.write("c.yml", kWhole);
    EXPECT_EQ(folder.complaint(), "/c.yml:1:1: the name ends with '.yml'; right would be '.yaml'");
    std::filesystem::remove_all(folder.path);
    EXPECT_EQ(folder.complaint(),
              ": cannot be read (No such file or directory); right would be a folder of scenarios");
}

}  // namespace
}  // namespace locklab::scenario_reader_test
