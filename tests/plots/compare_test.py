"""compare.py of plots/: each change between two runs is told, and nothing else is.

    compare_test.py PROGRAM      the binary, through which the verb is tried
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots"), str(ROOT / "tests" / "plots")]
sys.dont_write_bytecode = True

import compare  # noqa: E402
import compare_text  # noqa: E402
import races_fixture  # noqa: E402
import report_fixture as fixture  # noqa: E402

NONE = {"verdicts": 0, "thresholds": 0, "races": 0, "rates": 0, "costs": 0}
BARE = {"value": 5.0, "low": None, "high": None}


def run_quietly(*arguments):
    """(exit status, stdout, stderr)."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            status = compare.main([str(a) for a in arguments])
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue(), said.getvalue()


def figure(value, low, high):
    return {"value": value, "low": low, "high": high}


class Runs(unittest.TestCase):
    """Two run folders for each test. The data of both, to be changed before they are compared."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folders = [Path(holder.name) / name for name in ("a", "b")]
        self.a, self.b = ({
            "suite": fixture.suite(), "manifest": fixture.manifest(), "bench": fixture.bench(),
            "thresholds": fixture.thresholds(), "races": races_fixture.races()} for _ in "ab")

    def write(self):
        for folder, data in zip(self.folders, (self.a, self.b)):
            fixture.write(folder, data["suite"], data["manifest"], data["thresholds"],
                          data["bench"])
            (folder / "races.json").write_text(json.dumps(data["races"]), encoding="utf-8")

    def compared(self, status, **changed):
        """(text, object) of the comparison, which found so many changes, and no others."""
        self.write()
        code, text, said = run_quietly(*self.folders)
        self.assertEqual((code, said), (status, ""), text)
        code, out, said = run_quietly("--json", *self.folders)
        self.assertEqual((code, said), (status, ""))
        found = json.loads(out)
        self.assertEqual(found["summary"], NONE | changed)
        self.assertEqual(compare_text.text(found), text, "the text has what --json lacks")
        for line in text.splitlines():
            self.assertTrue(len(line) <= 100 or " " not in line.strip(), line)
        quiet = sum(not changed.get(part) for part in ("verdicts", "thresholds", "races"))
        self.assertLessEqual(text.count("\n  no change\n"), quiet)
        return text, found

    def cell(self, data, world="sim", algorithm="set_nx_lua", hazard="crash"):
        return next(c for c in data["suite"]["cells"] if
                    (c["world"], c["algorithm"], c["hazard"]) == (world, algorithm, hazard))

    def search(self, data, algorithm="set_nx_lua", goal="exclusion", reach=(3, 1, 1)):
        return next(r for r in data["thresholds"]["thresholds"] if r["algorithm"] == algorithm
                    and r["goal"] == goal
                    and (r["clients"], r["rounds"], r["most_faults"]) == reach)

    def bench_row(self, data, name="live/uncontended/lock:set_nx_lua/over:unix/cpus:same"):
        return next(r for r in data["bench"]["rows"] if r["name"] == name)


class Same(Runs):
    def test_equal_runs_have_no_change(self):
        text, found = self.compared(0)
        self.assertEqual(text.count("\n  no change\n"), 3)
        self.assertTrue(text.endswith(
            "\nno change: 0 verdicts, 0 thresholds, 0 races changed; 0 rates and 0 costs differ"
            " measurably\n"))
        self.assertEqual(found["result"], "no change")
        self.assertEqual(found["notes"], [])
        self.assertEqual(found["verdicts"]["compared"], len(self.a["suite"]["cells"]))
        self.assertIn("locklab 0.1.0 (abc1234), quick, seed 1", text)

    def test_incomplete_run_shows_nothing_but_its_changes(self):
        self.b["manifest"]["complete"] = False
        text, found = self.compared(2)
        self.assertIn("B is incomplete", text)
        self.assertEqual(text.splitlines()[-1].split(":")[0], "unknown")
        self.cell(self.b)["verdict"] = "violated"
        self.compared(1, verdicts=1)

    def test_runs_without_a_cell_in_common_show_nothing(self):
        for data, world in ((self.a, "sim"), (self.b, "live")):
            data["suite"]["cells"] = [c for c in data["suite"]["cells"] if c["world"] == world]
        text, _ = self.compared(2)
        self.assertIn("no cell in common", text)

    def test_other_machines_and_tools_are_named(self):
        self.b["manifest"]["machine"]["load"] = [9, 9, 9]
        self.assertEqual(self.compared(0)[1]["notes"], [])
        self.b["manifest"]["machine"]["cores"] = 64
        self.b["manifest"] |= {"redis": "7.2.4", "compiler": "clang 19.1"}
        self.b["manifest"]["parameters"]["live"] |= {"ttl_us": 2_000_000, "runs_per_cell": 99}
        self.b["bench"]["noise"] = ["Somebody else was busy."]
        text = " ".join(self.compared(0)[0].split())
        self.assertIn("figures of cost are not comparable, ratios to the floor are (cores: 2, then"
                      " 64).", text)
        self.assertIn("The redis differs, and may be the cause of any difference: 7.0.15, then"
                      " 7.2.4.", text)
        self.assertIn("g++ 12.2.0, then clang 19.1.", text)
        self.assertIn("The campaigns differ, so that other rates are to be expected: live ttl_us:"
                      " 500 ms, then 2 s.", text)
        self.assertIn("though its lock has not: live runs_per_cell: 12, then 99.", text)
        self.assertIn("Of the benchmarks of B: Somebody else was busy.", text)


class Verdicts(Runs):
    def test_each_is_told_with_its_counts_and_the_worst_first(self):
        self.cell(self.a, hazard="retry")["verdict"] = "violated"
        self.cell(self.b, hazard="retry")["verdict"] = "holds"
        self.cell(self.b, hazard="contention")["verdict"] = "unknown"
        self.cell(self.b, world="live").update(verdict="violated", overlaps=3, lost_updates=1)
        text, found = self.compared(1, verdicts=3)
        self.assertEqual([c["hazard"] for c in found["verdicts"]["changed"]],
                         ["crash", "contention", "retry"])
        self.assertIn("\n  live  set_nx_lua  crash  holds -> violated\n", text)
        self.assertIn("A: 12 runs, 1,200 grants, 0 overlaps, 0 (0 to 2.50) per 1,000\n", text)
        self.assertIn(
            "B: 12 runs, 1,200 grants, 3 overlaps, 0 (0 to 2.50) per 1,000, 1 lost update\n", text)
        self.assertIn("\n  sim   set_nx_lua  retry  violated -> holds\n", text)

    def test_what_one_run_lacks_is_named_and_no_change(self):
        self.b["suite"]["cells"].remove(self.cell(self.b))
        row = dict(self.b["suite"]["algorithms"][0], name="brand_new")
        self.a["suite"]["algorithms"].append(row)
        self.a["suite"]["cells"].append(dict(self.cell(self.a), algorithm="brand_new"))
        self.b["suite"]["hazards"].append({"name": "flood", "meaning": "water", "live": True})
        text, found = self.compared(0)
        self.assertIn("only in A: locks brand_new\n", text)
        self.assertIn("only in A: sim set_nx_lua under crash\n", text)
        self.assertIn("only in B: hazards flood\n", text)
        self.assertEqual([c["algorithm"] for c in found["verdicts"]["only_a"]["cells"]],
                         ["set_nx_lua"])


class Thresholds(Runs):
    def test_set_that_became_minimal_is_told_without_what_follows(self):
        row = self.search(self.b, reach=(2, 1, 2))
        least = dict(row["minimal"][0], faults="lose_reply=1", steps=5, least_us=901_000,
                     least_steps=7, verdict="violated")
        row["minimal"].append(least)
        row["harmless"] = [text for text in row["harmless"] if "lose_reply" not in text]
        text, found = self.compared(1, thresholds=1)
        self.assertIn("set_nx_lua  exclusion  lose_reply=1  harmless -> minimal, violated in"
                      " 5 steps, from 901 ms (7\n", text)
        self.assertIn("2 clients, 1 round, 3 attempts, at most 2 faults, any lengths\n", text)
        self.a, self.b = self.b, self.a
        text, found = self.compared(1, thresholds=1)
        self.assertEqual(found["thresholds"]["changed"][0]["b"], {"state": "harmless"})

    def test_pair_whose_part_became_minimal_is_minimal_no_more(self):
        lock = next(r["algorithm"] for r in self.a["thresholds"]["thresholds"]
                    if any("," in m["faults"] for m in r["minimal"]))
        row = self.search(self.b, lock, reach=(2, 1, 2))
        pair = next(m for m in row["minimal"] if "," in m["faults"])
        self.assertEqual(pair["faults"], "slow_job=1,stall=1")
        pair["faults"] = "stall=1"
        row["harmless"] = [text for text in row["harmless"] if "stall" not in text]
        _, found = self.compared(1, thresholds=2)
        self.assertEqual([(c["faults"], c["a"]["state"], c["b"]["state"])
                          for c in found["thresholds"]["changed"]],
                         [("stall=1", "harmless", "minimal"),
                          ("slow_job=1,stall=1", "minimal", "not_minimal")])

    def test_other_witness_and_other_knowledge_are_told(self):
        row = self.search(self.b)
        pause = next(m for m in row["minimal"] if m["faults"] == "pause=1")
        pause.update(steps=6, least_us=801_000)
        row["harmless"].remove("crash=1")
        row["unknown"].append("crash=1")
        text, found = self.compared(1, thresholds=2)
        self.assertIn("crash=1  harmless -> unknown\n", text)
        self.assertEqual([c["faults"] for c in found["thresholds"]["changed"]],
                         ["crash=1", "pause=1"])
        self.assertEqual(found["thresholds"]["changed"][1]["b"], {
            "state": "minimal", "verdict": "violated", "steps": 6, "least_us": 801_000,
            "least_steps": 9})

    def test_set_that_only_brief_searches_took_is_told_as_such(self):
        row = self.search(self.b)
        row["harmless"].remove("crash=1")
        row["harmless_briefly"] = ["crash=1"]
        text, found = self.compared(1, thresholds=1)
        self.assertIn("crash=1  harmless -> harmless, of brief searches only\n", text)
        self.assertEqual(found["thresholds"]["changed"][0]["b"], {"state": "harmless_briefly"})

    def test_order_in_which_a_set_is_written_is_no_change(self):
        row = self.search(self.b, reach=(2, 1, 2))
        row["harmless"] = [",".join(reversed(text.split(","))) for text in row["harmless"]]
        self.compared(0)

    def test_only_equal_bounds_are_compared_and_others_named(self):
        row = self.search(self.b)
        row.update(attempts=4, minimal=[])
        self.search(self.b, goal="progress").update(ttl_us=2_000_000, unknown=["crash=1"])
        text, found = self.compared(0)
        text = " ".join(text.split())
        bounds = "3 clients, 1 round, {} attempts, at most 1 fault, any lengths: set_nx_lua {}"
        for letter, *parts in (("A", 3, "exclusion and progress (TTL 1.2 s)"),
                               ("B", 4, "exclusion"), ("B", 3, "progress (TTL 2 s)")):
            self.assertIn(f"only {letter} searched {bounds.format(*parts)}", text)
        self.assertEqual(found["thresholds"]["compared"],
                         len(self.a["thresholds"]["thresholds"]) - 2)

    def test_run_without_thresholds_has_none_to_compare(self):
        self.write()
        for folder in self.folders:
            (folder / "thresholds.json").unlink()
        status, text, _ = run_quietly(*self.folders)
        self.assertEqual(status, 0)
        self.assertIn("Thresholds: 0 searches with equal bounds compared\n  nothing to", text)


class Races(Runs):
    def test_sum_and_expectation_are_told_and_words_are_not(self):
        rows = self.b["races"]["races"][0]["outcomes"]
        rows[2]["observed"] = "nothing goes wrong at all"
        self.compared(0)
        rows[0].update(sum="harmless", observed="nothing goes wrong")
        rows[1]["ok"] = False
        rows[2]["sum"] = "waits"
        text, found = self.compared(1, races=3)
        self.assertIn("late_holder  set_nx_lua  sim  foreign_key, as expected -> not as expected\n",
                      text)
        self.assertIn("late_holder  set_nx_del  sim  violated -> harmless, as expected\n", text)
        self.assertIn("A: A and B inside together\n        B: nothing goes wrong\n", text)
        self.assertEqual([c["algorithm"] for c in found["races"]["changed"]],
                         ["set_nx_lua", "setnx_del", "set_nx_del"])

    def test_what_one_run_lacks_is_named_and_no_change(self):
        self.b["races"]["races"].pop()
        self.b["races"]["races"][0]["outcomes"].pop()
        text, found = self.compared(0)
        self.assertEqual([p["race"] for p in found["races"]["only_a"]["plays"]], ["late_holder"])
        self.assertIn("only in A: 1 race: hung_worker\n", text)
        self.assertIn("only in A: late_holder with set_nx_del live\n", text)


class Rates(Runs):
    def rates(self, a, b):
        for data, rate in ((self.a, a), (self.b, b)):
            self.cell(data)["overlaps_per_1000_grants"] = figure(*rate)

    def test_resolved_difference_is_told_and_no_change_of_verdict(self):
        self.rates((12.1, 10.9, 13.4), (18, 16.5, 19.6))
        text, found = self.compared(0, rates=1)
        self.assertIn("12.1 (10.9 to 13.4) -> 18.0 (16.5 to 19.6), difference 5.90 (3.92 to 7.90)",
                      text)
        compared, chance = found["rates"]["compared"], found["rates"]["by_chance"]
        self.assertAlmostEqual(chance, 0.05 * compared)
        self.assertIn(f"{compared - 1} of {compared}: no difference resolved; 1 resolved, where"
                      f" chance alone would give up to {chance:.3g} (5 %)", text)
        same = sum(c["world"] == "sim" for c in self.a["suite"]["cells"]) - 1
        self.assertEqual(found["rates"]["same_runs"], same, "what is live is run anew")
        self.assertIn(f"{same} cells of the simulator are the same runs", text)

    def test_intervals_that_leave_no_difference_open_are_needed(self):
        self.rates((12, 10, 14), (14, 12, 16))
        self.compared(0)
        self.rates((12, 10, 14), (15, 13, 17))     # they overlap, and yet they differ
        self.compared(0, rates=1)
        self.rates((12, 10, 14), (15, 13, None))
        self.assertIn("difference 3.00 (0.17 to open)", self.compared(0, rates=1)[0])
        self.rates((12, 10, None), (15, 13, 17))
        self.compared(0)


class Costs(Runs):
    def test_pace_is_told_once_as_a_ratio(self):
        row = self.bench_row(self.b)
        row["time_us"] = {key: 2 * x for key, x in row["time_us"].items()}
        row["figures"]["grants_per_s"] = {
            key: x / 2 for key, x in row["figures"]["grants_per_s"].items()}
        text, found = self.compared(0, costs=1)
        told = found["costs"]["resolved"][0]
        self.assertEqual((told["figure"], told["ratio"]["value"]), ("time_us", 2))
        self.assertIn("ratio 2.00 (1.", text)

    def test_ratio_to_the_floor_is_told_as_a_difference_greatest_change_first(self):
        self.bench_row(self.b)["figures"]["ratio_to_floor"] = figure(0.5, 0.45, 0.55)
        name = "live/contended/lock:set_nx_lua/clients:8/hold:500us/think:0us/wait:jitter" \
               "/retry:1ms/over:unix/cpus:two"
        self.bench_row(self.b, name)["figures"] |= {
            "grants_per_s": figure(1700, 1690, 1710), "floor_per_s": figure(9000, 8900, 9100)}
        text, found = self.compared(0, costs=2)
        self.assertEqual([row["figure"] for row in found["costs"]["resolved"]],
                         ["ratio_to_floor", "grants_per_s"])
        self.assertIn("ratio_to_floor 0.80 (0.72 to 0.88) -> 0.50 (0.45 to 0.55), difference -0.30"
                      " (-0.39 to -0.21)", text)

    def test_text_has_the_greatest_and_json_all(self):
        for row in self.b["bench"]["rows"]:
            row["time_us"] = figure(*(9 * row["time_us"][k] for k in ("value", "low", "high")))
        alone = sum(r["suite"] == "live/uncontended" or not any(
            name.endswith("_per_s") for name in r["figures"]) for r in self.b["bench"]["rows"])
        text, _ = self.compared(0, costs=alone)
        self.assertIn(f"  and {alone - compare_text.MOST_COSTS} more (--json has all)\n", text)
        self.assertEqual(text.count(", ratio 9.00 ("), compare_text.MOST_COSTS)

    def test_rows_without_an_interval_with_an_error_or_missing_are_named(self):
        rows = self.b["bench"]["rows"]
        before = self.compared(0)[1]["costs"]["compared"]
        rows[0]["time_us"] = BARE
        rows[1].update(error="the server went away")
        rows[3]["error"] = "interrupted"
        del rows[3]["time_us"]
        name = rows.pop(2)["name"]
        text, found = self.compared(0)
        text = " ".join(text.split())
        self.assertIn("1 figure without an interval in one of the runs", text)
        self.assertIn(f"error in B: the server went away: {rows[1]['name']}", text)
        self.assertIn(f"only in A: 1 row: {name}", text)
        self.assertLess(found["costs"]["compared"], before)


class BadInput(Runs):
    def refused(self, arguments, *parts):
        status, out, said = run_quietly(*arguments)
        self.assertEqual((status, out, said.count("\n")), (64, "", 1), said)
        for part in parts:
            self.assertIn(part, said)

    def test_is_refused_with_one_sentence(self):
        self.write()
        a, b = self.folders
        self.refused([], "RUN_A")
        self.refused([a], "RUN_B")
        self.refused([a, b, a], "unrecognized")
        self.refused([a, b, "--colour"], "--colour")
        self.refused([a, b.parent / "nowhere"], "nowhere", "no folder")
        self.refused([a / "suite.json", b], "suite.json", "no folder")
        self.refused([a, b.parent], "manifest.json", "missing")
        for name in ("manifest.json", "suite.json", "bench.json", "races.json", "thresholds.json"):
            whole = (b / name).read_text(encoding="utf-8")
            (b / name).write_text("{", encoding="utf-8")
            self.refused([a, b], f"b/{name}", "JSON")
            (b / name).write_text(whole, encoding="utf-8")


class Verb(Runs):
    def run_verb(self, *arguments):
        ran = subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True,
                             text=True, timeout=60, check=False, env={
                                 **os.environ, "LOCKLAB_HOME": str(ROOT),
                                 "LOCKLAB_PYTHON": sys.executable})
        return ran.returncode, ran.stdout, ran.stderr

    def test_is_the_script(self):
        self.cell(self.b)["verdict"] = "violated"
        self.write()
        for arguments in (self.folders, ["--json", *self.folders], [self.folders[0]] * 2):
            self.assertEqual(self.run_verb(*arguments), run_quietly(*arguments))

    def test_help_says_what_the_exit_codes_mean(self):
        for status, out, _ in (self.run_verb("--help"), run_quietly("--help")):
            self.assertEqual(status, 0)
            self.assertIn("RUN_A RUN_B", out)
            for code in ("0 if no", "1 if one did", "2 if none did", "64 for bad"):
                self.assertIn(code, out)

    def test_bad_usage_is_refused(self):
        self.write()
        for arguments in ((), self.folders[:1], [*self.folders, "x"], ["--colour", "a", "b"],
                          ["a", "nowhere"]):
            status, out, said = self.run_verb(*arguments)
            self.assertEqual((status, out, said.count("\n")), (64, "", 1), said)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
