"""The threshold table of the report: what it says of which searches, and what it refuses."""

import unittest

from report_test import Folder, run_quietly

import load
import report
import report_fixture as fixture
import thresholds


class Least(Folder):
    """The table of thresholds."""

    def row(self, data, algorithm, goal, clients, rounds=1):
        return next(r for r in data["thresholds"]
                    if (r["algorithm"], r["goal"], r["clients"], r["rounds"])
                    == (algorithm, goal, clients, rounds))

    def cell(self, data, algorithm, goal):
        fixture.write(self.folder, threshold_data=data)
        return thresholds.cell(load.load_run(self.folder), algorithm, goal)

    def test_has_every_minimal_set_and_its_replay(self):
        page, text = (form.replace("\u00a0", " ") for form in self.default())
        self.assertIn("`pause` from 901 ms, 8 steps", text)
        self.assertIn('-pause"><code>pause</code></a> from 901 ms, 8 steps', page)
        for form in (page, text):
            self.assertIn("3 clients under any single fault, 2 clients under any two faults and"
                          " 2 clients in 2 rounds (2 tries) under any single fault;", form)
            self.assertIn("up to these limits: job 300 ms, slow job, pause or stall", form)
            self.assertRegex(form, "Not searched: .+restart_snapshot")
            for row in fixture.thresholds()["thresholds"][:24]:
                for found in row["minimal"]:
                    self.assertIn(found["replay"], form)

    def test_says_what_breaks_a_lock_and_what_was_exhausted(self):
        data = fixture.thresholds()
        shown = self.cell(data, "watchdog_owned", "exclusion")
        self.assertEqual([item.name for item in shown.sets], ["`pause`", "`slow_job` + `stall`"])
        self.assertEqual(shown.rest.replace("\u00a0", " "),
                         "no other single fault (3 clients and 2 clients in 2 rounds,"
                         " 12 exhausted),"
                         " no other pair of those (2 clients, 77)")
        shown = self.cell(data, "setnx_del", "progress")
        self.assertEqual((shown.verdict, [item.name for item in shown.sets]),
                         ("stuck", ["`crash`", "`lose_reply`"]))
        shown = self.cell(data, "set_nx_lua", "progress")
        self.assertEqual((shown.verdict, shown.sets), ("holds", []))
        self.assertTrue(shown.rest.startswith("no single fault (3"), shown.rest)
        shown = self.cell(data, "no_lock", "exclusion")
        self.assertEqual(([item.name for item in shown.sets], shown.rest),
                         (["no fault at all"], ""))

    def test_set_is_shown_only_if_no_search_broke_a_part_of_it(self):
        data = fixture.thresholds()
        pair = self.row(data, "set_nx_lua", "exclusion", 2)
        pair["minimal"].append({**pair["minimal"][0], "faults": "evict=1,retry=1"})
        self.assertEqual(len(self.cell(data, "set_nx_lua", "exclusion").sets), 3)
        for broken in (self.row(data, "set_nx_lua", "exclusion", 3),
                       self.row(data, "set_nx_lua", "exclusion", 2, 2)):
            broken["harmless"].remove("evict=1")
            broken["minimal"].append({**broken["minimal"][0], "faults": "evict=1"})
            sets = [item.name for item in self.cell(data, "set_nx_lua", "exclusion").sets]
            self.assertEqual(sets, ["`slow_job`", "`pause`", "`evict`"])
            broken["minimal"].pop()

    def test_search_that_some_locks_alone_had_is_missed_in_the_others(self):
        data = fixture.thresholds()
        for row in [r for r in data["thresholds"] if r["clients"] == 2 and r["rounds"] == 1]:
            if row["algorithm"] != "setnx_getset_epoch":
                data["thresholds"].append(
                    {**row, "clients": 3, "searches": [{**row["searches"][0], "clients": 3}]})
        shown = self.cell(data, "set_nx_lua", "progress")
        self.assertEqual(shown.rest.replace("\u00a0", " "),
                         "no single fault (3 clients and 2 clients in 2 rounds, 12 exhausted),"
                         " no pair of those (3 clients, 78)")
        self.assertIn("; not all searched: 3\u00a0clients under any two faults",
                      self.cell(data, "setnx_getset_epoch", "exclusion").rest)
        self.assertEqual(self.cell(data, "no_lock", "exclusion").rest, "")
        intro = thresholds.intro(load.load_run(self.folder))
        self.assertIn(", where a row does not say otherwise;", intro)

    def test_search_that_a_wider_one_outdoes_is_not_missed(self):
        data = fixture.thresholds()
        for goal in ("exclusion", "progress"):
            row = self.row(data, "reentrant_watchdog", goal, 2)
            row["most_faults"] = 1
            for state in ("harmless", "minimal"):
                row[state] = [found for found in row[state]
                              if "," not in (found if state == "harmless" else found["faults"])]
            row["searches"].append({**row["searches"][0], "attempts": 1})
        self.assertNotIn("not all", self.cell(data, "set_nx_lua", "exclusion").rest)
        self.assertIn("; not all searched: 2\u00a0clients under any two faults",
                      self.cell(data, "reentrant_watchdog", "exclusion").rest)
        self.assertIn("for 3 clients under any single fault, 2 clients under any two faults and 2"
                      " clients in 2 rounds (2 tries) under any single fault, where a row",
                      thresholds.intro(load.load_run(self.folder)).replace("\u00a0", " "))

    def test_set_that_a_farther_search_did_not_take_is_of_those_that_did(self):
        data = fixture.thresholds()
        for reach in ((3, 1), (2, 2)):
            self.row(data, "set_nx_lua", "progress", *reach)["harmless"].remove("pause=1")
        shown = self.cell(data, "set_nx_lua", "progress")
        self.assertEqual(shown.verdict, "holds")
        self.assertIn("no single fault (3 clients and 2 clients in 2 rounds, 11 exhausted; 2"
                      " clients, 1 exhausted), no pair", shown.rest.replace("\u00a0", " "))

    def test_least_set_is_of_the_search_that_found_it(self):
        data = fixture.thresholds()
        for reach in ((3, 1), (2, 1), (2, 2)):
            found = self.row(data, "set_nx_lua", "exclusion", *reach)["minimal"][0]
            found |= {"clients": 4, "rounds": 5, "attempts": 1}
        shown = self.cell(data, "set_nx_lua", "exclusion").sets[0]
        self.assertEqual(shown.search, {"clients": 4, "rounds": 5})
        self.assertIn("5\u00a0rounds", shown.facts)

    def test_what_is_not_known_is_named(self):
        data = fixture.thresholds()
        row = self.row(data, "set_nx_lua", "progress", 3)
        row["harmless"].remove("evict=1")
        row["unknown"].append("evict=1")
        shown = self.cell(data, "set_nx_lua", "progress")
        self.assertEqual((shown.verdict, shown.unknown.replace("\u00a0", " ")),
                         ("unknown", "`evict` (3 clients)"))
        self.assertIn("no single fault that was searched to its end", shown.rest)
        row["unknown"].append("evict=1,retry=1")
        self.assertEqual(self.cell(data, "set_nx_lua", "progress").unknown, shown.unknown)
        row["unknown"].pop()
        data["thresholds"].remove(self.row(data, "set_nx_lua", "exclusion", 2))
        self.assertIn("not all searched: 2\u00a0clients under any two faults",
                      self.cell(data, "set_nx_lua", "exclusion").rest)
        page, text = self.built(thresholds=data)
        self.assertIn("Not known:", page)
        self.assertIn("? not known: `evict`", text)
        data["thresholds"].remove(row)
        for other in ((2, 1), (2, 2)):
            data["thresholds"].remove(self.row(data, "set_nx_lua", "progress", *other))
        self.assertEqual(self.cell(data, "set_nx_lua", "progress").verdict, "not_run")

    def test_campaigns_that_break_more_are_named(self):
        said = self.default()[1]
        self.assertIn("`watchdog_owned` under `stall`", said)
        self.assertIn("because they give locks that renew a job longer than the TTL", said)

    def test_run_without_thresholds_says_nothing_of_them(self):
        fixture.write(self.folder)
        (self.folder / "thresholds.json").unlink()
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual(status, 0, said)
        for name in ("report.html", "report.md"):
            text = (self.folder / name).read_text(encoding="utf-8")
            self.assertNotIn("least that breaks", text)
        for text in self.built(thresholds={"thresholds": []}):
            self.assertIn("No lock was searched in this run.", text)

    def test_wrong_thresholds(self):
        for key, value, words in (
                ("faults", "pause", ("minimal[0].faults", '"pause"')),
                ("faults", "flood=1", ("thresholds[1]", '"flood"', "slow_job")),
                ("verdict", "holds", ("minimal[0].verdict",)),
                ("least_us", -1, ("minimal[0].least_us",))):
            data = {"thresholds": fixture.thresholds()["thresholds"][1:3]}
            data["thresholds"][1]["minimal"] = [
                {**fixture.thresholds()["thresholds"][0]["minimal"][0], key: value}]
            fixture.write(self.folder, threshold_data=data)
            status, said = run_quietly(report.main, self.folder)
            self.assertEqual(status, 64)
            for word in ("thresholds.json", *words):
                self.assertIn(word, said)
        data["thresholds"] = data["thresholds"][:1] * 2
        fixture.write(self.folder, threshold_data=data)
        self.assertIn("thresholds[1] repeats no_lock progress",
                      run_quietly(report.main, self.folder)[1])


if __name__ == "__main__":
    unittest.main()
