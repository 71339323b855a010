"""Sentences on the table of libraries."""

import dataclasses

from sentences_data import Data

import library_pairs
import library_table


class LibraryTable(Data):
    def library(self, **more):
        return {"name": "x", "version": "1.2", **more}

    def table_cell(self, faults, **more):
        return {"faults": faults, "world": "virtual", "verdict": "violated" if more.get("news")
                else "holds", "news": False, "runs": 40, "broken_runs": 1,
                "goes_wrong_at_most": 0.0876, "causes": {"late_reply": 2}, "replay": "explore",
                **more}

    def test_library_table_amount(self):
        cell = self.table_cell("none", runs=1)
        self.assertEqual(library_table.amount(cell), "after 1 play")
        cell.update(world="live", runs=40, broken_runs=3)
        self.assertEqual(library_table.amount(cell), "in 3 of 40 runs")

    def test_library_table_news(self):
        row = self.library(cells=[self.table_cell("none"),
                                  self.table_cell("delay_reply=1,retry=1", news=True, runs=7)])
        self.assertEqual(library_table.news(row), [
            ("delay_reply + retry", "violated, after 7 plays; cause: late reply 2", "explore")])
        row["cells"][1]["causes"] = {"late_reply": 0, "clock": 3}
        self.assertEqual(library_table.news(row)[0][1], "violated, after 7 plays; cause: clock 3")
        row["cells"][1]["news"] = False
        self.assertEqual(library_table.news(row), [])

    def test_library_table_beside(self):
        cell = {"baseline": None, "faults": "retry=1", "world": "virtual", "runs": 40, "hung": 3,
                "oracles": {"late_grants": {"found": 2, "of": 1600},
                            "keys_left": {"found": 0, "of": 9}}}
        deleted = {"baseline": "Every lease.", "faults": "pause=1", "world": "live", "runs": 8,
                   "oracles": {"late_grants": {"found": 1, "of": 9},
                               "others_keys_deleted": {"found": 1, "of": 30}}}
        self.assertEqual(library_table.beside({"cells": [cell, deleted]}), [
            ("Granted after the validity had run out", "retry: 2 of 1,600 grants"),
            ("Another client’s key was deleted", "pause: 1 of 30 keys"),
            ("A client waited to the end for an answer that was lost", "retry: in 3 of 40 plays")])
        self.assertEqual(library_table.beside({}), [])

    def test_library_table_not_asked(self):
        names = [hazard["name"] for hazard in self.run_.hazards]
        row = self.library(cells=[self.table_cell("none"), self.table_cell("pause=1,retry=1"),
                                  *(self.table_cell(f"{name}=1") for name in names
                                    if name not in ("pause", "retry"))])
        self.assertEqual(library_table.not_asked(self.run_, row), "Not put to `pause` and `retry`.")
        row["cells"] += [self.table_cell("pause=1"), self.table_cell("retry=1")]
        self.assertEqual(library_table.not_asked(self.run_, row), "")

    def test_library_table_how(self):
        cells = [self.table_cell(faults, size="seed 1, 40 plays", date="2026-11-28")
                 for faults in ("none", "failover=1", "evict=1")]
        said = "virtual time, seed 1, 40 plays, 2026-11-28"
        self.assertEqual(library_table.how({"cells": cells}), said)
        cells[1].update(world="live", size="seed 1, 20 runs")
        self.assertEqual(library_table.how({"cells": cells}),
                         f"{said}; real time, seed 1, 20 runs, under failover")
        cells[2].update(date="2026-12-01")
        cells[1].update(date="2026-11-30")
        self.assertIn("40 plays, 2026-11-28 to 2026-12-01;", library_table.how({"cells": cells}))

    def test_library_table_hang(self):
        hangs = {"count": 20, "gone_on": 18, "longest_wait_us": 1_200_000}
        row = self.library(cells=[self.table_cell("freeze=1", hangs=hangs)])
        self.assertEqual(
            library_table.hang(row),
            "While one of its servers hung, it was granted again in the second half of the hang in"
            " 18 of 20 hangs; from the start of a hang to the next grant it took up to 1.20 s.")
        self.assertEqual(library_table.hang(self.library(cells=[self.table_cell("freeze=1")])), "")
        self.assertEqual(library_table.hang(self.library()), "")

    def test_library_table_not_run(self):
        run = dataclasses.replace(self.run_, libraries=[self.library(), self.library(
            library="ShedLock KeepAliveLockProvider", version="7.10.1", cells=[],
            cannot_run="it takes no lockAtMostFor below 30 s, at which no fault comes in time")])
        self.assertEqual(library_table.not_run(run), [
            "ShedLock KeepAliveLockProvider 7.10.1 was not run: it takes no lockAtMostFor below"
            " 30 s, at which no fault comes in time."])

    def test_library_table_clean(self):
        cells = [{"verdict": verdict, "faults": faults, "world": "live", "runs": runs}
                 for verdict, faults, runs in (("holds", "none", 40), ("holds", "retry=1", 40),
                                               ("not seen", "crash=1", 1), ("unknown", "x=1", 9))]
        self.assertEqual(library_table.clean({"cells": cells}), [
            "Mutual exclusion was not seen broken in 40 runs each under no fault and retry.",
            "Mutual exclusion was not seen broken in 1 run under crash."])
        self.assertEqual(library_table.clean({}), [])

    def test_library_table_unsure(self):
        cells = [{"verdict": verdict, "faults": "retry=1", "why_unknown": why}
                 for verdict, why in (("holds", None), ("unknown", "It ended."), ("unknown", None))]
        self.assertEqual(library_table.unsure({"cells": cells}),
                         [("retry", "It ended"), ("retry", "nobody says why")])

    def test_library_table_told_first(self):
        self.assertEqual(library_table.told_first({"what": "A 1.2.3 errs. It does. So."}),
                         ("A 1.2.3 errs.", "It does. So."))
        self.assertEqual(library_table.told_first({"what": "A errs."}), ("A errs.", ""))

    def test_library_table_of_every_lease(self):
        cells = [{"verdict": verdict, "faults": faults, "baseline": why, "news": False}
                 for verdict, faults, why in (("violated", "pause=1", "It is."),
                                              ("holds", "evict=1", "It is."),
                                              ("stuck", "restart=1", "It is."))]
        self.assertEqual(library_table.of_every_lease({"cells": cells}),
                         "Broken as every lease is: pause and restart.")
        self.assertEqual(library_table.of_every_lease({"cells": cells[1:2]}), "")

    def test_library_table_bound(self):
        row = self.library(cells=[self.table_cell("none", goes_wrong_at_most=0.05),
                                  self.table_cell("retry=1", goes_wrong_at_most=0.0876)])
        run = self.with_(libraries=[row])
        self.assertIn("may still go wrong in up to 8.76 % of runs", library_table.bound(run))
        row["cells"].pop()
        self.assertIn("in up to 5 % of runs", library_table.bound(run))
        row["cells"][0]["verdict"] = "not seen"
        self.assertEqual(library_table.bound(run), "")

    def two_versions(self):
        before = [self.table_cell("none"), self.table_cell("pause=1", news=True, runs=7),
                  self.table_cell("crash=1"), self.table_cell("retry=1", verdict="unknown")]
        after = [self.table_cell("none", news=True, runs=3), self.table_cell("pause=1"),
                 self.table_cell("crash=1", verdict="not seen", runs=1),
                 self.table_cell("retry=1")]
        return self.library(cells=before), self.library(cells=after, version="2.0")

    def test_library_pairs_seen(self):
        self.assertEqual(library_pairs.seen(self.table_cell("none", runs=1)),
                         "nothing seen in 1 play")
        self.assertEqual(library_pairs.seen(self.table_cell("none", news=True)),
                         "violated, after 40 plays")

    def test_library_pairs_title(self):
        self.assertEqual(library_pairs.title(*self.two_versions_named()), "From x 1.2 to x 2.0")

    def two_versions_named(self):
        return [{**row, "library": "x"} for row in self.two_versions()]

    def test_library_pairs_changes(self):
        older, newer = self.two_versions()
        self.assertEqual(library_pairs.changes(older, newer), [
            "Under no fault: nothing seen in 40 plays; now violated, after 3 plays.",
            "Under pause: violated, after 7 plays; now nothing seen in 40 plays.",
            "Nothing was seen in either: crash.",
            "Not compared, since one of the two is not known: retry."])
        self.assertEqual(library_pairs.changes(older, older), [
            "No verdict changed.", "Broken in both: pause.",
            "Nothing was seen in either: no fault and crash.",
            "Not compared, since one of the two is not known: retry."])
        newer["cells"] = newer["cells"][:1]
        self.assertEqual(library_pairs.changes(older, newer)[-1],
                         "Not compared, since one of the two is not known: pause, crash and retry.")
