"""The report on Redlock: its claims name scenarios that are played with that lock, and what is
said of each follows the run."""

import json
import random
import unittest

import yaml
from report_races_test import Races
from report_test import ROOT

import claims
import load
import races
import races_fixture
import redlock
import report_fixture as fixture

FORM = "redlock"
RACE = "redlock_one_restarts_empty"


def form():
    """Redlock's row of suite.json."""
    return {"name": FORM, "label": "Redlock", "summary": "Asks three servers.",
            "source": "redis.io", "colour": "#123456",
            "safe_under": ["crash"], "broken_by": ["restart"],
            "control": None, "renews": False, "reentrant": False, "fences": False,
            "ttl_us": 10_000_000}


class Redlock(Races):
    """A run with one race of Redlock and one cell."""

    def run_of(self, total="violated", verdict="violated"):
        suite = fixture.suite() | {"others": [form()]}
        manifest = fixture.manifest()
        manifest["files"].append("redlock.json")
        fixture.write(self.folder, suite_data=suite, manifest_data=manifest)
        rows = races_fixture.races()
        rows["races"].append(races_fixture.race(
            RACE, "One server restarts", FORM, [races_fixture.step("0.000", "A: SET", "", [])],
            [races_fixture.outcome(RACE, FORM, total, "A and B inside together")]))
        (self.folder / "races.json").write_text(json.dumps(rows), encoding="utf-8")
        hazard = next(h for h in suite["hazards"] if h["name"] == "restart")
        cell = fixture.cell_of("sim", form(), hazard, verdict, random.Random(1))
        found = [row | {"algorithm": FORM} for row in fixture.thresholds()["thresholds"]
                 if row["algorithm"] == "set_nx_lua"]
        (self.folder / "redlock.json").write_text(
            json.dumps({"thresholds": found, "cells": [cell]}), encoding="utf-8")
        return load.load_run(self.folder)

    def claim(self, run):
        return next(claim for _, rows in redlock.by_author(run) for claim in rows
                    if claim["shown_by"] and claim["shown_by"][0][0] == RACE)

    def test_each_claim_stands_once_and_names_scenarios_with_its_lock(self):
        facts = redlock.known()
        said = [claim["means"] for claim in facts["claims"]]
        self.assertEqual(len(said), len(set(said)))
        self.assertGreaterEqual(len(said), 20)
        for claim in facts["claims"]:
            self.assertIn(claim["by"], facts["authors"])
            self.assertTrue(claim["shown_by"] + claim["refuted_by"], claim)
            for name, sums in claim["shown_by"] + claim["refuted_by"]:
                text = (ROOT / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
                locks = ", ".join(yaml.safe_load(text)["expect"]).split(", ")
                self.assertIn(claim["lock"], locks, name)
                self.assertLessEqual(set(sums), set(races.SUMS))

    def test_what_is_said_of_a_claim_follows_the_run(self):
        run = self.run_of()
        self.assertEqual(claims.verdict(redlock.played(run), self.claim(run)), claims.TRUE)
        self.assertIn("1 claim of", redlock.intro(run))
        self.assertIn("1 borne out", redlock.intro(run))
        run = self.run_of(total="harmless")
        self.assertEqual(claims.verdict(redlock.played(run), self.claim(run)), claims.OTHER)
        self.assertIn("1 not as it says", redlock.intro(run))

    def test_it_is_in_no_matrix_and_has_its_own(self):
        run = self.run_of()
        self.assertNotIn(FORM, [row["name"] for row in run.algorithms])
        self.assertNotIn(RACE, [race["name"] for race in run.races])
        self.assertEqual([race["name"] for race in run.others.races], [RACE])
        self.assertEqual([hazard["name"] for hazard in redlock.hazards(run)], ["restart"])
        self.assertIn("**V**", redlock.table_md(run))
        self.assertNotIn("**V**", redlock.table_md(self.run_of(verdict="holds")))

    def test_both_forms_of_the_page_tell_it(self):
        self.run_of()
        page, text = self.written()
        for shown in (page, text):
            self.assertIn("the argument of 2016", shown)
            self.assertIn("Martin Kleppmann", shown)
        self.assertIn(f'id="race-{RACE}"', page)

    def test_a_run_without_it_has_no_such_part(self):
        fixture.write(self.folder)
        page, text = self.written()
        self.assertNotIn("Redlock, and the argument", page + text)


if __name__ == "__main__":
    unittest.main()
