// A suite that came to its end: what it has, and what --resume makes of a part that was spoiled.

#include "tests/cli/cli_whole_suite.h"

#include <set>

#include "algorithms/registry.h"
#include "harness/core/sha1.h"
#include "tests/core/places.h"

namespace locklab::cli_whole_suite_test {
namespace {

namespace fs = std::filesystem;

class CliWholeSuiteTest : public CliWholeSuite {};

TEST_F(CliWholeSuiteTest, ends_with_what_every_lock_costs) {
    EXPECT_EQ(file("manifest.json").at("complete"), true);
    const Json bench = file("bench.json");
    std::set<std::string> seen;
    for (const Json& row : bench.at("rows")) {
        EXPECT_TRUE(row.at("error").is_null()) << row;
        if (row.contains("lock")) {
            seen.insert(row.at("suite").get<std::string>() + " " +
                        row.at("lock").get<std::string>());
        }
    }
    for (const Algorithm& lock : algorithms()) {
        for (const char* suite : {"live/uncontended ", "live/distinct ", "live/contended ",
                                  "live/arrivals ", "live/recovery ", "sim/plane "}) {
            EXPECT_TRUE(seen.contains(suite + std::string(lock.name))) << suite << lock.name;
        }
    }
    EXPECT_EQ(content_of(folder_ / "bench.csv").rfind("name,", 0), 0U);
    EXPECT_FALSE(bench.at("versions").at("redis").get<std::string>().empty());
}

TEST_F(CliWholeSuiteTest, says_how_long_each_part_took) {
    const Json manifest = file("manifest.json");
    EXPECT_TRUE(manifest.at("left_out").empty());
    std::vector<std::string> took;
    for (const Json& part : manifest.at("took")) {
        took.push_back(part.at("name"));
        EXPECT_GE(part.at("seconds"), 0);
        EXPECT_GE(part.at("processor_seconds"), 0);
    }
    EXPECT_EQ(Json(took), manifest.at("finished"));
    EXPECT_EQ(took.size(), 10U);
}

/// One that is tried out has one row. A run that a busy machine disturbed is left out.
TEST_F(CliWholeSuiteTest, what_safety_costs_is_measured_with_and_without_faults) {
    const Json rows = file("price.json").at("price");
    ASSERT_EQ(rows.size(), 1U);
    for (const Json& row : rows) {
        EXPECT_TRUE(row.at("why_not").is_null()) << row;
        const Json& calm = row.at("calm");
        const Json& struck = row.at("struck");
        EXPECT_EQ(struck.at("runs").get<int>() + struck.at("left_out").get<int>(), 1) << row;
        EXPECT_EQ(calm.at("grants").get<int>() > 0, calm.at("grants_per_s").get<double>() > 0);
        const std::string lock = "campaign driver:" + row.at("lock").get<std::string>() + " ";
        for (const Json& part : {calm, struck}) {
            const auto command = part.at("command").get<std::string>();
            EXPECT_NE(command.find(lock), std::string::npos) << command;
        }
    }
    EXPECT_EQ(rows[0].at("lock"), "set_nx_lua");
    EXPECT_FALSE(fs::exists(folder_ / "price.part.jsonl")) << "the section has ended";
}

/// Of what is as it was left nothing is made anew: even its times stay. What is not, is.
TEST_F(CliWholeSuiteTest, what_was_spoiled_is_made_anew_and_nothing_else) {
    const fs::path folder = here_ / "a run";
    fs::copy(folder_, folder, fs::copy_options::recursive);
    options_.environment["LOCKLAB_HOME"] = fs::canonical(folder_ / "../home");
    const Json before = file("manifest.json");
    const std::string thresholds = content_of(folder / "thresholds.json");
    put_file(folder / "surface.json", R"({"surface":[]})");
    const Ran ran = run({"suite", "--runs", "3", "--out", "a run", "--resume"});
    EXPECT_TRUE(ran.code == 0 || ran.code == 1) << ran.err;
    EXPECT_NE(ran.err.find("part 3 of 10, TTLs"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("part 4 of 10"), std::string::npos) << ran.err;
    EXPECT_EQ(content_of(folder / "thresholds.json"), thresholds);
    EXPECT_EQ(content_of(folder / "surface.json"), content_of(folder_ / "surface.json"));
    const Json after = parsed(content_of(folder / "manifest.json"));
    EXPECT_EQ(after.at("complete"), true);
    EXPECT_EQ(after.at("finished"), Json({"sim", "thresholds", "live", "scenarios", "redlock",
                                          "failovers", "libraries", "price", "bench", "surface"}));
    EXPECT_EQ(after.at("resumed").size(), 1U);
    for (const char* key : {"started", "command", "identity"}) {
        EXPECT_EQ(after.at(key), before.at(key)) << key;
    }
    EXPECT_GT(after.at("seconds"), before.at("seconds"));
    for (const Json& name : after.at("files")) {
        const std::string content = content_of(folder / name.get<std::string>());
        EXPECT_EQ(after.at("digests").at(name.get<std::string>()), to_hex(sha1(content))) << name;
    }
}

}  // namespace
}  // namespace locklab::cli_whole_suite_test
