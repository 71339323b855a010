#!/usr/bin/env python3
"""The rules of the house, kept by a test: each rule is shown bad files that it must catch, and then
judges the project itself."""

import unittest

import arrows
import bans
import limits
import lists
import names
from source import TOP, Source, read_project

FILE_RULES = (arrows.check_arrows, bans.check_bans, limits.check_file_length,
              limits.check_line_length, limits.check_header_opening,
              limits.check_algorithm_opening, names.check_test_names)
PROJECT_RULES = (lists.check_built, lists.check_mirrored, lists.check_algorithms_listed,
                 lists.check_figures_listed, lists.check_readmes, lists.check_fault_names,
                 names.check_types)


def sources_of(texts):
    return {path: Source(path, text) for path, text in texts.items()}


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources = {source.path: source for source in read_project()}

    def test_is_read(self):
        self.assertGreater(len(self.sources), 40)
        for path in ("algorithms/registry.cpp", "harness/core/task.h", "locklab", "CMakeLists.txt",
                     "tests/tidy/tidy_test.py"):
            self.assertIn(path, self.sources)

    def test_keeps_the_rules(self):
        findings = [finding for rule in PROJECT_RULES for finding in rule(self.sources)]
        findings += [finding for rule in FILE_RULES for source in self.sources.values()
                     for finding in rule(source)]
        if findings:
            self.fail("\n" + "\n".join(map(str, findings)))

    def test_shows_the_arrows_in_contributing(self):
        shown = self.sources["CONTRIBUTING.md"].lines
        missing = [row for row in arrows.table() if row not in shown]
        self.assertFalse(missing, "CONTRIBUTING.md lacks these rows")


class Rules(unittest.TestCase):
    def catches(self, rule, path, good, bad, line, wrong, right=""):
        """The rule accepts `good`, and finds one thing wrong with `bad`."""
        with self.subTest(rule=rule.__name__, path=path, bad=bad[:200]):
            self.assertEqual(list(rule(Source(path, good))), [])
            (finding,) = rule(Source(path, bad))
            self.assertEqual((finding.path, finding.line), (path, line))
            self.assertIn(wrong, finding.wrong)
            self.assertIn(right, finding.right)
            self.assertTrue(finding.right)

    def needs(self, rule, texts, *needed):
        """The rule accepts these files, and not if one of the needed is empty or taken away."""
        self.assertEqual(list(rule(sources_of(texts))), [])
        for path in needed:
            self.assertEqual(len(list(rule(sources_of(texts | {path: ""})))), 1, path)

    def rejects(self, rule, texts, path, words):
        with self.subTest(path=path, words=words):
            (finding,) = rule(sources_of(texts))
            self.assertEqual(finding.path, path)
            self.assertIn(words, str(finding))

    def test_see_code_without_comments_and_literals(self):
        text = "a = 1'000; // b\n/* c\n*/ d(\"e\\\"f\", 'g') R\"(h\ni)\" j\n"
        source = Source("x.cpp", text)
        self.assertEqual(source.code,
                         "a = 1'000;     \n    \n   d(\"    \", ' ') R\"( \n )\" j\n")
        self.assertIn("// b\n/* c\n*/ d(\"    \"", source.without_literals)

    def test_arrows_catch_what_is_not_drawn(self):
        for path, good, bad, wrong in (
                ("harness/core/x.h", "#include <map>", "#include <yaml-cpp/yaml.h>", "yaml-cpp"),
                ("harness/core/x.h", '#include "harness/core/y.h"', '#include "harness/sim/y.h"',
                 "uses sim"),
                ("algorithms/x.cpp", '#include "algorithms/y.h"', '#include "harness/live/y.h"',
                 "uses live"),
                ("harness/check/x.cpp", "#include <vector>", "#include <unistd.h>", "POSIX"),
                ("harness/check/x.cpp", "#include <vector>", "#include <netdb.h>", "POSIX"),
                ("harness/store/x.cpp", "#include <lua.hpp>", "#include <hiredis/hiredis.h>",
                 "hiredis"),
                ("harness/live/x.cpp", "#include <uv.h>", "#include <lua.h>", "Lua"),
                ("harness/record/x.cpp", "#include <nlohmann/json.hpp>", "#include <simdjson.h>",
                 "unlisted"),
                ("harness/core/x.cpp", '// #include "y.h"', '#include "y.h"', 'uses "y.h"'),
                ("harness/explore/CMakeLists.txt", "link(a PUBLIC locklab_sim) # locklab_live",
                 "link(a PUBLIC locklab_live)", "uses live"),
                ("harness/core/CMakeLists.txt", "", "link(a PUBLIC PkgConfig::lua)", "Lua")):
            self.catches(arrows.check_arrows, path, good, "\n" + bad, 2, wrong)
        self.assertEqual(len(list(arrows.check_arrows(Source("harness/attic/x.h")))), 1)
        anything = Source("tests/x_test.cpp", '#include "harness/live/y.h"')
        self.assertEqual(list(arrows.check_arrows(anything)), [])

    def test_every_ban_catches_its_example(self):
        for ban in bans.BANS:
            with self.subTest(ban=ban.name):
                path, line = ban.example
                (finding,) = bans.check_ban(ban, Source(path, f"\n{line}\n"))
                self.assertEqual((finding.line, finding.wrong), (2, ban.name))
                excused = list(bans.check_ban(ban, Source(path, f"{line}  // {ban.excuse}")))
                self.assertEqual(excused == [], ban.excuse != "")
                quoted = Source(path, f'f(R"({line})");')
                if ban.view != "text" and quoted.is_cpp:
                    self.assertEqual(list(bans.check_ban(ban, quoted)), [])

    def test_limits_catch_what_is_too_long(self):
        for path, most in (("algorithms/x.cpp", 80), ("harness/check/x.cpp", 180),
                           ("harness/sim/x.h", 300), ("tests/x_test.cpp", 400),
                           ("harness/sim/README.md", 10), ("scenarios/README.md", 400)):
            self.catches(limits.check_file_length, path, "x\n" * most, "x\n" * (most + 1),
                         most + 1, f"has {most + 1} lines")
        self.catches(limits.check_line_length, "plots/x.py", "\u00e9" * 100, "\n" + "\u00e9" * 101,
                     2, "101 columns")
        self.catches(limits.check_line_length, "harness/x.cpp", "", '{"' + "x" * 100, 1, "102")
        for path in ("README.md", "scenarios/x.yaml", "tests/x.cpp"):
            long = Source(path, '{"event":' + "x" * 500)
            self.assertEqual(list(limits.check_line_length(long)), [])

    def test_openings_are_asked_for(self):
        header = "// Why.\n#pragma once\nint x;\n"
        rule = limits.check_header_opening
        self.catches(rule, "harness/core/x.h", header, "// Why.\nint x;\n", 1, "included twice")
        self.catches(rule, "harness/core/x.h", header, "\n#pragma once\n", 1, "without a comment")
        fields = "// Article: a\n// Idea: b\n//   c\n// Claims: d\n// Breaks: e\n\n"
        rule = limits.check_algorithm_opening
        self.catches(rule, "algorithms/x.cpp", fields,
                     "// Article: a\n// Idea: b\n// Breaks: e\nint x;\n", 4, "lacks // Claims:")
        self.catches(rule, "algorithms/x.cpp", fields, "#include <map>\n" + fields, 1,
                     "lacks // Article:")

    def test_names_of_tests_have_one_style(self):
        path = "tests/core/x_test.cpp"
        for path, good, bad, right in (
                (path, "TEST(Sim, is_calm) {", "TEST(Sim, isCalm) {", "is_calm"),
                (path, "TEST_F(SimTest, a_2nd_is) {", "TEST_F(SimTest,\n    A2ndIs) {", "a2nd_is"),
                (path, "TEST_P(Sim, is) {", "TEST_P(sim_run, is) {", "SimRun"),
                ("tests/plots/x_test.py", "def test_a(self):", "def" " testA(self):", "test_a")):
            self.catches(names.check_test_names, path, good, "\n" + bad, 2, "calls a test",
                         f"call it {right}")
        quoted = Source(path, "// TEST(Sim, isCalm)\nf(\"TEST(Sim, isCalm)\");")
        self.assertEqual(list(names.check_test_names(quoted)), [])

    def test_one_name_is_one_type(self):
        outer = "namespace a {\n\n"
        one = outer + "struct X {\n    int x;\n};\n\n}  // namespace a\n"
        good = {
            "harness/core/x.h": one,
            "harness/core/y.h": outer + "class X;\nstruct X::Y {\n};\n}  // namespace a\n",
            "harness/core/z.h":
                "namespace b {\nclass X {\n};\n}\nnamespace a::b {\nclass X {\n};\n}\n",
            "harness/core/z.cpp": outer + "namespace {\nstruct X {\n};\n}  // namespace\n}\n"}
        self.assertEqual(list(names.check_types(sources_of(good))), [])
        self.rejects(names.check_types, good | {"tests/x.h": one}, "tests/x.h", "tests/x.h:3:")

    def test_lists_miss_nothing(self):
        built = {"CMakeLists.txt": "add_subdirectory(tests)",
                 "tests/CMakeLists.txt": "locklab_test(a SOURCES a_test.cpp)",
                 "tests/a_test.cpp": ""}
        self.needs(lists.check_built, built, "CMakeLists.txt", "tests/CMakeLists.txt")
        self.needs(lists.check_built, {"tests/CMakeLists.txt": "locklab_test(a SOURCES live/a.cpp)",
                                       "CMakeLists.txt": "add_subdirectory(tests)",
                                       "tests/live/a.cpp": ""}, "tests/CMakeLists.txt")
        commented = "locklab_test(a SOURCES\n  # a_test.cpp\n  b_test.cpp)"
        self.rejects(lists.check_built, built | {"tests/CMakeLists.txt": commented},
                     "tests/a_test.cpp", "as a_test.cpp")
        taken = built | {"tests/CMakeLists.txt": "file(GLOB files CONFIGURE_DEPENDS *.cpp)"}
        self.assertEqual(list(lists.check_built(sources_of(taken))), [])
        self.rejects(lists.check_built, taken | {"tests/live/b.cpp": ""}, "tests/live/b.cpp", "")
        self.needs(lists.check_algorithms_listed,
                   {"algorithms/a.cpp": "", "algorithms/registry.cpp": '{"a", make_a},'},
                   "algorithms/registry.cpp")
        self.needs(lists.check_figures_listed,
                   {"plots/figures/__init__.py": "from . import waits, causes",
                    "plots/figures/waits.py": ""}, "plots/figures/__init__.py")
        self.needs(lists.check_readmes, {"harness/sim/README.md": "", "harness/sim/x.h": ""})
        self.rejects(lists.check_readmes, {"harness/sim/x.h": "", "harness/sim/y.h": ""},
                     "harness/sim/README.md", "does not exist")

    def test_tests_lie_where_their_subjects_do(self):
        good = dict.fromkeys((
            "harness/core/x.h", "harness/sim/y.cpp", "tests/core/x_test.cpp", "tests/core/helper.h",
            "plots/report.py", "tests/plots/z_test.py", "tests/corpus/x_test.cpp",
            "tests/README.md", "harness/sim/x.h", "tests/sim/x_test.cpp",
            "tests/sim/y_test.cpp"), "")
        self.assertEqual(list(lists.check_mirrored(sources_of(good))), [])
        for path, right in (("tests/core/y_test.cpp", "tests/sim"),
                            ("tests/y_test.cpp", "tests/sim"), ("tests/helper.h", "tests/LAYER"),
                            ("tests/z_test.py", "tests/LAYER"),
                            ("tests/attic/z_test.cpp", "tests/LAYER")):
            self.rejects(lists.check_mirrored, good | {path: ""}, path, right)

    def test_faults_are_named_in_few_files(self):
        table = "enum class Hazard : std::uint8_t {\n    crash,\n    pause\n};\n"
        texts = {lists.FAULT_TABLE: table, "tests/x.cpp": "f(Hazard::pause);",
                 "harness/x/y.cpp": "f(Hazard::pauses);"}
        texts |= {f"harness/x/{i}.cpp": "f(Hazard::pause);" for i in range(12)}
        self.assertEqual(list(lists.check_fault_names(sources_of(texts))), [])
        self.rejects(lists.check_fault_names, texts | {"harness/x/z.cpp": "f(Hazard::pause);"},
                     lists.FAULT_TABLE, "Hazard::pause stands in 13 files")
        self.rejects(lists.check_fault_names, {}, lists.FAULT_TABLE, "is missing")


if __name__ == "__main__":
    unittest.main()
