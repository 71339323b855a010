"""mover.py of plots/: intervals of a difference and of a ratio, reckoned by hand."""

import math
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plots"))
sys.dont_write_bytecode = True

import mover  # noqa: E402

BARE = {"value": 5.0, "low": None, "high": None}


def figure(value, low, high):
    return {"value": value, "low": low, "high": high}


class Intervals(unittest.TestCase):
    def assert_interval(self, found, value, low, high, digits=4):
        for key, right in (("value", value), ("low", low), ("high", high)):
            self.assertAlmostEqual(found[key], right, digits)

    def test_difference_by_hand(self):
        # 5.9 - sqrt(1.5^2 + 1.3^2) and 5.9 + sqrt(1.6^2 + 1.2^2)
        self.assert_interval(mover.difference(figure(12.1, 10.9, 13.4), figure(18, 16.5, 19.6)),
                             5.9, 3.91506, 7.9)

    def test_difference_is_newcombes_where_intervals_are_wilsons(self):
        # 56 of 70 and 48 of 80, his method 10: 0.0524 to 0.3339
        found = mover.difference(figure(0.6, 0.490455, 0.700382), figure(0.8, 0.691834, 0.876953))
        self.assert_interval(found, 0.2, 0.0524, 0.3339)

    def test_ratio_by_hand(self):
        # exp(ln 2 -+ sqrt(2) ln 1.25)
        self.assert_interval(mover.ratio(figure(100, 80, 125), figure(200, 160, 250)),
                             2, 1.45874, 2.74208)

    def test_ratio_upside_down_is_that_of_the_other_two(self):
        a, b = figure(10, 7, 19), figure(3, 2.5, 4)
        there, back = mover.ratio(a, b), mover.ratio(b, a)
        self.assert_interval(there, 1 / back["value"], 1 / back["high"], 1 / back["low"])

    def test_end_that_nothing_bounds_stays_open(self):
        found = mover.ratio(figure(10, 0, 12), figure(20, 15, None))
        self.assertIsNone(found["high"])
        self.assertAlmostEqual(math.log(2 / found["low"]),
                               math.hypot(math.log(20 / 15), math.log(12 / 10)))
        self.assertIsNone(mover.difference(BARE, BARE)["low"])

    def test_interval_that_touches_resolves_nothing(self):
        self.assertFalse(mover.apart(figure(2, 1, 3), 1))
        self.assertFalse(mover.apart(figure(-1, -2, 0), 0))
        self.assertTrue(mover.apart(figure(-1, None, -0.1), 0))


if __name__ == "__main__":
    unittest.main()
