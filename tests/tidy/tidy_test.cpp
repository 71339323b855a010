// The rules of the house, kept by a test: each rule is shown a bad file that it must catch, and
// then judges the project itself.
#include <gtest/gtest.h>

#include <functional>

#include "tests/core/places.h"
#include "tests/tidy/arrows.h"
#include "tests/tidy/bans.h"
#include "tests/tidy/functions.h"
#include "tests/tidy/limits.h"
#include "tests/tidy/lists.h"
#include "tests/tidy/names.h"
#include "tests/tidy/types.h"

namespace locklab::tidy {

namespace {

using FileRule = Findings (*)(const Source&);
using ProjectRule = Findings (*)(const std::vector<Source>&);

const std::vector<Source>& project() {
    static const std::vector<Source> sources = read_project(source_dir());
    return sources;
}

void report(const Findings& findings) {
    for (const Finding& finding : findings) ADD_FAILURE() << to_string(finding);
}

void judge(FileRule rule) {
    for (const Source& source : project()) report(rule(source));
}

std::string repeat(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

/// `rule` accepts `good` and rejects `bad` at `line` with a sentence that has `wrong` in it.
void expect_catches(FileRule rule, const std::string& path, const std::string& good,
                    const std::string& bad, std::size_t line, std::string_view wrong) {
    report(rule({path, good}));
    const Findings findings = rule({path, bad});
    ASSERT_EQ(findings.size(), 1U) << path << "\n" << bad;
    EXPECT_EQ(findings[0].path, path);
    EXPECT_EQ(findings[0].line, line);
    EXPECT_NE(findings[0].wrong.find(wrong), std::string::npos) << findings[0].wrong;
    EXPECT_FALSE(findings[0].right.empty());
}

/// `rule` accepts `good`, and rejects it without the source `without`, or with an empty one.
void expect_needs(ProjectRule rule, const std::vector<Source>& good, std::string_view list) {
    report(rule(good));
    std::vector<Source> bad = good;
    for (Source& source : bad) {
        if (source.path == list) source.text.clear();
    }
    EXPECT_EQ(rule(bad).size(), 1U) << list << " was emptied";
}

TEST(TidySource, blanks_comments_and_literals_and_keeps_lines) {
    const Source source{"x.cpp", "a = 1'000; // b\n/* c\n*/ d(\"e\\\"f\", 'g') R\"(h\ni)\" j\n"};
    EXPECT_EQ(code_of(source), "a = 1'000;     \n    \n   d(\"    \", ' ') R\"( \n )\" j\n");
    EXPECT_NE(without_literals(source).find("// b\n/* c\n*/ d(\"    \""), std::string::npos);
}

TEST(TidySource, reads_the_project) {
    EXPECT_GT(project().size(), 40U);
    for (const std::string_view path : {"algorithms/registry.cpp", "harness/core/task.h", "locklab",
                                        "CMakeLists.txt", "tests/tidy/tidy_test.cpp"}) {
        EXPECT_NE(find(project(), path), nullptr) << path;
    }
}

TEST(TidyRules, arrows_catch_what_is_not_drawn) {
    const auto catches = [](const char* path, const char* good, const char* bad,
                            std::string_view wrong) {
        expect_catches(check_arrows, path, good, std::string("\n") + bad, 2, wrong);
    };
    catches("harness/core/x.h", "#include <map>", "#include <yaml-cpp/yaml.h>", "yaml-cpp");
    catches("harness/core/x.h", "#include \"harness/core/y.h\"", "#include \"harness/sim/y.h\"",
            "uses sim");
    catches("algorithms/x.cpp", "#include \"algorithms/y.h\"", "#include \"harness/live/y.h\"",
            "uses live");
    catches("harness/check/x.cpp", "#include <vector>", "#include <unistd.h>", "POSIX");
    catches("harness/store/x.cpp", "#include <lua.hpp>", "#include <hiredis/hiredis.h>", "hiredis");
    catches("harness/live/x.cpp", "#include <uv.h>", "#include <lua.h>", "Lua");
    catches("harness/record/x.cpp", "#include <nlohmann/json.hpp>", "#include <simdjson.h>",
            "unlisted");
    catches("harness/core/x.cpp", "// #include \"y.h\"", "#include \"y.h\"", "includes \"y.h\"");
    catches("harness/explore/CMakeLists.txt", "link(a PUBLIC locklab_sim) # locklab_live",
            "link(a PUBLIC locklab_live)", "uses live");
    catches("harness/core/CMakeLists.txt", "", "link(a PUBLIC PkgConfig::lua)", "Lua");
    report(check_arrows({"tests/x_test.cpp", "#include \"harness/live/y.h\""}));
    EXPECT_EQ(check_arrows({"harness/attic/x.h", ""}).size(), 1U);
}

TEST(TidyRules, every_ban_catches_its_example) {
    for (const Ban& ban : bans()) {
        SCOPED_TRACE(ban.name);
        const std::string example(ban.example);
        const Source bad{std::string(ban.example_path), "\n" + example + "\n"};
        const Findings findings = check_ban(ban, bad);
        ASSERT_EQ(findings.size(), 1U);
        EXPECT_EQ(findings[0].line, 2U);
        const Source excused{bad.path, example + "  // " + std::string(ban.excuse)};
        EXPECT_EQ(check_ban(ban, excused).empty(), !ban.excuse.empty());
        if (ban.view == View::all) continue;
        const Source quoted{bad.path, "f(R\"(" + example + ")\");"};
        if (is_cpp(bad.path)) report(check_ban(ban, quoted));
    }
}

TEST(TidyRules, limits_catch_what_is_too_long) {
    const auto catches = [](const char* path, std::size_t most) {
        expect_catches(check_file_length, path, repeat("x\n", most), repeat("x\n", most + 1),
                       most + 1, "lines");
    };
    catches("algorithms/x.cpp", 80);
    catches("harness/check/x.cpp", 180);
    catches("harness/sim/x.h", 300);
    catches("tests/x_test.cpp", 400);
    catches("harness/sim/README.md", 10);
    catches("scenarios/README.md", 400);
    expect_catches(check_line_length, "plots/x.py", repeat("\u00e9", 100),
                   "\n" + repeat("\u00e9", 101), 2, "101 columns");
    report(check_line_length({"README.md", repeat("x", 500)}));
    report(check_line_length({"scenarios/x.yaml", repeat("x", 500)}));
    report(check_line_length({"tests/x.cpp", "{\"event\":" + repeat("x", 500)}));
    expect_catches(check_line_length, "harness/x.cpp", "", "{\"" + repeat("x", 100), 1, "102");
}

TEST(TidyRules, functions_catch_what_is_too_long) {
    const std::string begin = "int f(int a) {\n";
    const std::string good = begin + repeat("    a++;\n", 50) + "}\n";
    const std::string bad = "\n" + begin + repeat("    a++;\n", 51) + "}\n";
    expect_catches(check_function_length, "harness/core/x.cpp", good, bad, 2, "f has 51 lines");
    expect_catches(check_function_length, "algorithms/x.h", good, bad, 2, "f has 51 lines");
    report(check_function_length({"tests/core/x_test.cpp", bad}));
    const std::size_t all = check_long_functions({}).size();
    ASSERT_GT(all, 0U);
    const std::string row_of = "ClientRow ClientTable::row_of(int a) {\n";
    const auto excused = [&row_of](std::size_t lines) {
        const std::string text = row_of + repeat("    a++;\n", lines) + "}\n";
        return Source{"harness/explore/client_row.cpp", text};
    };
    EXPECT_EQ(check_long_functions({excused(50)}).size(), all);
    EXPECT_EQ(check_long_functions({excused(51)}).size(), all - 1);
    report(check_function_length(excused(51)));
    EXPECT_EQ(check_function_length(excused(90)).size(), 1U);
}

TEST(TidyRules, openings_are_asked_for) {
    const std::string header = "// Why.\n#pragma once\nint x;\n";
    expect_catches(check_header_opening, "harness/core/x.h", header, "// Why.\nint x;\n", 1,
                   "included twice");
    expect_catches(check_header_opening, "harness/core/x.h", header, "\n#pragma once\n", 1,
                   "without a comment");
    const std::string fields = "// Article: a\n// Idea: b\n//   c\n// Claims: d\n// Breaks: e\n\n";
    expect_catches(check_algorithm_opening, "algorithms/x.cpp", fields,
                   "// Article: a\n// Idea: b\n// Breaks: e\nint x;\n", 4, "lacks // Claims:");
    expect_catches(check_algorithm_opening, "algorithms/x.cpp", fields, "#include <map>\n" + fields,
                   1, "lacks // Article:");
}

TEST(TidyRules, names_of_tests_have_one_style) {
    const auto catches = [](const char* path, const char* good, const char* bad,
                            const char* right) {
        expect_catches(check_test_names, path, good, std::string("\n") + bad, 2, "calls a test");
        EXPECT_EQ(check_test_names({path, bad})[0].right, std::string("call it ") + right);
    };
    const char* path = "tests/core/x_test.cpp";
    catches(path, "TEST(Sim, is_calm) {", "TEST(Sim, isCalm) {", "is_calm");
    catches(path, "TEST_F(SimTest, a_2nd_is) {", "TEST_F(SimTest,\n    A2ndIs) {", "a2nd_is");
    catches(path, "TEST_P(Sim, is) {", "TEST_P(sim_run, is) {", "SimRun");
    catches("tests/plots/x_test.py", "def test_a(self):", "def testA(self):", "test_a");
    report(check_test_names({path, "// TEST(Sim, isCalm)\nf(\"TEST(Sim, isCalm)\");"}));
}

TEST(TidyRules, lists_miss_nothing) {
    const std::vector<Source> built{{"CMakeLists.txt", "add_subdirectory(tests)"},
                                    {"tests/CMakeLists.txt", "locklab_test(a SOURCES a_test.cpp)"},
                                    {"tests/a_test.cpp", ""}};
    expect_needs(check_built, built, "CMakeLists.txt");
    expect_needs(check_built, built, "tests/CMakeLists.txt");
    const std::vector<Source> below{{"tests/CMakeLists.txt", "locklab_test(a SOURCES live/a.cpp)"},
                                    {"CMakeLists.txt", "add_subdirectory(tests)"},
                                    {"tests/live/a.cpp", ""}};
    expect_needs(check_built, below, "tests/CMakeLists.txt");
    std::vector<Source> commented = built;
    commented[1].text = "locklab_test(a SOURCES\n  # a_test.cpp\n  b_test.cpp)";
    EXPECT_EQ(check_built(commented).size(), 1U);
    std::vector<Source> taken = built;
    taken[1].text = "file(GLOB files CONFIGURE_DEPENDS *.cpp)";
    report(check_built(taken));
    taken.push_back({"tests/live/b.cpp", ""});
    EXPECT_EQ(check_built(taken).size(), 1U);

    const std::vector<Source> algorithms{{"algorithms/a.cpp", ""},
                                         {"algorithms/registry.cpp", "{\"a\", make_a},"}};
    expect_needs(check_algorithms_listed, algorithms, "algorithms/registry.cpp");

    const std::vector<Source> figures{{"plots/figures/__init__.py", "from . import waits, causes"},
                                      {"plots/figures/waits.py", ""}};
    expect_needs(check_figures_listed, figures, "plots/figures/__init__.py");

    const std::vector<Source> explained{{"harness/sim/README.md", ""}, {"harness/sim/x.h", ""}};
    report(check_readmes(explained));
    EXPECT_EQ(check_readmes({{"harness/sim/x.h", ""}, {"harness/sim/y.h", ""}}).size(), 1U);
}

TEST(TidyRules, tests_lie_where_their_subjects_do) {
    const std::vector<Source> good{
        {"harness/core/x.h", ""},        {"harness/sim/y.cpp", ""},   {"tests/core/x_test.cpp", ""},
        {"tests/core/helper.h", ""},     {"plots/report.py", ""},     {"tests/plots/z_test.py", ""},
        {"tests/corpus/x_test.cpp", ""}, {"tests/README.md", ""},     {"harness/sim/x.h", ""},
        {"tests/sim/x_test.cpp", ""},    {"tests/sim/y_test.cpp", ""}};
    report(check_mirrored(good));
    const auto catches = [&good](const char* path, const char* right) {
        std::vector<Source> bad = good;
        bad.push_back({path, ""});
        const Findings findings = check_mirrored(bad);
        ASSERT_EQ(findings.size(), 1U) << path;
        EXPECT_EQ(findings[0].path, path);
        EXPECT_NE(findings[0].right.find(right), std::string::npos) << findings[0].right;
    };
    catches("tests/core/y_test.cpp", "tests/sim");
    catches("tests/y_test.cpp", "tests/sim");
    catches("tests/helper.h", "tests/LAYER");
    catches("tests/attic/z_test.cpp", "tests/LAYER");
    catches("tests/z_test.py", "tests/LAYER");
}

TEST(Tidy, arrows) { judge(check_arrows); }
TEST(Tidy, contributing_shows_the_arrows) {
    const Source* contributing = find(project(), "CONTRIBUTING.md");
    ASSERT_NE(contributing, nullptr);
    for (const std::string& row : arrows_table()) {
        EXPECT_NE(contributing->text.find("\n" + row + "\n"), std::string::npos)
            << "CONTRIBUTING.md lacks the row " << row;
    }
}
TEST(Tidy, bans) {
    for (const Ban& ban : bans()) {
        for (const Source& source : project()) report(check_ban(ban, source));
    }
}
TEST(Tidy, file_length) { judge(check_file_length); }
TEST(Tidy, function_length) { judge(check_function_length); }
TEST(Tidy, long_functions_are_few) { report(check_long_functions(project())); }
TEST(Tidy, faults_are_named_in_few_files) { report(check_fault_names(project())); }
TEST(TidyFaults, one_that_is_named_in_many_files_is_found) {
    std::vector<Source> sources{
        {"harness/core/hazard.h",
         "enum class Hazard : std::uint8_t {\n    crash,\n    pause\n};\n"}};
    for (int i = 0; i < 12; ++i) {
        sources.push_back({"harness/x/" + std::to_string(i) + ".cpp", "f(Hazard::pause);"});
    }
    sources.push_back({"tests/x.cpp", "f(Hazard::pause);"});
    sources.push_back({"harness/x/y.cpp", "f(Hazard::pauses);"});
    report(check_fault_names(sources));
    sources.push_back({"harness/x/z.cpp", "f(Hazard::pause);"});
    const Findings findings = check_fault_names(sources);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].wrong, "Hazard::pause stands in 13 files");
}
TEST(Tidy, line_length) { judge(check_line_length); }
TEST(TidyTypes, two_of_one_name_are_found_where_they_are_in_one_namespace) {
    const std::string outer = "namespace a {\n\n";
    const std::string one = outer + "struct X {\n    int x;\n};\n\n}  // namespace a\n";
    const std::vector<Source> good{
        {"harness/core/x.h", one},
        {"harness/core/y.h", outer + "class X;\nstruct X::Y {\n};\n}  // namespace a\n"},
        {"harness/core/z.h",
         "namespace b {\nclass X {\n};\n}\nnamespace a::b {\nclass X {\n};\n}\n"},
        {"harness/core/z.cpp", outer + "namespace {\nstruct X {\n};\n}  // namespace\n}\n"}};
    report(check_types(good));
    std::vector<Source> bad = good;
    bad.push_back({"tests/x.h", one});
    const Findings findings = check_types(bad);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].path, "tests/x.h");
    EXPECT_EQ(findings[0].line, 3U);
}

TEST(Tidy, one_name_one_type) { report(check_types(project())); }
TEST(Tidy, header_opening) { judge(check_header_opening); }
TEST(Tidy, algorithm_opening) { judge(check_algorithm_opening); }
TEST(Tidy, everything_is_built) { report(check_built(project())); }
TEST(Tidy, names_of_tests) { judge(check_test_names); }
TEST(Tidy, tests_mirror_the_layers) { report(check_mirrored(project())); }
TEST(Tidy, algorithms_are_listed) { report(check_algorithms_listed(project())); }
TEST(Tidy, figures_are_listed) { report(check_figures_listed(project())); }
TEST(Tidy, folders_are_explained) { report(check_readmes(project())); }

}  // namespace

}  // namespace locklab::tidy
