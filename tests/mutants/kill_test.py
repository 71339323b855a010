"""kill.py and its parts, on small sources that are made up here."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import cpp_text  # noqa: E402
import entries  # noqa: E402
import kill  # noqa: E402
import memory  # noqa: E402
import running  # noqa: E402
import switching  # noqa: E402
import workspace  # noqa: E402

ODD = '''
#define BRACE {
namespace a { enum class E { one, two };  // {
constexpr int kTable[] = {1, 2};
const char* const kRaw = R"x(} " {)x";
template <class T = int> struct S : Base<T> {
    S() : a_(1), b_{2} { body(); }
    explicit S(int a) : a_{a} {}
    bool operator==(const S& other) const { return a_ == other.a_; }
    auto grown() const -> int { return [&] { return b_ + '{'; }(); }
    int a_ = 5, b_{6};
};
constexpr int twice(int a = 2) noexcept { return 2 * a; }
}
'''

SOURCE = '''#include <string>
namespace {
constexpr int of_table(int at) {
    return at + 1;
}
struct Sum {
    int all(int a, int b) const { return a + b; }
};
}
int main(int count, char**) {
    int code = Sum().all(count, 1);
    code += of_table(count);
    if (code > 3) code = 3;
    return code;
}
'''


def entry(name="m", old="", new="", source="harness/x.cpp", **more):
    return entries.Entry(name, source, "Is wrong.", old, new, tests="^T", build="x_test", **more)


LARGE = entry("large", "    if (code > 3) code = 3;\n", "    if (code > 4) code = 5;\n")
NONE = entry("none", "    if (code > 3) code = 3;\n    return code;\n", "    return code + 40;\n")
CONSTANT = entry("constant", "    return at + 1;\n", "    return at + 10;\n")


class TextOfCpp(unittest.TestCase):
    def test_functions_are_found_among_all_that_has_braces(self):
        found = cpp_text.functions(ODD)
        self.assertEqual([ODD[one.begin:one.end] for one in found],
                         ["{ body(); }", "{}", "{ return a_ == other.a_; }",
                          "{ return [&] { return b_ + '{'; }(); }", "{ return 2 * a; }"])

    def test_a_brace_that_nothing_closes_is_an_error(self):
        with self.assertRaises(ValueError):
            cpp_text.functions("void f() { if (true) { }")


class Entries(unittest.TestCase):
    TEXT = "== one\n# Is wrong.\n- a\n+ b\n+\ntests: ^T\nbuild: x_test y_test\n\n== two\n" \
           "# Too.\n- c\ntests: ^U\nbuild: x_test\nkiller: U.old\n"

    def test_are_read(self):
        one, two = entries.parse(self.TEXT, "harness/x.cpp", "x")
        self.assertEqual((one.old, one.new, one.targets), ("a\n", "b\n\n", {"x_test", "y_test"}))
        self.assertEqual((two.wrong, two.new, two.killer), ("Too.", "", "U.old"))

    def test_a_bad_line_is_named(self):
        for text, words in (("a\n", "x:1: a file of mutants begins"),
                            ("== one\nkilled: T.a\n", "x:2: 'killed: T.a' is not a line"),
                            ("== one\n# Is wrong.\n- a\ntests: ^T\n", "one lacks a line"),
                            (self.TEXT.replace("^U", "(U"), "two are no regular expression")):
            with self.assertRaisesRegex(entries.Wrong, words.replace("(", r"\(")):
                entries.parse(text, "harness/x.cpp", "x")

    def test_the_killer_is_written_where_it_belongs(self):
        text = entries.with_killer(entries.with_killer(self.TEXT, "one", "T.a"), "two", "U.new")
        self.assertEqual(text, self.TEXT.replace("y_test\n", "y_test\nkiller: T.a\n")
                         .replace("U.old", "U.new"))

    def test_what_is_replaced_stands_there_once(self):
        for source in ("a\na\n", "b\n", "xa\n"):
            with self.assertRaisesRegex(entries.Wrong, "times in harness/x.cpp, not once"):
                entry(old="a\n").apply(source)
        self.assertEqual(entry(old="a\n", new="c\n").apply("b\na\n"), "b\nc\n")

    def test_all_of_this_project_can_be_switched_as_they_say(self):
        all_entries = entries.read_all()
        alone = [one for one in all_entries if switching.why_alone(one)]
        self.assertLess(len(alone), len(all_entries) / 20)


class Switches(unittest.TestCase):
    def run_with(self, program, number):
        chosen = {} if number is None else {switching.VARIABLE: str(number)}
        return subprocess.run([program], env={**os.environ, **chosen}, check=False).returncode

    def test_each_number_is_its_mutant_and_none_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "harness").mkdir()
            (top / switching.HEADER).write_text(switching.HEADER_TEXT)
            (top / "x.cpp").write_text(switching.switch(SOURCE, [LARGE, NONE, CONSTANT]).text)
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra",
                            "-Werror", "-I.", "x.cpp", "-o", "x"], cwd=top, check=True)
            codes = [self.run_with(top / "x", number) for number in
                     (None, LARGE.number, NONE.number, CONSTANT.number, 1)]
        self.assertEqual(codes, [3, 4, 44, 3, 3])

    def test_an_error_is_of_the_entry_whose_line_it_names(self):
        one = switching.switch(SOURCE, [LARGE, NONE])
        line = one.text[:one.text.index("code + 40")].count("\n") + 1
        log = f"In file included from z.cpp:1:\n../x.cpp:{line}:9: error: 'a' was not declared\n"
        found = switching.at_fault(log, lambda name: name.removeprefix("../"), {"x.cpp": one})
        self.assertEqual(found, {NONE: "'a' was not declared"})
        self.assertEqual(switching.at_fault("ld: no\n", str, {"x.cpp": one}), {})

    def test_what_is_no_switch_says_why(self):
        text = "constexpr int kMost = 5;\nint f() { return kMost; }\n"
        table = entry(old="constexpr int kMost = 5;\n", new="constexpr int kMost = 6;\n")
        inside = entry(old="int f() { return kMost; }\n", new="int f() { return 0; }\n")
        with mock.patch.object(switching, "text_of", lambda source: text):
            self.assertIn("outside the bodies", switching.why_alone(table))
            self.assertEqual(switching.why_alone(inside), "")
            inside.alone = "it is slow"
            self.assertEqual(switching.why_alone(inside), "it is slow")
            self.assertIn("not C++", switching.why_alone(entry(source="plots/x.py")))

    def test_an_entry_that_breaks_the_braces_is_found_without_a_compiler(self):
        for new in ("    if (code > 3) {\n", "    } int more() {\n", "    }\n"):
            broken = entry("broken", "    if (code > 3) code = 3;\n", new)
            with mock.patch.object(switching, "text_of", lambda source: SOURCE), \
                    self.assertRaisesRegex(entries.Wrong, "^broken "):
                switching.expect_whole(broken)


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.text = "int a;\n"
        for name, value in (("HOME", self.home), ("TESTS", self.home / "tests"),
                            ("text_of", lambda source: self.text)):
            patch = mock.patch.object(memory, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.write("tests/a_test.cpp", '#include "tests/help.h"\nTEST_P(A, b) { "/tests/data"; }\n')
        self.write("tests/other_test.cpp", "TEST(Other, c) {}\n")
        for name in ("tests/help.h", "tests/help.cpp", "tests/data/x.jsonl"):
            self.write(name, "1\n")
        memory.defined_in.cache_clear()
        memory.digest_of.cache_clear()
        self.entry = entry(killer="All/A.b/seven")
        self.memory = memory.Memory(self.home / "build" / "memory.json")
        self.memory.keep(self.entry)

    def write(self, name, text):
        (self.home / name).parent.mkdir(parents=True, exist_ok=True)
        (self.home / name).write_text(text)

    def knows(self):
        memory.defined_in.cache_clear()
        memory.digest_of.cache_clear()
        return memory.Memory(self.memory.path).knows(self.entry)

    def test_lasts_while_source_entry_and_killer_are_the_same(self):
        self.assertTrue(self.knows())
        self.write("tests/other_test.cpp", "TEST(Other, d) {}\n")
        self.assertTrue(self.knows())

    def test_ends_with_a_change_of_what_the_killer_reads(self):
        for name in ("tests/a_test.cpp", "tests/help.h", "tests/help.cpp", "tests/data/x.jsonl"):
            before = (self.home / name).read_text()
            self.write(name, before + "\n")
            self.assertFalse(self.knows(), name)
            self.write(name, before)

    def test_ends_with_a_change_of_source_or_entry(self):
        self.text = "int b;\n"
        self.assertFalse(self.knows())
        self.text = "int a;\n"
        self.entry.new = "changed\n"
        self.assertFalse(self.knows())

    def test_a_killer_that_is_not_seen_in_the_sources_depends_on_all_tests(self):
        self.entry.killer = "Data.of_rows/seven"
        memory.digest_of.cache_clear()
        self.memory.keep(self.entry)
        self.assertTrue(self.knows())
        self.write("tests/other_test.cpp", "TEST(Other, d) {}\n")
        self.assertFalse(self.knows())


class FakeWorkspace:
    """`failing` has, by number (None: no mutant, a text: planted alone), the tests that fail."""

    def __init__(self, folder, tests, failing):
        self.top, self.jobs, self.stop = Path(folder), 2, threading.Event()
        self.names, self.failing, self.planted = tests, failing, None
        self.log, self.ran = [], []

    def follow(self, texts):
        for name, text in texts.items():
            self.put(name, text.encode())

    def configure(self):
        pass

    def build(self, targets):
        if self.log:
            raise workspace.DoesNotBuild(self.log.pop(0))

    def tests(self):
        return {name: workspace.Test(name, "x_test", [f"{self.top}/x_test"], "", {}, 1)
                for name in self.names}

    def passes(self, test, number=None, seconds=0):
        self.ran.append((test.name, number))
        text = (self.top / "harness/x.cpp").read_text()
        planted = None if switching.INCLUDE in text else text
        return test.name not in self.failing.get(number or planted, ())

    def put(self, name, what):
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_bytes(what)


class Running(unittest.TestCase):
    def run_of(self, all_entries, failing, names=("T.a", "T.b", "U.c"), log=(), healthy=False):
        """Whether all were killed; the killers that were written; what was said; what ran."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        fake, written = FakeWorkspace(folder.name, names, failing), {}
        fake.log = list(log)
        kept = memory.Memory(Path(folder.name) / "memory.json")

        def write(one, killer):
            written[one.name] = one.killer = killer

        with mock.patch.object(switching, "text_of", lambda source: SOURCE), \
                mock.patch.object(running, "text_of", lambda source: SOURCE), \
                mock.patch.object(memory, "text_of", lambda source: SOURCE), \
                mock.patch.object(running, "write_killer", write), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            succeeds = running.Run(fake, kept, all_entries, all_entries, healthy).all()
            self.known = {one.name for one in all_entries if kept.knows(one)}
        return succeeds, written, said.getvalue(), fake.ran

    def test_the_killer_is_tried_first_and_alone(self):
        one = entry("one", LARGE.old, LARGE.new, killer="T.b")
        succeeds, written, _, ran = self.run_of([one], {one.number: {"T.a", "T.b"}})
        self.assertTrue(succeeds)
        self.assertEqual((written, ran), ({}, [("T.b", None), ("T.b", one.number)]))
        self.assertEqual(self.known, {"one"})

    def test_a_killer_that_is_gone_or_passes_is_replaced(self):
        for killer in ("T.gone", "T.a", ""):
            one = entry("one", LARGE.old, LARGE.new, killer=killer)
            succeeds, written, said, _ = self.run_of([one], {one.number: {"T.b", "U.c"}})
            self.assertTrue(succeeds)
            self.assertEqual(written, {"one": "T.b"})
            self.assertIn("one: killed by T.b\n", said)

    def test_a_test_that_fails_without_a_mutant_kills_none(self):
        one = entry("one", LARGE.old, LARGE.new, killer="T.a")
        succeeds, written, said, _ = self.run_of(
            [one], {None: {"T.a"}, one.number: {"T.a", "T.b"}})
        self.assertFalse(succeeds)
        self.assertEqual(written, {"one": "T.b"})
        self.assertIn("T.a fails without any mutant", said)

    def test_what_lives_as_a_switch_is_planted_alone_before_it_is_said(self):
        one = entry("one", LARGE.old, LARGE.new)
        succeeds, _, said, _ = self.run_of([one], {LARGE.apply(SOURCE): {"T.a"}})
        self.assertTrue(succeeds)
        self.assertIn("killed by T.a, but not as a switch", said)
        succeeds, written, said, ran = self.run_of([one], {})
        self.assertEqual((succeeds, written, self.known), (False, {}, set()))
        self.assertIn("one: lives: ^T passes", said)
        self.assertNotIn("U.c", [name for name, _ in ran])

    def test_a_switch_that_does_not_compile_is_named_and_planted_alone(self):
        one = entry("one", LARGE.old, LARGE.new, killer="T.a")
        two = entry("two", NONE.old, NONE.new, killer="T.a")
        text = switching.switch(SOURCE, [one, two]).text
        line = text[:text.index("code = 5")].count("\n") + 1
        log = f"../../harness/x.cpp:{line}:9: error: no\n"
        failing = {two.number: {"T.a"}, one.apply(SOURCE): {"T.b"}}
        succeeds, written, said, _ = self.run_of([one, two], failing, log=[log])
        self.assertTrue(succeeds)
        self.assertEqual(written, {"one": "T.b"})
        self.assertIn("one does not compile as a switch (no): it is planted alone", said)

    def test_a_copy_that_does_not_compile_for_another_reason_ends_the_run(self):
        with self.assertRaisesRegex(entries.Wrong, "the switched copy does not build:\nld: no"):
            self.run_of([entry("one", LARGE.old, LARGE.new)], {}, log=["ld: no"])

    def test_after_healthy_nothing_runs_without_a_mutant(self):
        one = entry("one", LARGE.old, LARGE.new)
        _, _, _, ran = self.run_of([one], {one.number: {"T.b"}}, healthy=True)
        self.assertEqual(ran, [("T.a", one.number), ("T.b", one.number)])


class Commands(unittest.TestCase):
    def test_a_name_is_a_mutant_a_source_or_a_folder(self):
        one, two = entry("one", source="harness/a/x.cpp"), entry("two", source="harness/ab/y.cpp")
        for names, right in (([], [one, two]), (["two"], [two]), (["harness/a"], [one]),
                             (["harness/ab/y.cpp", "harness/"], [two, one])):
            self.assertEqual(kill.chosen([one, two], names), right)
        with self.assertRaisesRegex(entries.Wrong, "there is no mutant three"):
            kill.chosen([one, two], ["three"])

    def test_ctest_says_how_a_test_runs(self):
        said = {"name": "T.a/0  # GetParam() = 1", "command": ["b/x_test", "--gtest_filter=T.a/0"],
                "properties": [{"name": "WORKING_DIRECTORY", "value": "b"},
                               {"name": "ENVIRONMENT", "value": ["A=1=2"]}]}
        test = workspace.test_of(said, Path("top"), 4)
        self.assertEqual((test.name, test.program, test.folder, test.environment, test.slots),
                         ("T.a/0", "x_test", "b", {"A": "1=2"}, 1))
        said["properties"].append({"name": "LABELS", "value": ["clock"]})
        self.assertEqual(workspace.test_of(said, Path("top"), 4).slots, 4)
        said["properties"].append({"name": "FIXTURES_REQUIRED", "value": ["suite"]})
        self.assertEqual(workspace.test_of(said, Path("top"), 4).command[0], "ctest")


if __name__ == "__main__":
    unittest.main()
