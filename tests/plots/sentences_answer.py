"""Sentences of the answer, and of the run in figures."""

from sentences_data import Data, alone, contended

import advice
import answer
import layers


class Advice(Data):
    def test_advice_layer_words(self):
        one = layers.Standing("x", {"client": (4, 4), "network": (2, 5), "client clock": (2, 2),
                                    "server": (0, 1)}, [], [])
        self.assertEqual(advice.layer_words(one), "all 4 client faults, both client clock faults,"
                         " 2 of 5 network faults and no server faults")
        one.layers.update({"client": (0, 4), "server": (1, 1)})
        self.assertEqual(advice.layer_words(one), "both client clock faults, the server faults,"
                         " 2 of 5 network faults and no client faults")

    def test_advice_use(self):
        self.calm()
        for hazard in self.run_.hazards:
            for lock in self.run_.locks():
                if lock != "fenced" and self.cell(lock, hazard["name"])["verdict"] == "holds":
                    self.broken(lock, hazard["name"])
        self.assertTrue(advice.use(self.run_, "sim")[1].startswith("`fenced`. As set_nx_lua"))
        self.broken("fenced", "crash", stuck=1)
        said = advice.use(self.run_, "sim")[1]
        self.assertNotIn("`fenced`", said)
        self.assertRegex(said, r"^`\w+`( \(.*\))?\. .* It held under no ")

    def test_advice_short_jobs(self):
        self.calm()
        self.broken("set_nx_lua", "slow_job")
        for lock in self.run_.locks():
            if lock not in ("set_nx_lua", "watchdog_owned"):
                self.broken(lock, "crash", stuck=1)
        said = "`set_nx_lua` needs no background task"
        self.assertEqual(advice.short_jobs(self.run_, "sim")[1],
                         f"{said}, and does as well while every job ends before the TTL.")
        self.broken("set_nx_lua", "retry")
        self.assertEqual(advice.short_jobs(self.run_, "sim")[1],
                         f"{said}, but also breaks under `slow_job` and `retry`.")

    def test_advice_ttl(self):
        best = layers.ranking(self.run_, "sim")[0][1].name
        def point(ttl, pause, erased):
            return {"algorithm": best, "ttl_us": ttl, "pause_length_us": pause,
                    "erased_writes": erased}
        rows = [point(1_000_000, 500_000, 3), point(2_000_000, 500_000, 0)]
        run = self.with_(surface=rows)
        self.assertIn(f"`{best}` lost no write with pauses of 500\u00a0ms from a TTL of 2\u00a0s"
                      " on.", advice.ttl(run, "sim")[1])
        # What a longer TTL loses again is no limit.
        run = self.with_(surface=[*rows, point(4_000_000, 500_000, 1),
                                  point(8_000_000, 500_000, 0)])
        self.assertIn("from a TTL of 8\u00a0s on.", advice.ttl(run, "sim")[1])
        run = self.with_(surface=[])
        self.assertIn(f"a pause of 901\u00a0ms broke `{best}`", advice.ttl(run, "sim")[1])

    def test_advice_no_lease(self):
        self.calm()
        for lock in self.run_.locks():
            self.broken(lock, "pause")
            self.broken(lock, "evict")
        self.assertIn("survive a pause longer than the lease (`pause`) or a Redis that forgets the"
                      " key (`evict`):", advice.no_lease(self.run_, "sim")[1])
        self.cell("set_nx_lua", "evict").update(verdict="holds", claim="safe", overlaps=0)
        self.assertNotIn("evict", advice.no_lease(self.run_, "sim")[1])
        self.cell("fenced", "pause").update(verdict="holds", claim="safe", overlaps=0,
                                            lost_updates=0, fence_inversions=0)
        self.assertIsNone(advice.no_lease(self.run_, "sim"))

    def test_advice_some(self):
        self.assertEqual(advice.some(["a", "b", "c"]), "`a`, `b` and `c`")
        self.assertEqual(advice.some(["a", "b", "c", "d", "e"]), "`a`, `b`, `c` and 2 more")

    def test_advice_avoid(self):
        self.calm()
        self.assertIsNone(advice.avoid(self.run_, "sim"))
        self.broken("setnx_del", "crash", stuck=3)
        # It held under 2 of 20, none of them for ever: that is no lock to use, either.
        for hazard in [h["name"] for h in self.run_.hazards][3:]:
            if self.cell("setnx_timestamp_del", hazard)["verdict"] == "holds":
                self.broken("setnx_timestamp_del", hazard)
        self.assertEqual(
            advice.avoid(self.run_, "sim")[1],
            "`setnx_timestamp_del` (it withstood 2 of 20 faults) and `setnx_del` (`crash` can leave"
            " it taken for ever).")
        self.calm()
        for hazard in [h["name"] for h in self.run_.hazards][7:]:
            if self.cell("setnx_timestamp_del", hazard)["verdict"] == "holds":
                self.broken("setnx_timestamp_del", hazard)
        self.assertIsNone(advice.avoid(self.run_, "sim"), "a quarter is not too few")
        self.broken("setnx_timestamp_del", "contention")
        self.assertEqual(advice.avoid(self.run_, "sim")[1],
                         "`setnx_timestamp_del` (it breaks though nothing goes wrong).")

    def test_advice_answer(self):
        self.run_.manifest["complete"] = False
        del self.run_.cells["sim", "fenced", "crash"]
        self.assertIn("1 cell of the matrix below are still missing".replace("are", "is"),
                      advice.answer(self.run_)[0][1].replace(" are ", " is "))
        del self.run_.cells["sim", "fenced", "pause"]
        self.assertIn("2 cells of the matrix", advice.answer(self.run_)[0][1])


class Answer(Data):
    def test_answer_untrusted(self):
        self.calm()
        self.assertEqual(answer.untrusted(self.run_), [])
        for hazard in [h["name"] for h in self.run_.hazards if h["name"] != "stall"][:12]:
            self.cell("fenced", hazard)["overlaps"] = 1
        lines = answer.untrusted(self.run_)
        self.assertEqual(lines[0], "12 cells cannot be trusted:")
        self.assertEqual(lines[1], "`fenced`, `contention`, simulator: says holds, although a"
                         " failure was counted")
        self.assertEqual((len(lines), lines[-1]), (12, "and 2 more"))

    def test_answer_what_held(self):
        self.calm()
        n = sum(bool(a["safe_under"]) for a in self.run_.algorithms if not a["control"])
        self.assertIn(f"{n} of {n} locks kept", answer.what_held(self.run_, "sim")[1])
        self.cell("fenced", "crash")["verdict"] = "unknown"
        self.assertIn(f"{n - 1} of {n} locks kept", answer.what_held(self.run_, "sim")[1])
        self.assertIn("not shown for `fenced` (`crash`).", answer.what_held(self.run_, "sim")[1])
        for lock in self.run_.locks():
            self.cell(lock, "contention")["verdict"] = "unknown"
        self.assertRegex(answer.what_held(self.run_, "sim")[1], r"`\) and 6 more\.$")

    def test_answer_what_broke(self):
        self.calm()
        cells = sum(len(answer.decided(self.run_, "sim", lock)) for lock in self.run_.locks())
        self.assertIn(f"in the {cells} cells", answer.what_broke(self.run_, "sim")[1])
        # Five of one hazard and of five each: all of the greatest share are named, and no other.
        for hazard in ("crash", "pause", "retry", "evict", "failover"):
            for lock in self.run_.locks():
                self.broken(lock, hazard)
        self.broken("fenced", "clock_jump")
        # Stuck is not violated.
        self.broken("fenced", "slow_job", stuck=3)
        said = answer.what_broke(self.run_, "sim")[1]
        self.assertIn(f"56 of {cells} cells are violated. Hardest: `crash` (violated 11 of 11"
                      " locks), `pause` (violated 11 of 11 locks), `retry` (violated 11 of 11"
                      " locks), `evict` (violated 11 of 11 locks) and `failover` (violated 11 of 11"
                      " locks). No lock", said)
        self.assertIn("under `contention`, `slow_job`", said)
        for lock in self.run_.locks():
            for hazard in [h["name"] for h in self.run_.hazards]:
                if hazard != "stall":
                    self.broken(lock, hazard)
                else:
                    self.run_.cells.pop(("sim", lock, hazard))
        self.assertIn("Every hazard that came to a verdict violated some lock.",
                      answer.what_broke(self.run_, "sim")[1])

    def test_answer_who_stuck(self):
        self.calm()
        self.assertIn("No lock left", answer.who_stuck(self.run_, "sim")[1])
        self.broken("setnx_del", "crash", stuck=2)
        for hazard in ("crash", "retry", "evict", "failover"):
            self.broken("fenced", hazard, stuck=1)
        self.assertEqual(answer.who_stuck(self.run_, "sim")[1],
                         "Clients deadlocked under `setnx_del` (`crash`) and `fenced` (4 hazards).")

    def test_answer_alone(self):
        rows = [alone("set_nx_lua", 20.0, 0.99, 1.01), alone("fenced", 30.0, 0.8, 0.95),
                alone("no_lock", 0.1)]
        self.assertEqual(
            answer.alone(self.measured(rows)),
            "One client alone, with the server on one processor: from 20.0 (`set_nx_lua`) to 30.0"
            " µs (`fenced`) per grant; 1 of 2 locks differ measurably from their bare commands")
        # 1.0003 is printed as 1.000, which is no difference.
        rows[1] = alone("fenced", 10.0, 1.0003, 1.036)
        self.assertIn("from 10.0 (`fenced`) to 20.0 µs (`set_nx_lua`) per grant; 0 of 2 locks",
                      answer.alone(self.measured(rows)))

    def test_answer_together(self):
        rows = [contended("fenced", 900), contended("set_nx_lua", 1200), contended("no_lock", 9000),
                contended("fenced", 100, clients=64)]
        self.assertEqual(answer.together(self.measured(rows)),
                         "8 clients on one key, held 500\u00a0µs: from 900 (`fenced`) to 1,200"
                         " grants/s (`set_nx_lua`)")

    def test_answer_controls(self):
        self.calm()
        held = [c for c in answer.decided(self.run_, "sim", "perfect_lock")]
        grants = sum(c["grants"] for c in held)
        for hazard in ("contention", "pause"):
            self.cell("no_lock", hazard).update(verdict="violated", overlaps=3)
        caught = len(answer.decided(self.run_, "sim", "no_lock"))
        said = answer.controls(self.run_, "sim")
        self.assertIn("`no_lock`, which the checkers must catch, was caught in"
                      f" 2 of {caught}", said)
        self.assertIn(f"held in all {len(held)} cells ({grants:,} grants)", said)
        self.broken("perfect_lock", "pause")
        self.assertIn(f"`perfect_lock`, which they must not flag, failed in 1 of {len(held)} cells",
                      answer.controls(self.run_, "sim"))

    def test_answer_amount(self):
        self.run_.cells.clear()
        self.run_.cells.update({
            ("sim", "a", "x"): {"verdict": "holds", "runs": 1200, "grants": 7},
            ("sim", "a", "y"): {"verdict": "unknown", "runs": 3, "grants": 2},
            ("sim", "a", "z"): {"verdict": "not_applicable"},
            ("live", "a", "x"): {"verdict": "holds", "runs": 1, "grants": 1}})
        self.assertEqual(answer.amount(self.run_, "sim"), "2 cells, 1,203 runs and 9 grants")
        self.assertEqual(answer.amount(self.run_, "live"), "1 cell, 1 run and 1 grant")

    def test_answer_scope(self):
        said = answer.scope(self.run_, "sim")
        self.assertIn(f"those of the simulator: {answer.amount(self.run_, 'sim')}.", said)
        self.assertIn("H∀ says more", said)
        silent = self.with_(thresholds=[{k: v for k, v in row.items() if k != "coverage"}
                                        for row in self.run_.thresholds])
        self.assertNotIn("H∀", answer.scope(silent, "sim"), "there is no such square")
