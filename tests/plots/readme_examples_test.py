"""The examples of README.md and README.zh.md are what the program prints: line by line, and where
lines or words are left out, "..." says so.

    readme_examples_test.py LOCKLAB
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRINTED_ELSEWHERE = ("bench ", "explore get_then_del ", "explore lib:", "libraries ",
                     "campaign libraries", "scenario all ")
"""Examples whose output is measured, or of locks that are not here."""


def examples(text):
    """[(command, its lines)] of all indented blocks."""
    found = []
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if not (command := re.match(r"( {4,})\$ \./locklab (.*)$", line)):
            continue
        indent = command[1]
        printed = []
        for after in lines[i + 1:]:
            if not after.startswith(indent) or after.startswith(indent + "$"):
                break
            printed.append(after[len(indent):])
        found.append((command[2], printed))
    return found


def matches(said, line):
    """Whether a line of an example is this line; "..." stands for any words, and what was measured
    may be another."""
    pattern = re.escape(said.rstrip()).replace(r"\.\.\.", ".*")
    return re.fullmatch(re.sub(r"in\\ [\d\\.]+\\ s", r"in\\ [\\d.]+\\ s", pattern),
                        line.rstrip()) is not None


def first_fault(printed, lines):
    """The first line of an example that the program does not print there, or None."""
    at, gap = 0, False
    for said in printed:
        if said.strip() == "...":
            gap = True
            continue
        while gap and at < len(lines) and not matches(said, lines[at]):
            at += 1
        if at == len(lines) or not matches(said, lines[at]):
            return said
        at, gap = at + 1, False
    return None if gap or at == len(lines) else f"what comes after: {lines[at]}"


class Examples(unittest.TestCase):
    program = None

    def test_what_is_left_out_is_told(self):
        lines = ["a", "b 1 of 2", "c", "done in 0.5 s"]
        self.assertIsNone(first_fault(["a", "b ...", "c", "done in 0.031 s"], lines))
        self.assertIsNone(first_fault(["a", "  ...", "done in 7 s"], lines))
        self.assertIsNone(first_fault(["...", "c", "..."], lines))
        self.assertEqual(first_fault(["a", "c", "..."], lines), "c")
        self.assertEqual(first_fault(["b 1 of 2", "..."], lines), "b 1 of 2")
        self.assertEqual(first_fault(["a", "b 1 of 3", "..."], lines), "b 1 of 3")
        self.assertEqual(first_fault(["a", "b ..."], lines), "what comes after: c")
        self.assertEqual(first_fault(["a", "...", "d"], lines), "d")

    def test_the_program_prints_each(self):
        found, chinese = (
            [each for each in examples((ROOT / name).read_text(encoding="utf-8"))
             if not each[0].startswith(PRINTED_ELSEWHERE)]
            for name in ("README.md", "README.zh.md"))
        self.assertGreater(len(found), 6)
        self.assertEqual(found, chinese)
        with tempfile.TemporaryDirectory() as home:
            (Path(home) / "scenarios").symlink_to(ROOT / "scenarios")
            for command, printed in found:
                ran = subprocess.run([self.program, *shlex.split(command)], cwd=home, text=True,
                                     capture_output=True, check=False,
                                     env={**os.environ, "LOCKLAB_HOME": home})
                self.assertIsNone(first_fault(printed, ran.stdout.splitlines()),
                                  f"{command}: {ran.stderr}")


if __name__ == "__main__":
    Examples.program = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
