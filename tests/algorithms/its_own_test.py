"""Which locks algorithms/its_own.py refuses, by what a compiler makes of them."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "algorithms")]
sys.dont_write_bytecode = True

import its_own  # noqa: E402

RIGHT = """
#include <string>
namespace locklab {
struct Lock { virtual ~Lock() = default; virtual int take() = 0; };
namespace {
const std::string kWord("locked");
constexpr int kNumber = 3;
struct Mine : Lock { int own = 0; int take() override { return ++own + kNumber; } };
}
Lock* make(const std::string& word) { return word == kWord ? new Mine : nullptr; }
}
"""


class ItsOwn(unittest.TestCase):
    compiler = "c++"
    nm = "nm"

    def faults(self, source, beside=""):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "other.cpp").write_text(beside, encoding="utf-8")
            file = Path(folder) / "mine.cpp"
            file.write_text(source, encoding="utf-8")
            made = file.with_name("mine.cpp.o")
            library = file.with_name("libmine.a")
            subprocess.run([self.compiler, "-std=c++20", "-O2", "-c", file, "-o", made], check=True)
            subprocess.run(["ar", "qc", library, made], check=True)
            return its_own.faults(self.nm, library, folder)

    def refused(self, source, what, right="a member of the lock or, where it never changes, a const"
                " named like kThis"):
        found = self.faults(source)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"algorithms/mine.cpp {what}"), found)
        self.assertTrue(found[0].endswith(f"right would be {right}"), found)

    def test_a_lock_of_members_and_constants_is_right(self):
        self.assertEqual(self.faults(RIGHT), [])

    def test_the_machines_clock_is_the_machines(self):
        for header, asked, name in (
                ("ctime", "std::time(nullptr)", "time"),
                ("sys/time.h", "gettimeofday(nullptr, nullptr)", "gettimeofday"),
                ("chrono", "std::chrono::system_clock::now().time_since_epoch().count()", "std::"),
                ("chrono", "std::chrono::steady_clock::now().time_since_epoch().count()", "std::")):
            self.refused(f"#include <{header}>\nlong f() {{ return {asked} % 2; }}\n",
                         f"reads the machine's clock ({name}",
                         "client.now() or client.monotonic()")

    def test_chance_is_no_lock_s_own(self):
        for header, asked, name in (("cstdlib", "std::rand()", "rand"),
                                    ("random", "std::random_device()()", "std::random_device")):
            self.refused(f"#include <{header}>\nint f() {{ return {asked} % 9; }}\n",
                         f"draws chance of its own ({name})", "client.fresh_token()")

    def test_what_changes_is_a_member(self):
        for where in ("namespace { int tries = 0; } int f() { return ++tries; }",
                      "int f() { static int tries = 0; return ++tries; }",
                      "int f() { static thread_local int tries = 7; return ++tries; }",
                      "struct L { static inline int tries = 5; }; int f() { return ++L::tries; }"):
            self.refused(where, "keeps tries outside of its lock object")

    def test_what_is_named_like_a_constant_is_one(self):
        for where in ("namespace { int kTries = 0; } int f() { return ++kTries; }",
                      "// const int kTries;\nint f() { static int kTries = 0; return ++kTries; }",
                      "int f() { static int kTries = 1; const int now = ++kTries; return now; }"):
            self.refused(where, "keeps kTries outside of its lock object")

    def test_a_constant_of_another_lock_is_another(self):
        found = self.faults("int f() { static int kTries = 0; return ++kTries; }",
                            beside="const int kTries = 3;")
        self.assertEqual(len(found), 1, found)

    def test_the_counter_of_the_processor_is_a_clock(self):
        self.refused("int f() { return 1; }\n#ifdef NEVER\nlong g() { return __rdtsc(); }"
                     "\n#endif\n",
                     "reads the machine's clock (__rdtsc)", "client.now() or client.monotonic()")

    def test_the_verdict_is_an_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            script = [sys.executable, ROOT / "algorithms" / "its_own.py", self.nm]
            for source, code in (("int f() { return 1; }", 0),
                                 ("#include <ctime>\nlong f() { return std::time(nullptr); }", 1)):
                file = Path(folder) / "mine.cpp"
                file.write_text(source, encoding="utf-8")
                made = file.with_suffix(".o")
                subprocess.run([self.compiler, "-c", file, "-o", made], check=True)
                ran = subprocess.run([*script, made], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, code, ran.stderr)
                self.assertEqual("error: algorithms/mine" in ran.stderr, code == 1, ran.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        ItsOwn.compiler, ItsOwn.nm = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
