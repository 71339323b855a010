#!/usr/bin/env python3
"""Which targets `.ci/needed` names for a call of ctest: those that it needs, whatever the call."""

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

    def test_of_the_nights_names(self):
        lines = (TOP / "tests" / "night.txt").read_text(encoding="utf-8").splitlines()
        names = "|".join(line for line in lines if not line.startswith("#"))
        self.assertEqual(set(needed.needed(ROWS, ["-R", f"^({names}|EveryLock/TwoFormsTest.*)$"])),
                         {"proof_test", "forms_test"})

    def test_of_a_parameter_in_a_group(self):
        self.assertIn("forms_test", needed.needed(ROWS, ["-R", "(x|offer.*/set_nx_lua)"]))


if __name__ == "__main__":
    unittest.main()
