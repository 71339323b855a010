"""The answer first: what it recommends follows from the cells, its counts are those of the squares,
its intervals are Wilson's, and the README's legend is there in Chinese."""

import copy
import dataclasses
import json
import unittest

from report_test import ROOT, Folder

import advice
import answer
import chinese
import intervals
import layers
import libraries
import load
import matrix
import provenance
import report_fixture as fixture
import tokens
import words


class Loaded(Folder):
    def loaded(self, change=lambda suite: None):
        """The fixture's run after a change to its suite.json."""
        suite = copy.deepcopy(fixture.suite())
        change(suite)
        fixture.write(self.folder, suite)
        return load.load_run(self.folder)

    @staticmethod
    def cell(suite, algorithm, hazard, world="sim"):
        return next(c for c in suite["cells"] if (c["world"], c["algorithm"], c["hazard"]) == (
            world, algorithm, hazard))


class Advice(Loaded):
    def test_the_answer_has_its_lines_and_they_stand_first(self):
        run = self.loaded()
        lines = dict(advice.answer(run))
        self.assertEqual(list(lines), ["Use", "For short jobs", "TTL", "No lease can",
                                       "With fencing tokens", "Do not use"])
        self.assertIn("`setnx_del`", lines["Do not use"])
        self.assertIn("`pause`", lines["No lease can"])
        page = self.default()[0]
        self.assertLess(page.index("For short jobs"), page.index("<nav"))

    def test_a_late_reply_is_no_pause_and_no_redis_that_forgets(self):
        self.assertIn("A late reply (`delay_reply`)",
                      dict(advice.answer(self.loaded()))["No lease can"])
        # A run that was made before there was this fault has no column of it.
        def leave_out(suite):
            suite["hazards"] = [h for h in suite["hazards"] if h["name"] != "delay_reply"]
            for rows in ("cells", "agreement"):
                suite[rows] = [c for c in suite[rows] if c["hazard"] != "delay_reply"]
        older = self.loaded(leave_out)
        self.assertNotIn("reply", dict(advice.answer(older))["No lease can"])
        self.assertNotIn("delay_reply", chinese.block(older, "sim"))
        self.assertEqual(layers.LAYERS["network"][3], "delay_reply")

    def test_a_lock_that_can_stay_taken_is_never_recommended(self):
        best = layers.ranking(self.loaded(), "sim")[0][1].name
        run = self.loaded(lambda suite: self.cell(suite, best, "crash").update(
            verdict="stuck", stuck=3))
        self.assertNotIn(f"`{best}`", dict(advice.answer(run))["Use"])
        self.assertIn(f"`{best}`", dict(advice.answer(run))["Do not use"])
        self.assertNotIn(best, [use.strip("`") for _, use, _ in advice.needs(run)])

    def test_a_break_that_few_runs_did_not_see_is_none_the_less_one(self):
        def lucky(suite):
            for cell in suite["cells"]:
                if cell["verdict"] in ("violated", "stuck"):
                    cell.update(verdict="holds", claim="broken", stuck=0, overlaps=0,
                                lost_updates=0, fence_inversions=0, violated_runs=0)
        broken = {one.name: one.broken for _, one in layers.ranking(self.loaded(), "sim")}
        run = self.loaded(lucky)
        for _, one in layers.ranking(run, "sim"):
            self.assertEqual(one.broken, broken[one.name], one.name)
        self.assertIn("none of these alone", [use for _, use, _ in advice.needs(run)])

    def test_a_break_that_no_run_was_put_to_is_none_the_less_one(self):
        best = layers.ranking(self.loaded(), "sim")[0][1]
        def never_struck(suite):
            for hazard in ("pause", "crash"):
                self.cell(suite, best.name, hazard).update(
                    verdict="unknown", why_unknown=f"{hazard} struck in no run")
            self.cell(suite, best.name, "pause").update(claim="broken")
            self.cell(suite, best.name, "crash").update(claim="safe")
        run = self.loaded(never_struck)
        now = next(one for _, one in layers.ranking(run, "sim") if one.name == best.name)
        self.assertIn("pause", now.broken)
        held, of = best.layers["client"]
        self.assertEqual(now.layers["client"], (held - 1, of - 1), "crash was not faced")

    def test_a_run_that_goes_on_advises_nothing_yet(self):
        def early(suite):
            suite["cells"] = [c for c in suite["cells"] if c["hazard"] in ("contention", "crash")]
            suite["agreement"] = []
        run = self.loaded(early)
        run.manifest["complete"] = False
        run.manifest["running"] = True
        run.manifest["to_come"] = ["what each lock costs"]
        self.assertEqual(advice.answer(run)[0][0], "Not known yet")
        self.assertEqual(advice.needs(run), [])
        self.assertIn("was still going on", provenance.unfinished(run)[0])
        self.assertIn("what each lock costs", provenance.unfinished(run)[1])
        run.manifest["running"] = False
        self.assertIn("stopped before its end", provenance.unfinished(run)[0])

    def test_each_lock_of_the_needs_held_under_what_they_name(self):
        run = self.loaded()
        for need in advice.NEEDS:
            found = advice.serves(run, "sim", need)
            for hazard in need.requires if found else ():
                cell = run.cells["sim", found.name, hazard]
                self.assertTrue(cell["verdict"] == "holds" or
                                (need.tokens and not cell["lost_updates"]), cell)

    def test_runs_too_few_for_any_lock_to_hold_recommend_nothing(self):
        def few(suite):
            for cell in suite["cells"]:
                if cell["verdict"] == "holds":
                    cell.update(verdict="not seen", claim="safe")
        run = self.loaded(few)
        self.assertEqual([line[0] for line in advice.answer(run)], ["Not known from this run"])
        self.assertEqual(advice.needs(run), [])

    def test_a_fault_under_which_a_lease_may_hold_did_not_break_every_lease(self):
        best = layers.ranking(self.loaded(), "sim")[0][1]
        def may_hold(suite):
            self.cell(suite, best.name, "pause").update(
                verdict="not seen", claim="safe", stuck=0, overlaps=0, lost_updates=0,
                fence_inversions=0, violated_runs=0)
        self.assertIn("`pause`", dict(advice.answer(self.loaded()))["No lease can"])
        self.assertNotIn("`pause`", dict(advice.answer(self.loaded(may_hold)))["No lease can"])

    def test_a_need_that_nothing_serves_says_so(self):
        self.assertIn("none of these alone", [use for _, use, _ in advice.needs(self.loaded())])

    def test_nothing_decided_recommends_nothing(self):
        run = self.loaded(lambda suite: suite.update(cells=[], agreement=[]))
        self.assertEqual(advice.needs(run), [])
        self.assertIn("No lock came to a verdict", advice.answer(run)[0][1])


class Tokens(Loaded):
    def test_what_two_at_once_lost_stands_beside_the_lock_without_tokens(self):
        run = self.loaded()
        rows = {row[0]: row[1:] for row in tokens.rows(run)}
        cell, twin = run.cells["sim", "fenced", "pause"], run.cells["sim", "set_nx_lua", "pause"]
        self.assertEqual(rows["pause"], (cell["overlaps"], cell["denied"], 0,
                                         twin["lost_updates"]))
        self.assertIn("`fenced`", [use for need, use, _ in advice.needs(run)
                                   if need.startswith("no harm is done")])

    def test_a_lost_update_is_no_protection(self):
        run = self.loaded(lambda suite: self.cell(suite, "fenced", "pause").update(lost_updates=1))
        self.assertNotIn("pause", tokens.safe_hazards(run))
        self.assertNotIn("`fenced`", [use for need, use, _ in advice.needs(run)
                                      if need.startswith("no harm is done")])
        self.assertIn("It lost updates under", tokens.sentence(run))

    def test_a_run_without_such_a_lock_says_nothing_of_them(self):
        def change(suite):
            for row in suite["algorithms"]:
                row.pop("fences", None)
        run = self.loaded(change)
        self.assertEqual((tokens.rows(run), tokens.sentence(run)), ([], None))


class Ranking(Loaded):
    def test_layers_have_every_hazard_once(self):
        named = [hazard for hazards in layers.LAYERS.values() for hazard in hazards]
        named.append(layers.NO_FAULT)
        self.assertEqual(sorted(named), sorted(h["name"] for h in fixture.suite()["hazards"]))

    def test_a_lock_that_deadlocks_stands_below_all_that_do_not(self):
        found = [one for _, one in layers.ranking(self.loaded(), "sim")]
        dead = [bool(one.deadlocks) for one in found]
        self.assertEqual(dead, sorted(dead))
        self.assertTrue(dead[-1])

    def test_a_lock_that_breaks_though_nothing_goes_wrong_stands_below_all(self):
        best = layers.ranking(self.loaded(), "sim")[0][1].name
        run = self.loaded(lambda suite: self.cell(suite, best, layers.NO_FAULT).update(
            verdict="violated", overlaps=3, violated_runs=1))
        self.assertEqual(layers.ranking(run, "sim")[-1][1].name, best)
        self.assertIn(f"`{best}` (it breaks though nothing goes wrong)",
                      dict(advice.answer(run))["Do not use"])

    def test_a_deadlock_behind_violations_counts(self):
        """Such a cell is violated, and stuck runs are in it."""
        def change(suite):
            self.cell(suite, "set_nx_del", "pause")["stuck"] = 2
        found = {one.name: place for place, one in layers.ranking(self.loaded(change), "sim")}
        self.assertGreater(found["set_nx_del"], found["setnx_timestamp_del"])

    def test_a_layer_with_many_columns_does_not_outweigh_another(self):
        def standing(client, network):
            return layers.Standing("x", {"client": client, "network": network}, [], [])
        self.assertLess(standing((4, 5), (1, 1)).worth, standing((5, 5), (0, 1)).worth)


class Counts(Loaded):
    def test_counts_in_words_are_those_of_the_squares(self):
        def change(suite):
            self.cell(suite, "setnx_expire", "pause")["stuck"] = 7
        run = self.loaded(change)
        letters = {a["name"]: [s.letter for s in squares]
                   for a, squares, _ in matrix.matrix(run, "sim")}
        self.assertIn("VS", letters["setnx_expire"])
        said = dict(answer.answer(run))["Stuck for ever"]
        dead = {one.name: one.deadlocks for _, one in layers.ranking(run, "sim")}
        for name in run.locks():
            n = sum("S" in letter for letter in letters[name])
            self.assertEqual(n, len(dead[name]), name)
            self.assertEqual(n > 0, f"`{name}`" in said, name)
        self.assertIn("**VS**", matrix.matrix_md(run, "sim"))

    def test_a_lock_without_a_ttl_is_not_waited_for(self):
        def change(suite):
            for name in ("setnx_del", "perfect_lock", "set_nx_lua"):
                self.cell(suite, name, "pause")["stuck_until_ttl"] = 5
        run = self.loaded(change)
        for name, waits in (("setnx_del", False), ("perfect_lock", False), ("set_nx_lua", True)):
            row = dict(zip((h["name"] for h in run.hazards), next(
                s for a, s, _ in matrix.matrix(run, "sim") if a["name"] == name)))
            self.assertEqual(row["pause"].waits, waits, name)

    def test_an_older_run_knows_locks_without_a_ttl_from_its_surface(self):
        def change(suite):
            for row in suite["algorithms"]:
                del row["ttl_us"]
        run = self.loaded(change)
        self.assertFalse(run.has_ttl("setnx_del"))
        self.assertTrue(run.has_ttl("set_nx_lua"))

    def test_what_was_seen_does_not_look_like_what_was_exhausted(self):
        run = self.loaded()
        for world in load.WORLDS:
            for _, squares, _ in matrix.matrix(run, world):
                for square in squares:
                    if square.verdict == "holds":
                        self.assertEqual(square.letter, "H" if square.proved else "h")
                        self.assertEqual(square.kind, "proved" if square.proved else "holds")
        live = [s for _, squares, _ in matrix.matrix(run, "live") for s in squares]
        self.assertFalse(any(s.proved for s in live))


class Intervals(Loaded):
    def test_shares_are_wilsons(self):
        """Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263."""
        found = intervals.share(81, 263)
        self.assertAlmostEqual(found["low"], 0.2553, 4)
        self.assertAlmostEqual(found["high"], 0.3662, 4)
        # Of two sides, of none, too: z squared over n and z squared.
        self.assertAlmostEqual(intervals.share(0, 300)["high"], 3.841459 / 303.841459, 6)
        self.assertEqual(intervals.share(0, 300)["low"], 0)
        self.assertEqual(intervals.share(0, 0), {"value": 0, "low": 0, "high": 1})

    def test_unseen_never_looks_worse_than_seen(self):
        for n in (10, 40, 100, 2500):
            self.assertLess(intervals.share(0, n)["high"], intervals.share(1, n)["high"])
            self.assertGreater(intervals.share(1, n)["low"], 0)

    def test_no_interval_has_zero_in_it_where_something_was_seen(self):
        """As intervals of older runs have."""
        row = {"value": 0.6, "low": 0, "high": 1.62}
        self.assertGreater(intervals.rate(row, 2, 100)["low"], 0)
        cell = {"overlaps": 3, "overlaps_per_1000_grants": row, "violated_runs": 2, "runs": 100}
        self.assertNotIn("(0–", words.rate(cell))
        self.assertEqual(words.rate({**cell, "overlaps": 0}), "0")
        self.assertEqual(words.failed(cell), "2 of 100 (2.00 %, 0.55–7.00)")
        self.assertEqual(words.failed({**cell, "violated_runs": 0}), "0 of 100 (≤ 3.70 %)")

    def test_the_reference_has_none_either(self):
        run = load.load_run(ROOT / "results" / "reference")
        seen = [words.rate(c) for c in run.cells.values() if c.get("overlaps")]
        self.assertGreater(len(seen), 90)
        self.assertEqual([text for text in seen if "(0–" in text or "(0 " in text], [])


class Libraries(Loaded):
    def test_each_is_like_a_lock_that_there_is_and_says_where_it_is_documented(self):
        registry = (ROOT / "algorithms" / "registry.cpp").read_text(encoding="utf-8")
        for item in libraries.known():
            self.assertIn(f'.name = "{item["like"]}"', registry)
            self.assertTrue(item["docs"].startswith("https://"))
            for key in ("name", "language", "ttl", "renews"):
                self.assertTrue(item[key], (item["name"], key))
        found = [word for item in libraries.known() for word in item["words"]]
        self.assertEqual(len(found), len(set(found)))

    def test_both_forms_show_them(self):
        for text in self.default():
            for name in ("Redisson RLock", "redsync", "redis-py Lock", "ShedLock"):
                self.assertIn(name, text)

    def test_what_broke_the_row_is_the_runs(self):
        self.assertIn("`slow_job`", libraries.broke(self.loaded(), "set_nx_lua", []))


class Plainly(Loaded):
    def test_what_was_not_tested_is_said(self):
        said = " ".join(provenance.untested(self.loaded()))
        for word in ("Sentinel", "Cluster", "Redlock", "appendfsync", "pools"):
            self.assertIn(word, said)

    def test_what_has_a_column_is_not_called_untested(self):
        run = self.loaded()
        nobody = "no replica takes over"
        self.assertNotIn(nobody, " ".join(provenance.untested(run)))
        older = [h for h in run.hazards if h["name"] != "failover"]
        run = dataclasses.replace(run, hazards=older)
        self.assertIn(nobody, " ".join(provenance.untested(run)))

    def test_sizes_and_commands_are_there(self):
        page, text = self.default()
        for form in (page, text):
            self.assertIn("20 to 300, ahead or back", form)
            for cell in fixture.suite()["cells"]:
                if cell["verdict"] != "not_applicable":
                    self.assertIn(cell["command"], form)

    def test_words_that_no_reader_wants(self):
        for text in self.default():
            for word in ("reckon", "mends", "befall", "whoever", "Whoever", "suffers",
                         "waited without end", "1 rounds", "1 faults", "0 of 0"):
                self.assertNotRegex(text, rf"\b{word}\b")


class Chinese(Loaded):
    def test_headings_verdicts_and_legend_are_chinese(self):
        run = self.loaded()
        self.assertEqual(set(chinese.HAZARDS), {h["name"] for h in run.hazards})
        self.assertEqual(set(chinese.MEANINGS), set(matrix.MEANINGS))
        block = chinese.block(run, "sim")
        for kind, _ in matrix.legend(run):
            self.assertIn(chinese.MEANINGS[kind], block)
            self.assertNotIn(matrix.MEANINGS[kind], block)
        self.assertTrue(block.startswith("| 锁 | 争用<br>contention |"), block[:80])
        self.assertEqual(json.dumps(block).count("\\n| `"), len(run.algorithms) - 1 + 1)


if __name__ == "__main__":
    unittest.main()
