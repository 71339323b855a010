"""Sentences on the locks that failovers lose."""

from failovers_fixture import failovers as rows_of, outcome, row
from sentences_data import Data

import failovers


class Failovers(Data):
    def of(self, *rows):
        return self.with_(failovers=list(rows))

    def test_failovers_intro(self):
        said = failovers.intro(self.of(row(runs=60), row(runs=200), row(runs=0, redis="8")))
        self.assertIn("takes a lock of 30 s", said)
        self.assertIn("within 200 ms of the answer to `SET`", said)
        self.assertIn("(Redis 7.0.15)", said)
        self.assertIn(": 260 failovers.", said)

    def test_failovers_is_told(self):
        self.assertTrue(failovers.is_told(self.of(row(runs=10), row(0, runs=60))))
        self.assertFalse(failovers.is_told(self.of(row(runs=9, real=outcome(9)),
                                                   row(0, runs=60))),
                         "a replica that is never behind loses nothing")

    def test_failovers_behind(self):
        self.assertEqual(failovers.behind(row(5000)), "5 ms behind")
        self.assertEqual(failovers.behind(row(0)), "0 ms behind")

    def test_failovers_answer(self):
        run = self.of(row(5000, real=outcome(200, 5, 4)), row(50_000, real=outcome(200, 41, 40)),
                      row(50_000, "min_replicas", real=outcome(60, 30)),
                      row(5000, "wait", real=outcome(60)), row(50_000, "wait", real=outcome(48)))
        self.assertEqual(
            failovers.answer(run),
            "Where the replica was 50 ms behind, 41 of 200 (20.5 %, 15.5–26.6) locks were lost,"
            " and a second client was granted 40 of them while the first one held it."
            " With `WAIT 1`: 0 of 48 (≤ 7.41 %).")
        self.assertEqual(failovers.answer(self.of(row(real=outcome(60)), row(real=outcome(40)))),
                         "Of 100 locks none was lost.")

    def test_failovers_modelled(self):
        found = row(real=outcome(200, 41), modelled=outcome(200, 50))
        self.assertEqual(failovers.modelled(found), "25.0 %")
        self.assertEqual(failovers.modelled(found | {"model_is_inside": False}),
                         "25.0 %, outside the interval")
        self.assertEqual(failovers.modelled(found | {"modelled": None}), "–")

    def test_failovers_times(self):
        self.assertEqual(failovers.times(row(), "promoted_us"), "1.50 s (2.40 s)")

    def test_failovers_compared(self):
        inside = self.of(row(differ=3), row(differ=1), row(modelled=None, replicas=2))
        inside.failovers[2]["modelled"] = None
        self.assertEqual(
            failovers.compared(inside),
            "The model was given the instant of each kill: it says the same as the servers in 396"
            " of 400 failovers. Its share lies in the interval of each row.")
        outside = failovers.compared(self.of(
            row(), row(5000, "min_replicas", differ=9, model_is_inside=False)))
        self.assertIn("in 391 of 400 failovers. Its share lies outside of the interval here: 5 ms"
                      " behind, min replicas. On", outside)

    def test_failovers_notes(self):
        self.assertEqual(failovers.notes(self.of(row(), row(runs=0))), [])
        few = self.of(row(), row(5000, "wait", runs=9, real=outcome(9)))
        self.assertEqual(failovers.notes(few), [
            "Nothing was lost in fewer than 10 failovers, which says nothing: 5 ms behind,"
            " `WAIT 1`: no lock unless the replica has the key."])
        lost = self.of(row(5000, "wait", runs=9, real=outcome(9, 1)))
        self.assertEqual((failovers.notes(lost), len(failovers.rows(lost))), ([], 1))
        self.assertEqual([each["lag_us"] for each in failovers.rows(few)], [50_000])
        refused, nothing = failovers.notes(self.of(*rows_of()["failovers"]))
        self.assertIn("In 60 failovers the new master refused every write", refused)
        self.assertEqual(nothing, "Left out: 2 failovers; the first: The Sentinels did not agree on"
                                  " a new master in time.")
