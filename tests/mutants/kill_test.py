"""kill.py runs what it must, and believes no test that fails anyhow."""

import contextlib
import io
import os
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import entries  # noqa: E402
import kill  # noqa: E402
import memory  # noqa: E402
import running  # noqa: E402
import switching  # noqa: E402
import workspace  # noqa: E402

SOURCE = "int main() {\n    int code = 3;\n    if (code > 3) code = 3;\n    return code;\n}\n"


def entry(name="m", old="", new="", source="harness/x.cpp", **more):
    return entries.Entry(name, source, "Is wrong.", old, new, tests="^T", build="x_test", **more)


LARGE = entry("large", "    if (code > 3) code = 3;\n", "    if (code > 4) code = 5;\n")
NONE = entry("none", "    if (code > 3) code = 3;\n    return code;\n", "    return code + 40;\n")


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
        self.write("tests/a_test.cpp", '#include "harness/x.h"\n#include "tests/help.h"\n'
                                       'TEST_P(A, b) { read("/tests/data"); }\n')
        self.write("tests/other_test.cpp", "TEST(Other, c) {}\n")
        for name in ("tests/help.h", "tests/help.cpp", "tests/data/x.jsonl", "harness/x.h"):
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
        self.write("harness/x.h", "2\n")  # which reaches half of all tests
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


class Workspaces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name) / "home"
        for name in ("a.cpp", "b.cpp", "build/c"):
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(name)
        (self.home / "link").symlink_to("a.cpp")
        patch = mock.patch.object(workspace, "HOME", self.home)
        patch.start()
        self.addCleanup(patch.stop)
        self.stop = threading.Event()
        self.copy = workspace.Workspace(2, self.stop, self.home / "build" / "mutants")
        self.addCleanup(self.copy.held.close)

    def said(self, script, number=None, seconds=60):
        test = workspace.Test("T", "sh", ["sh", "-c", script], str(self.home), {"A": "7"}, 1)
        return self.copy.passes(test, number, seconds)

    def test_the_copy_follows_the_sources_and_writes_only_what_changed(self):
        self.copy.follow({"b.cpp": "switched", "new.h": "new"})
        self.assertEqual(sorted(name for name, _ in workspace.files_below(self.copy.top)),
                         ["a.cpp", "b.cpp", "link", "new.h"])
        self.assertEqual((self.copy.top / "b.cpp").read_text(), "switched")
        self.assertEqual(os.readlink(self.copy.top / "link"), "a.cpp")
        os.utime(self.copy.top / "a.cpp", (1, 1))
        (self.home / "b.cpp").unlink()
        self.copy.follow({})
        self.assertEqual(sorted(name for name, _ in workspace.files_below(self.copy.top)),
                         ["a.cpp", "link"])
        self.assertEqual((self.copy.top / "a.cpp").stat().st_mtime, 1)

    def test_a_test_is_told_its_mutant_and_no_other(self):
        with mock.patch.dict(os.environ, {switching.VARIABLE: "5"}):
            self.assertTrue(self.said(f'test "$A${switching.VARIABLE}" = 712', 12))
            self.assertTrue(self.said(f'test "$A${switching.VARIABLE}" = 7'))
            self.assertFalse(self.said("false"))

    def test_a_test_that_does_not_end_fails(self):
        self.assertFalse(self.said("sleep 1000", seconds=0.1))

    def test_what_a_test_leaves_behind_is_ended(self):
        self.assertTrue(self.said("sleep 1000 & echo $! >child"))
        child = Path("/proc") / (self.home / "child").read_text().strip() / "stat"
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            while child.read_text().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.01)

    def test_what_is_stopped_says_so(self):
        self.stop.set()
        with self.assertRaises(workspace.Interrupted):
            self.said("sleep 1000")

    def test_two_programs_do_not_work_in_one_copy(self):
        with self.assertRaisesRegex(entries.Wrong, "another kill.py is at work"):
            workspace.Workspace(2, self.stop, self.copy.folder)


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

    def test_a_slow_test_may_take_its_time_with_a_mutant_too(self):
        run = running.Run(mock.Mock(), None, [], [], False)
        test = workspace.Test("T.a", "x_test", ["x_test"], "", {}, 1)
        self.assertEqual(run.limit(test), workspace.TEST_SECONDS)
        for healthy, right in ((1, running.LEAST_SECONDS), (200, 2000)):
            run.seconds["T.a"] = healthy
            self.assertEqual(run.limit(test), right)

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
