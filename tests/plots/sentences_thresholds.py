"""Sentences on the least faults, and on Redlock."""

from types import SimpleNamespace
from unittest import mock

from sentences_data import Data

import lengths
import redlock
import report_fixture as fixture
import thresholds


class Thresholds(Data):
    def search(self, lock, **more):
        return {**fixture.search_of(next(a for a in self.run_.algorithms if a["name"] == lock),
                                    "exclusion", 2, 1, 1), **more}

    def of(self, *rows):
        return self.with_(thresholds=list(rows))

    def test_thresholds_in_words(self):
        self.assertEqual(thresholds.in_words(["crash", "pause", "crash"]),
                         "`crash` twice + `pause`")
        self.assertEqual(thresholds.in_words(["crash"] * 3), "`crash` 3 times")
        self.assertEqual(thresholds.in_words([]), "no fault at all")

    def test_thresholds_size_name(self):
        self.assertEqual(thresholds.size_name(3), ("set of 3 faults", "any 3 faults"))
        self.assertEqual(thresholds.size_name(2), ("pair", "any two faults"))

    def test_thresholds_least_facts(self):
        row = self.search("set_nx_lua")
        found = {"faults": "pause=1", "least_us": 901_000, "steps": 8, "rounds": 2, "clients": 2}
        self.assertEqual(thresholds.Least(row, found).facts,
                         " from 901\u00a0ms, 8\u00a0steps, 2\u00a0rounds")
        self.assertEqual(thresholds.Least(row, {**found, "least_us": None, "rounds": 1}).facts,
                         ", 8\u00a0steps")

    def test_thresholds_rest(self):
        row = self.search("set_nx_lua", minimal=[], harmless=["none", "crash=1", "pause=1"])
        run = self.of(row)
        self.assertEqual(thresholds.rest(run, [row], []),
                         "no single fault (2\u00a0clients, 2 exhausted)")
        row["unknown"] = ["retry=1"]
        self.assertIn("no single fault that was searched to its end (",
                      thresholds.rest(run, [row], []))
        row.update(unknown=[], harmless=["none", "crash=1"])
        least = SimpleNamespace(faults=["pause"])
        self.assertEqual(thresholds.rest(run, [row], [least]),
                         "no other single fault (2\u00a0clients, 1 exhausted)")

    def test_lengths_of_key(self):
        """Of ten locks 150 ms, of two 200, of one 300: the greatest is not everybody's."""
        rows = [self.search(lock) for lock in self.run_.locks()[:5]]
        self.assertEqual(lengths.of_key(self.of(*rows), "command_timeout_us"), "150 ms")
        for row, us in zip(rows, (300_000, 200_000, 200_000)):
            row["command_timeout_us"] = us
        rows += [self.search(lock) for lock in self.run_.locks()[5:7]]
        self.assertEqual(
            lengths.of_key(self.of(*rows), "command_timeout_us"),
            "150 ms (200 ms for `setnx_expire` and `setnx_timestamp_del`, 300 ms for `setnx_del`)")
        self.assertEqual(lengths.of_key(self.of(*rows), "reply_delay_us"), "")

    def test_thresholds_reach_under(self):
        run = self.of(self.search("set_nx_lua"))
        self.assertEqual(thresholds.reach_under(run, (2, 1, 1)),
                         "2\u00a0clients under any single fault")

    def test_thresholds_intro(self):
        rows = [self.search("set_nx_lua"), self.search("fenced")]
        said = thresholds.intro(self.of(*rows)).replace("\u00a0", " ")
        self.assertIn("to the end for 2 clients under any single fault; a client", said)
        self.assertIn("gives up after 3 tries. Jobs", said)
        self.assertIn("TTL 1.2 s, time-out of a command 150 ms, error", said)
        rows[1].update(attempts_in_silence=3)
        self.assertIn("after 3 tries. Jobs", thresholds.intro(self.of(*rows)))
        rows[1].update(attempts_in_silence=1)
        self.assertIn("after 3 tries. With `fenced` a round has at most 1 try where a server hangs"
                      " or a link is cut. Jobs", thresholds.intro(self.of(*rows)).replace(
                          "\u00a0", " "))
        rows[1].update(attempts=1, command_timeout_us=300_000)
        said = thresholds.intro(self.of(*rows)).replace("\u00a0", " ")
        self.assertIn("after 3 tries, with `fenced` up to 2 tries sooner.", said)
        self.assertIn("time-out of a command 150 ms (300 ms for `fenced`)", said)

    def test_thresholds_notes(self):
        self.calm()
        row = self.search("set_nx_lua", minimal=[], harmless=["none", "pause=1"])
        said = thresholds.notes(self.of(row))
        self.assertIn("H: nothing that was searched breaks it", said)
        self.assertNotIn("campaigns also break", said)
        self.assertIn("Not searched: `slow_job`, `crash`, `stall`", said)
        self.broken("set_nx_lua", "pause")
        self.assertIn("campaigns also break `set_nx_lua` under `pause`, beyond these bounds.",
                      thresholds.notes(self.of(row)))

    def test_thresholds_cell_md(self):
        least = SimpleNamespace(name="`pause`", facts=", 8 steps", found={"witness": "none"})
        shown = thresholds.Cell("exclusion", [least], "violated", "no other", "`crash` (2 clients)")
        self.assertEqual(thresholds.cell_md(self.run_, shown),
                         "**V** `pause`, 8 steps<br>not known: `crash` (2 clients)<br>no other")
        shown = thresholds.Cell("exclusion", [], "holds", "no fault", "")
        self.assertEqual(thresholds.cell_md(self.run_, shown), "H no fault")

    def test_redlock_intro(self):
        def claim(lock, sums, means):
            return {"by": "antirez", "lock": lock, "means": means, "comment": "",
                    "shown_by": [["late_holder", sums]], "refuted_by": []}

        # The fixture's race with this lock: another's key was extended.
        found = {"authors": {"antirez": {}}, "claims": [
            claim("set_nx_lua", ["foreign_key"], "a"), claim("set_nx_lua", ["harmless"], "b"),
            claim("set_nx_lua", ["foreign_key"], "c"), claim("no_such_lock", ["harmless"], "d")]}
        with mock.patch.object(redlock, "known", lambda: found):
            self.assertEqual(
                redlock.intro(self.run_),
                "3 claims of both sides and of the page that describes Redlock, each played step by"
                " step: 2 borne out and 1 not as it says.")

    def test_redlock_beside_one(self):
        self.calm()
        faults = {"pause": "violated", "restart": "holds"}
        cells = {("sim", "redlock", name): {**self.cell("set_nx_lua", name), "verdict": verdict,
                                            "claim": "broken" if verdict == "violated" else "safe"}
                 for name, verdict in faults.items()}
        run = self.with_(others=self.with_(cells=cells))
        self.assertEqual(redlock.beside_one(run), "", "the lock on one server withstood all")
        for name in ("pause", "evict"):
            self.broken("set_nx_lua", name)
        broke = "`redlock` on three servers broke here under `pause`."
        not_put = " It was not put to `evict`, which broke `set_nx_lua`."
        self.assertEqual(
            redlock.beside_one(run),
            f"{broke} It withstood nothing that broke `set_nx_lua` on one server.{not_put}")
        self.broken("set_nx_lua", "restart")
        self.assertEqual(
            redlock.beside_one(run),
            f"{broke} It withstood `restart`, which broke `set_nx_lua` on one server.{not_put}")
        for lock in self.run_.locks():
            if self.cell(lock, "pause")["verdict"] != "not_applicable":
                self.broken(lock, "pause")
        self.assertIn("broke here under `pause`; every lease broke under `pause`. It",
                      redlock.beside_one(run))
