"""Lists, orders and choices that stand on the page without a sentence of their own."""

from types import SimpleNamespace
from unittest import mock

from sentences_data import Data

import advice
import claims
import details
import layers
import lengths
import libraries
import library_table
import matrix
import races
import reaches
import report_fixture as fixture
import thresholds


class Lists(Data):
    def search(self, lock, **more):
        row = next(a for a in self.run_.algorithms if a["name"] == lock)
        return {**fixture.search_of(row, "exclusion", 2, 1, 1), **more}

    def of(self, *rows):
        return self.with_(thresholds=list(rows))

    def test_details_tally(self):
        def group(red, calm):
            return SimpleNamespace(red=[{"verdict": v} for v in red],
                                   calm=[{"verdict": v} for v in calm])
        self.assertEqual(
            details.tally(group(["violated", "stuck", "violated", "unknown"],
                                ["holds", "not seen", "holds", "holds"])),
            "2 violated, 1 stuck for ever, 3 held, 1 not seen to fail, 1 unknown")
        self.assertEqual(details.tally(group([], ["holds"])), "1 held")

    def test_layers_ranking(self):
        """Equal ones share a place; a deadlock stands below all that have none."""
        self.calm()
        first = self.run_.locks()[0]
        self.broken(first, "crash", stuck=1)
        for hazard in ("pause", "restart", "evict"):
            self.broken("fenced", hazard)
        places = {one.name: place for place, one in layers.ranking(self.run_, "sim")}
        count = len(self.run_.locks())
        self.assertEqual((places[first], places["fenced"]), (count, count - 1))
        self.assertEqual({place for name, place in places.items()
                          if name not in (first, "fenced")}, {1})

    def test_layers_table(self):
        self.calm()
        for hazard in ("crash", "evict"):
            self.broken("fenced", hazard, stuck=1)
        heads, rows = layers.table(self.run_, "sim")
        row = dict(zip(heads, rows[-1]))
        self.assertEqual((row["Lock"], row["Left taken for ever by"]),
                         ("`fenced`", "`crash` and `evict`"))
        self.assertEqual(row["Network"], "8 of 8")
        self.assertEqual(dict(zip(heads, rows[0]))["Left taken for ever by"], "nothing")

    def test_lengths_all_of(self):
        run = self.of(self.search("set_nx_lua", job_us=300_000, slow_job_us=300_000,
                                  pause_us=1_800_000, delay_us=0))
        self.assertEqual(
            lengths.all_of(run, (("job_us", "job"), ("pause_us", "pause"),
                                 ("slow_job_us", "slow job"), ("delay_us", "delay"))),
            "job and slow job 300 ms, pause 1.8 s")

    def test_libraries_broke(self):
        self.calm()
        self.assertEqual(libraries.broke(self.run_, "set_nx_lua", []), "nothing")
        for lock in self.run_.locks():
            self.broken(lock, "evict")
        self.broken("set_nx_lua", "slow_job")
        self.broken("set_nx_lua", "retry")
        self.assertEqual(libraries.broke(self.run_, "set_nx_lua", ["evict"]),
                         "`slow_job`, `retry` and what broke every lease here")
        self.assertEqual(libraries.broke(self.run_, "no_such_lock", []), "not run")

    def test_library_table_runs_of(self):
        self.assertEqual(library_table.runs_of({"runs": 40, "world": "virtual"}), "40 plays")
        self.assertEqual(library_table.runs_of({"runs": 1, "world": "live"}), "1 run")

    def test_races_sources(self):
        self.assertEqual(races.sources({"source": "article 001, article 004, its comments"}),
                         ("article 001", "article 004 and its comments"))
        self.assertEqual(races.sources({"source": "article 001"}), ("article 001", ""))

    def test_races_spoken(self):
        def row(lock, summed, world="sim", right=True):
            return {"algorithm": lock, "world": world, "sum": summed, "ok": right, "observed": "x"}
        race = {"outcomes": [row("set_nx_del", "violated"), row("set_nx_del", "harmless", "live",
                                                                False),
                             row("set_nx_lua", "harmless")]}
        self.assertEqual(races.spoken(race, ["set_nx_lua", "fenced", "set_nx_del"]),
                         "set_nx_lua H, set_nx_del V≠")

    def test_reaches_in_words(self):
        self.assertEqual(reaches.in_words({(2, 1, 3), (2, 2, 2), (3, 1, 3)}),
                         "3\u00a0clients and 2\u00a0clients in 2\u00a0rounds (2\u00a0tries)"
                         .replace("2\u00a0tries", "2 tries"))
        self.assertEqual(reaches.in_words({(2, 1, 3), (2, 2, 3)}),
                         "2\u00a0clients in 2\u00a0rounds")

    def test_thresholds_least_at_least(self):
        found = {"faults": "pause=1", "least_us": 901_000, "least_steps": 9, "steps": 8}
        self.assertEqual(thresholds.Least({}, found).at_least, "901\u00a0ms (9 steps)")
        self.assertEqual(thresholds.Least({}, {**found, "least_us": None}).at_least, "–")

    def test_thresholds_exhausted(self):
        near = self.search("set_nx_lua", minimal=[], harmless=["none", "crash=1", "pause=1"])
        far = {**near, "rounds": 2, "harmless": ["none", "crash=1"],
               "searches": [{"clients": 2, "rounds": 2, "attempts": near["attempts"]}]}
        run = self.of(near, far)
        least = SimpleNamespace(faults=["pause"])
        self.assertEqual(thresholds.exhausted(run, [near, far], 1, []),
                         [("2\u00a0clients in 2\u00a0rounds", 1), ("2\u00a0clients", 1)])
        self.assertEqual(thresholds.exhausted(run, [near, far], 1, [least]),
                         [("2\u00a0clients in 2\u00a0rounds", 1)])

    def test_thresholds_unknown(self):
        row = self.search("set_nx_lua", minimal=[], harmless=["none"],
                          unknown=["crash=1", "crash=1,pause=1", "retry=1"])
        # A pair that another lock's search brought to its end, so that it is told at all.
        other = self.search("fenced", minimal=[], harmless=["crash=1,pause=1"], unknown=[])
        self.assertEqual(thresholds.unknown(self.of(row, other), [row], []),
                         "`crash` and `retry` (2\u00a0clients)")
        least = SimpleNamespace(faults=("retry",))
        self.assertEqual(thresholds.unknown(self.of(row, other), [row], [least]),
                         "`crash` (2\u00a0clients)")

    def test_advice_needs(self):
        """A lock that renews is named only where no other will do."""
        self.calm()
        used = dict((need, use) for need, use, _ in advice.needs(self.run_))
        plain = used[advice.NEEDS[0].text].strip("`")
        self.assertFalse(next(a for a in self.run_.algorithms if a["name"] == plain)["renews"])
        for lock in self.run_.locks():
            if lock != "watchdog_owned":
                self.broken(lock, "crash")
        used = dict((need, use) for need, use, _ in advice.needs(self.run_))
        self.assertEqual(used[advice.NEEDS[0].text], "`watchdog_owned`")
        self.broken("watchdog_owned", "crash")
        used = dict((need, use) for need, use, _ in advice.needs(self.run_))
        self.assertEqual(used[advice.NEEDS[0].text], "none of these alone")

    def test_claims_verdict(self):
        """A part that came out otherwise, or was not played, is no half of a proof."""
        def verdict(shown, refuted=(), **more):
            claim = {"shown_by": [[str(i), []] for i in range(len(shown))], "lock": "x",
                     "refuted_by": [[str(i), []] for i in range(len(refuted))], **more}
            came = {"shown_by": shown, "refuted_by": refuted}
            def found(run, claim, part):
                return [(None, right) for right in came[part] if right is not None]
            with mock.patch.object(claims, "found", found):
                return claims.verdict(self.run_, claim)
        self.assertEqual(verdict([True, True]), claims.TRUE)
        self.assertEqual(verdict([True, None]), claims.UNPLAYED)
        self.assertEqual(verdict([True, False]), claims.OTHER)
        self.assertEqual(verdict([True], [True]), claims.HALF)
        self.assertEqual(verdict([], [True, False], wrong=True), claims.FALSE)

    def test_matrix_matrix(self):
        """What came to no verdict is neither held nor of those that did."""
        self.calm()
        self.broken("fenced", "evict")
        self.broken("fenced", "crash", stuck=1)
        self.cell("fenced", "pause")["verdict"] = "unknown"
        self.cell("fenced", "retry")["verdict"] = "not seen"
        faced = [h for h in self.run_.hazards
                 if self.run_.cells.get(("sim", "fenced", h["name"]), {}).get("verdict")
                 not in (None, "not_applicable")]
        shown = {row["name"]: held for row, _, held in matrix.matrix(self.run_, "sim")}
        self.assertEqual(shown["fenced"], f"{len(faced) - 4}/{len(faced) - 2}")
