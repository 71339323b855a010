// scenarios/README.md says what the program does: its table, its example and its keys are
// compared with the program's own.

#include <algorithm>

#include "tests/cli/cli_run.h"
#include "tests/core/places.h"
#include "tests/core/readme.h"

namespace locklab::scenario_readme_test {
namespace {

const std::filesystem::path kReadme = std::filesystem::path(source_dir()) / "scenarios/README.md";
constexpr std::string_view kMark = "<!-- table -->\n";

class ScenarioReadmeTest : public CliTest {
protected:
    const std::string readme_ = content_of(kReadme);
};

TEST_F(ScenarioReadmeTest, its_table_is_the_programs) {
    const Ran ran = run({"scenario", "all", "--table"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(between(readme_, kMark, kMark), ran.out)
        << "Put the output of './locklab scenario all --table' between the two marks of "
           "scenarios/README.md.";
}

TEST_F(ScenarioReadmeTest, its_example_prints_what_it_says) {
    put_file(here_ / "my.yaml", between(readme_, "```yaml\n", "```\n"));
    const std::string command = "$ locklab scenario ./my.yaml\n";
    const Ran ran = run({"scenario", "./my.yaml"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(between(readme_, command, "```\n"), ran.out)
        << "Put the output of './locklab scenario ./my.yaml' below the example.";
}

TEST_F(ScenarioReadmeTest, its_keys_are_the_readers) {
    // The reader's list stands in what it says of a key that it does not know.
    const auto known = [&](const std::string& text) {
        put_file(here_ / "bad.yaml", text);
        const std::string list = between(run({"scenario", "bad.yaml"}).err, "Known: ", "\n");
        std::vector<std::string> keys;
        std::istringstream words(list);
        for (std::string key; std::getline(words >> std::ws, key, ',');) keys.push_back(key);
        std::sort(keys.begin(), keys.end());
        return keys;
    };
    const auto said = [&](std::string_view from) {
        std::vector<std::string> keys = first_column(between(readme_, from, "\n\n"));
        std::sort(keys.begin(), keys.end());
        return keys;
    };
    const std::string head = "title: x\nsource: x\nhits: x\nttl: 1s\n";
    EXPECT_EQ(said("\n| key | needed |"), known("x: y\n"));
    EXPECT_EQ(said("\n| trait |"), known(head + "cast: [A: {x: y}]\nscript: [A tries]\n"));
    EXPECT_EQ(said("\n| key | lists |"),
              known(head + "cast: [A]\nscript: [A tries]\nexpect: {no_lock: {x: y}}\n"));
}

}  // namespace
}  // namespace locklab::scenario_readme_test
