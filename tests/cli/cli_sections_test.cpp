// Suites of which only some parts are asked for: the others are named as left out, and run later.

#include <algorithm>

#include "tests/cli/cli_live_run.h"
#include "tests/core/places.h"

namespace locklab::cli_sections_test {
namespace {

namespace fs = std::filesystem;

class CliSectionsTest : public CliLiveTest {
protected:
    /// Without libraries, so that that part takes no time.
    CliSectionsTest() { fs::create_directory_symlink(source_dir() + "/plots", home_ / "plots"); }
    static Words suite(const std::string& sections, const Words& more = {}) {
        Words words{"suite", "--runs", "1", "--out", "a run", "--sections", sections};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    Json manifest() const { return parsed(content_of(here_ / "a run" / "manifest.json")); }
    Json left_out() const {
        Json names = Json::array();
        const Json run = manifest();
        for (const Json& part : run.at("left_out")) names.push_back(part.at("name"));
        return names;
    }
};

TEST_F(CliSectionsTest, what_was_left_out_is_named_and_run_by_a_later_resume) {
    const Ran first = run(suite("libraries"));
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_NE(first.err.find("part 1 of 1, libraries"), std::string::npos) << first.err;
    EXPECT_NE(first.out.find("left out: sim, thresholds, surface, live, scenarios, redlock, "
                             "failovers, price, bench; "
                             "--out 'a run' --resume"),
              std::string::npos)
        << first.out;
    EXPECT_EQ(manifest().at("complete"), false);
    EXPECT_TRUE(manifest().at("to_come").empty());
    EXPECT_EQ(manifest().at("finished"), Json({"libraries"}));
    EXPECT_EQ(left_out(), Json({"sim", "thresholds", "surface", "live", "scenarios", "redlock",
                                "failovers", "price", "bench"}));
    for (const char* page : {"report.html", "report.md"}) {
        const std::string text = content_of(here_ / "a run" / page);
        EXPECT_NE(text.find("This run has only the parts that it was asked for."),
                  std::string::npos);
        EXPECT_NE(text.find("TTLs against pauses, campaigns on a real Redis"), std::string::npos);
        EXPECT_NE(text.find("Not known from this run"), std::string::npos);
        EXPECT_EQ(text.find("stopped before its end"), std::string::npos);
        EXPECT_EQ(text.find("No lock was violated"), std::string::npos);
    }

    const Ran second = run(suite("sim", {"--resume", "--json"}));
    // With one run of each cell few come out as declared.
    EXPECT_TRUE(second.code == 0 || second.code == 1) << second.err << second.out;
    EXPECT_EQ(parsed(second.out).at("complete"), false);
    EXPECT_EQ(parsed(second.out).at("left_out"), left_out());
    EXPECT_EQ(manifest().at("finished"), Json({"libraries", "sim"}));
    EXPECT_EQ(left_out(), Json({"thresholds", "surface", "live", "scenarios", "redlock",
                                "failovers", "price", "bench"}));

    // Without the option, all that is left is run.
    const auto is_in_searches = [&](Process&) {
        const auto traces = fs::directory_iterator(here_ / "a run" / "traces");
        return std::any_of(begin(traces), end(traces), [](const fs::directory_entry& each) {
            return each.path().filename().string().starts_with("explore.");
        });
    };
    interrupted({"suite", "--runs", "1", "--out", "a run", "--resume"}, is_in_searches);
    EXPECT_TRUE(left_out().empty());
    EXPECT_EQ(manifest().at("to_come").size(), 8U);
    EXPECT_NE(content_of(here_ / "a run" / "report.md").find("stopped before its end"),
              std::string::npos);
}

TEST_F(CliSectionsTest, what_is_no_section_is_one_sentence_that_names_the_nearest) {
    expect_refused(suite("surfac"), {"section 'surfac'", "did you mean 'surface'", "thresholds"});
    expect_refused(suite("sim,,live"), {"section ''", "campaigns"});
    expect_refused(suite(""), {"--sections", "empty"});
}

TEST_F(CliSectionsTest, help_lists_every_section) {
    const std::string help = run({"suite", "--help"}).out;
    for (const char* name : {"campaigns", "sim", "thresholds", "surface", "live", "scenarios",
                             "redlock", "failovers", "libraries", "price", "bench"}) {
        EXPECT_NE(help.find(name, help.find("--sections")), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace locklab::cli_sections_test
