#!/usr/bin/env python3
"""Which targets `.ci/needed` names for a call of ctest: those that it needs, whatever the call."""

import os
import re
import subprocess
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
needed = SourceFileLoader("needed", str(TOP / ".ci" / "needed")).load_module()
ROWS = [f"{target}|{labels}|{TOP / source}" for target, labels, source in (
    ("runs_test", "", "tests/live/runs_at_once_test.cpp"),
    ("proof_test", "", "tests/explore/proof_test.cpp"),
    ("forms_test", "", "tests/explore/two_forms_test.cpp"))]


class Needed(unittest.TestCase):
    def test_of_a_name(self):
        self.assertEqual(needed.needed(ROWS, ["-R", "RunsAtOnce"]), ["runs_test"])
        self.assertEqual(needed.needed(ROWS, ["-R", "EveryLock/TwoFormsTest.offer"]),
                         ["forms_test"])

    LISTED = "  Test  #7: A.b\n  Test #19: spin\n  Test #21: Registry.c\n\nTotal Tests: 3\n"

    def of_the_night(self, *options, listed=LISTED):
        """What `./locklab test` makes of a list of ctest."""
        program = (TOP / "locklab").read_text(encoding="utf-8")
        body = re.search(r"^of_the_night\(\) \{.*?^\}", program, re.M | re.S)
        return subprocess.run(
            ["bash", "-c", f"{body[0]}\nof_the_night \"$@\"", "test", *options],
            env={**os.environ, "home": str(TOP)}, input=listed, capture_output=True, text=True,
            check=True).stdout

    def test_those_of_the_night_are_told_by_their_places(self):
        self.assertEqual(self.of_the_night("-v"), "0,0,0,0,1,3\n")
        self.assertEqual(self.of_the_night("-e", "none", listed="  Test #1: A.b\n"), "0,0,0,0,\n")
        self.assertEqual(self.of_the_night("-e", r"A\..*"), "0,0,0,0,1,2\n")

    def test_each_line_of_the_night_is_a_name_of_its_own(self):
        lines = (TOP / "tests" / "night.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            self.assertTrue(line.startswith("#") or re.compile(line), line)

    def test_of_a_parameter_in_a_group(self):
        self.assertIn("forms_test", needed.needed(ROWS, ["-R", "(x|offer.*/set_nx_lua)"]))


if __name__ == "__main__":
    unittest.main()
