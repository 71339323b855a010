"""Entries and their switches, on small sources that are made up here."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import cpp_text  # noqa: E402
import entries  # noqa: E402
import switching  # noqa: E402

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
            subprocess.run([*shlex.split(os.environ.get("CXX", "c++")), "-std=c++20", "-Wall",
                            "-Wextra", "-Werror", "-I.", "x.cpp", "-o", "x"], cwd=top, check=True)
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


if __name__ == "__main__":
    unittest.main()
