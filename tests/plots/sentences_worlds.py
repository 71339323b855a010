"""Sentences on what was declared, on how the worlds agree, and on single cells."""

from sentences_data import Data, with_interval

import agreement
import answer_cells
import declared
import details
import layers
import load
import matrix


class Declared(Data):
    def setUp(self):
        super().setUp()
        self.calm()

    def unseen(self, runs=100, like=None):
        self.broken("fenced", "crash")
        self.cell("fenced", "crash").update(runs=2500, violated_runs=56, overlaps=90)
        found = self.cell("fenced", "crash", "live")
        found.update(claim="broken", runs=runs)
        if like:
            found["like_runs"] = like
        return found

    def test_declared_unlike(self):
        self.run_.manifest["parameters"] = {
            "sim": {"grants_per_run": 30, "ttl_us": 1_000_000},
            "live": {"grants_per_run": 10, "ttl_us": 500_000}}
        self.assertEqual(declared.unlike(self.run_),
                         "grants in a run 30 and 10 and TTL 1 s and 500 ms")
        self.run_.manifest["parameters"]["live"]["ttl_us"] = 1_000_000
        self.assertEqual(declared.unlike(self.run_), "grants in a run 30 and 10")

    def test_declared_missed(self):
        """2 of 4 runs fail; none of 2 others does in 1 of 6 draws."""
        self.assertEqual(declared.missed(2, 2, 2),
                         "at that rate 2 runs all miss it in 17 % of cases")
        self.assertIn("1 run all miss it in 100 %", declared.missed(0, 5, 1))
        self.assertIn("all miss it in less than 0.1 % of", declared.missed(250, 500, 100))

    def test_declared_unseen(self):
        found = self.unseen(like={"runs": 2000, "violated": 40, "stuck": 5})
        self.assertEqual(
            declared.unseen(self.run_, found),
            f"of 2,000 simulated runs like these 45 failed; {declared.missed(45, 2000, 100)}")
        del found["like_runs"]
        self.run_.manifest["parameters"] = {"sim": {"ttl_us": 3}, "live": {"ttl_us": 2}}
        self.assertIn("of 2,500 simulated runs 56 failed; at that rate 100 runs all miss it in 11 %"
                      " of cases, if they were alike, which they are not",
                      declared.unseen(self.run_, found))
        del self.run_.cells["sim", "fenced", "crash"]
        self.assertEqual(declared.unseen(self.run_, found), "no simulated runs to compare it with")

    def test_declared_unseen_of_a_batch(self):
        found = self.unseen(like={"runs": 2000, "violated": 40, "stuck": 5})
        row = self.run_.agreement.setdefault((found["algorithm"], found["hazard"]), {})
        row["chance"] = 0.5
        self.assertIn("at that rate", declared.unseen(self.run_, found))
        row["chance"] = None
        self.assertIn("45 failed; on a real Redis one such fault strikes all runs under way",
                      declared.unseen(self.run_, found))

    def test_declared_why(self):
        found = self.unseen()
        self.assertIn("declared broken, found holds in 100 runs; of 2,500 simulated",
                      declared.why(self.run_, found))
        found.update(verdict="unknown", why_unknown="crash struck in no run")
        self.assertEqual(declared.why(self.run_, found),
                         "declared broken, found unknown: crash struck in no run")
        found.update(verdict="violated", claim="safe", runs=7)
        self.assertEqual(declared.why(self.run_, found), "declared safe, found violated in 7 runs")

    def test_declared_counts(self):
        decided = {world: sum(declared.came_out(c) is not None for (w, *_), c in
                              self.run_.cells.items() if w == world) for world in load.WORLDS}
        sim, live = decided["sim"], decided["live"]
        self.assertEqual(declared.counts(self.run_), f"of the declared verdicts, {sim} of {sim} in"
                         f" the simulator and {live} of {live} on a real Redis came out as"
                         " declared")
        # A break that live runs did not see, and one that came to no verdict, are not as declared.
        self.unseen()
        self.cell("fenced", "pause", "live").update(verdict="unknown")
        self.assertIn(f"{sim} of {sim} in the simulator and {live - 2} of {live} on a real Redis",
                      declared.counts(self.run_))
        # So few runs that nothing was seen agree with what is declared to be safe, and it is said.
        self.cell("set_nx_lua", "retry").update(verdict="not seen", claim="safe")
        self.assertIn(f"{sim} of {sim} in the simulator (of 1 of them no failure was seen, in runs"
                      " too few to say that they hold)", declared.counts(self.run_))
        for cell in self.run_.cells.values():
            cell["claim"] = ""
        self.assertIsNone(declared.counts(self.run_))

    def test_declared_sentence(self):
        self.assertNotIn("Not so", declared.sentence(self.run_))
        self.unseen()
        self.cell("fenced", "pause", "live").update(verdict="unknown")
        self.cell("set_nx_lua", "retry").update(verdict="violated")
        self.assertTrue(declared.sentence(self.run_).endswith(
            " came out as declared. Not so: in the simulator `set_nx_lua` under `retry`; on a real"
            " Redis `fenced` under `crash` and `pause`."), declared.sentence(self.run_))

    def test_declared_listed(self):
        self.assertEqual(declared.listed({"a": ["crash", "pause"], "b": ["retry"]}),
                         "`a` under `crash` and `pause` and `b` under `retry`")

    def test_declared_rare(self):
        self.assertNotIn("Not counted", declared.sentence(self.run_))
        name, hazard = "fenced", "crash"
        next(row for row in self.run_.algorithms if row["name"] == name)["broken_by"] = [hazard]
        self.assertNotIn("Not counted", declared.sentence(self.run_))
        self.cell(name, hazard).update(claim="", verdict="holds")
        self.assertIn(f" Not counted: `{name}` under `{hazard}`; that breaks the lock, as searches"
                      " show, too rarely for so many runs.", declared.sentence(self.run_))
        for world in declared.WHERE:
            if (world, name, hazard) in self.run_.cells:
                self.cell(name, hazard, world).update(claim="", verdict="not_applicable")
        self.assertNotIn("Not counted", declared.sentence(self.run_))

    def test_the_mark_follows_the_verdict_and_not_what_the_run_says(self):
        found = self.unseen()
        found["as_claimed"] = True   # as older runs say
        self.assertTrue(declared.differs(found))
        self.assertFalse(declared.differs(self.cell("fenced", "crash")))
        self.assertIn(("live", "fenced", "crash"), [row[:3] for row in declared.rows(self.run_)])


class Agreement(Data):
    def setUp(self):
        super().setUp()
        for row in self.run_.agreement.values():
            row.update(sim="holds", live="holds", agree=True, chance=None, explained=False)
        self.rows = list(self.run_.agreement.values())

    def differ(self, index, chance):
        self.rows[index].update(sim="violated", agree=False, chance=chance, why="So many.",
                                explained=True)

    def test_agreement_counts(self):
        n = len(self.rows)
        text = f"simulator and real Redis agree in {n} of {n} cells that both decided"
        self.assertEqual(agreement.counts(self.run_), text)
        # That a row says that it is explained does not explain it: chance does, or nothing.
        self.differ(0, 0.2)
        self.differ(1, 0.0001)
        self.differ(2, None)
        self.assertEqual(
            agreement.counts(self.run_),
            f"simulator and real Redis agree in {n - 3} of {n} cells that both decided; of 3"
            " differences chance explains 1 and 2 are not explained")
        self.rows[4].update(sim="holds", live="not seen")   # fewer runs, and no difference
        self.rows[3].update(sim="unknown", live="unknown", agree=True)
        self.assertIn(f"agree in {n - 4} of {n - 1} cells", agreement.counts(self.run_))
        self.assertIn("; 1 cell came to no verdict in one of them", agreement.counts(self.run_))

    def test_agreement_why(self):
        self.differ(0, 0.2)
        self.assertEqual(agreement.why(self.run_, self.rows[0]), "By chance. So many.")
        self.differ(0, 0.0001)
        self.assertEqual(agreement.why(self.run_, self.rows[0]), "Not explained. So many.")
        del self.rows[0]["chance"]
        self.run_.manifest["parameters"] = {"sim": {"grants_per_run": 30},
                                            "live": {"grants_per_run": 10}}
        self.assertEqual(agreement.why(self.run_, self.rows[0]),
                         "Not explained: no simulated runs were like the live ones (grants in a run"
                         " 30 and 10).")
        self.rows[0].update(live="unknown", why="Live: late.")
        self.assertEqual(agreement.why(self.run_, self.rows[0]), "No verdict. Live: late.")

    def test_agreement_sentence(self):
        self.assertEqual(agreement.sentence(self.run_)[:9], "Simulator")
        self.differ(0, None)
        self.assertTrue(agreement.sentence(self.run_).endswith(
            "; of 1 difference 1 is not explained."))
        self.assertEqual(agreement.sentence(self.with_(agreement={})), "")


class Cells(Data):
    def test_details_size(self):
        amount = {"least_percent_of_ttl": 20, "most_percent_of_ttl": 300, "both_ways": False}
        self.assertEqual(details.size({"amount": amount}), "20 to 300")
        self.assertEqual(details.size({"amount": {**amount, "both_ways": True}}),
                         "20 to 300, ahead or back")

    def test_details_claims(self):
        row = {"safe_under": ["crash"], "broken_by": []}
        self.assertEqual(details.claims(row),
                         "Declares to survive `crash`; to break under nothing.")
        self.assertIn("nothing; to break under `a` and `b`.",
                      details.claims({"safe_under": [], "broken_by": ["a", "b"]}))

    def test_details_stuck(self):
        cell = {"stuck": 3, "stuck_until_ttl": 4, "algorithm": "set_nx_lua"}
        self.assertEqual(details.stuck(self.run_, cell), "3 for ever, 4 until TTL")
        # A lock without a TTL has none to wait for.
        self.assertEqual(details.stuck(self.run_, {**cell, "algorithm": "setnx_del"}), "3 for ever")
        self.assertEqual(details.stuck(self.run_, {**cell, "stuck": 0, "stuck_until_ttl": 0}), "0")

    def test_details_notices(self):
        self.assertEqual(details.notices({"losses": 20, "told": 3, "never_told": 17, "late": 2,
                                          "false_alarms": 1}),
                         ["20 lost the lock while inside: 3 told, 17 never told, 2 late",
                          "1 false alarm: told of a loss that was none"])
        self.assertEqual(details.notices({"losses": 4, "late": 0}),
                         ["4 lost the lock while inside"])
        self.assertEqual(details.notices({"losses": 0, "false_alarms": 2}),
                         ["2 false alarms: told of a loss that was none"])
        self.assertEqual(details.notices({}), [])

    def test_details_oracles(self):
        oracles = {name: {"found": 0, "of": 9, "verdict": "holds"} for name in details.FOUND}
        self.assertEqual(details.oracles({"oracles": oracles}), [])
        oracles["late_grants"] = {"found": 2, "of": 1200, "verdict": None}
        oracles["deaths"] = {"found": 1, "of": 9, "verdict": "violated"}
        cell = {"oracles": oracles, "worst_lag_us": 3200}
        self.assertEqual(details.oracles(cell), [
            "2 of 1,200 grants came after the validity had run out (no verdict: time was real, and"
            " the machine up to 3.20 ms late)",
            "1 of 9 processes ended by themselves"])
        self.assertEqual(details.oracles({}), [])

    def test_answer_cells_contradicts(self):
        cell = {"verdict": "not seen", "grants": 5, "overlaps": 0, "lost_updates": 0,
                "fence_inversions": 0, "stuck": 0}
        self.assertIsNone(answer_cells.contradicts(cell))
        self.assertEqual(answer_cells.contradicts({**cell, "overlaps": 1}),
                         "says not seen, although a failure was counted")
        self.assertEqual(answer_cells.contradicts({**cell, "verdict": "holds", "stuck": 1}),
                         "says holds, although a failure was counted")
        self.assertEqual(answer_cells.contradicts({**cell, "grants": 0}),
                         "says not seen, although nobody was ever granted the lock")
        self.assertEqual(answer_cells.contradicts({**cell, "verdict": "stuck"}),
                         "says stuck, although no run was stuck for ever")

    def test_details_beside(self):
        cell = {"stuck_until_ttl": 4, "longest_orphan_wait_us": 1_250_000,
                "algorithm": "set_nx_lua",
                "refusals": {"falsely": 12, "of_own": 10, "of_nobodys": 2}}
        self.assertEqual(details.beside(self.run_, cell),
                         "12 false refusals (the lock was the caller’s own in 10, nobody’s in 2);"
                         " orphaned for at most 1.25 s")
        cell.update(stuck_until_ttl=0, refusals={"falsely": 0})
        self.assertEqual(details.beside(self.run_, cell), "")

    def test_matrix_evidence(self):
        cell = {"verdict": "violated", "runs": 100, "grants": 3000, "stuck": 2, "overlaps": 5,
                "violated_runs": 4, "overlaps_per_1000_grants": with_interval(1.5, 1.0, 2.0)}
        self.assertEqual(matrix.evidence(cell), "1.50 (1.00–2.00) overlaps per 1,000 grants, 2 runs"
                         " stuck for ever, in 100 runs, 3,000 grants")
        self.assertEqual(matrix.evidence({**cell, "verdict": "stuck"}),
                         "2 runs stuck for ever of 100 runs, 3,000 grants")
        # Wilson's upper end, of two sides: 3.84 of 103.84.
        self.assertEqual(matrix.evidence({**cell, "verdict": "holds", "stuck": 0}),
                         "100 runs, 3,000 grants: violated in 0 of 100 (≤ 3.70 %) runs")

    def test_matrix_square(self):
        hazard = next(h for h in self.run_.hazards if h["name"] == "crash")
        self.calm()
        square = matrix.square(self.run_, "sim", "set_nx_lua", hazard)
        self.assertIn("simulator: holds. ", square.title)
        self.assertIn("; exhausted: no schedule of 3\u00a0clients", square.title)
        self.cell("set_nx_lua", "crash").update(verdict="violated", overlaps=3, violated_runs=3)
        square = matrix.square(self.run_, "sim", "set_nx_lua", hazard)
        self.assertIn("set_nx_lua, crash, simulator: violated (declared safe). ", square.title)
        self.assertNotIn("exhausted", square.title)

    def test_layers_standing_said(self):
        one = layers.Standing("x", {"client": (3, 4), "server": (0, 0)}, [], [])
        self.assertEqual((one.said("client"), one.said("server")), ("3 of 4", "–"))
