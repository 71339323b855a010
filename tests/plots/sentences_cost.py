"""Sentences on what locks cost, and notes of figures."""

from sentences_data import Data, alone, contended, with_interval

import bench
import cost
import cost_alone
import recovery
import round_trips
from figures import surface as surface_figure
from figures import causes, fairness, parts, plane, throughput, waits


class Cost(Data):
    def test_bench_where(self):
        self.assertEqual(bench.where({"over": "tcp", "cpus": "two"}),
                         "over TCP, client and server on a processor each")

    def test_bench_medians(self):
        rows = [{"repetitions": 9}, {"repetitions": 4}]
        self.assertEqual(bench.medians(rows), "Medians of n = 4 to 9 repetitions")
        self.assertEqual(bench.medians(rows[:1]), "Medians of n = 9 repetitions")

    def test_bench_repetitions(self):
        rows = [{"repetitions": 9}, {"repetitions": 4}]
        self.assertTrue(bench.repetitions(rows).endswith("9 repetitions, with their 95 % intervals"
                                                         " (none below six)."))
        self.assertIn("9 repetitions, with their 95 % intervals.", bench.repetitions(rows[:1]))
        self.assertIn("4 repetitions: too few for", bench.repetitions(rows[1:]))

    def test_cost_overlaps(self):
        rows = [contended("fenced", 1, overlaps=2.5), contended("no_lock", 1, overlaps=700)]
        self.assertEqual(cost.overlaps(rows, ["fenced"]),
                         "Overlaps per 1,000 grants: `fenced` (2.50).")
        rows[0]["figures"]["overlaps_per_1000"]["value"] = 0
        self.assertEqual(cost.overlaps(rows, ["fenced"]), "No lock under test let two clients in.")

    def test_cost_policy(self):
        self.assertEqual(cost.policy({"wait": "fixed", "retry": "5ms"}),
                         "fixed, about every 5\u00a0ms")

    def test_cost_contended_table(self):
        rows = [contended("fenced", 10), contended("set_nx_lua", 20),
                contended("fenced", 5, clients=64)]
        table = cost.contended_table(bench.Bench(rows, [], []), ["fenced"])
        self.assertEqual(table.title, "8 clients, one key")
        self.assertIn("each client holds the key 500\u00a0µs, does not think and wants it again; a"
                      " refused client tries again (jitter, about every 1\u00a0ms)", table.caption)
        for row in rows:
            row["think"] = "3ms"
        self.assertIn("thinks for 3\u00a0ms",
                      cost.contended_table(bench.Bench(rows, [], []), []).caption)

    def test_cost_policies(self):
        rows = [contended("fenced", 10), contended("fenced", 20, wait="fixed"),
                contended("set_nx_lua", 20)]
        table = cost.policies(bench.Bench(rows, [], []))
        self.assertEqual(table.title, "Ways to wait, `fenced`, 8 clients")
        self.assertIn("with a delay of 1\u00a0ms", table.caption)
        self.assertIsNone(cost.policies(bench.Bench([rows[0], rows[2]], [], [])), "one way alone")

    def test_cost_open_loop(self):
        rows = [{**contended("fenced", 10, clients=16), "suite": "live/arrivals", "rate": "400"},
                {**contended("fenced", 10, clients=16), "suite": "live/arrivals", "rate": "800"}]
        table = cost.open_loop(bench.Bench(rows, [], []))
        self.assertEqual([head for head, _ in table.groups],
                         ["400 times a second, 16 clients", "800 times a second, 16 clients"])
        self.assertIn("it is held 500\u00a0µs.", table.caption)

    def test_cost_many_clients(self):
        row = {"suite": "live/clients", "clients": "1000", "lock": "fenced", "repetitions": 9,
               "figures": {"bytes_per_client": with_interval(31832),
                           "clients_without_a_grant": with_interval(0)}}
        said = cost.many_clients(bench.Bench([row], [], []))[0]
        self.assertIn("1,000 clients in one process, each with a key of its own (`fenced`): 31,832"
                      " bytes of heap each", said)
        self.assertIn("all of them got their grants", said)
        row["figures"]["clients_without_a_grant"]["value"] = 3
        self.assertIn("3 of them got no grant", cost.many_clients(bench.Bench([row], [], []))[0])

    def test_cost_each_repetition(self):
        row = {"suite": "live/contended", "name": "live/contended/lock:fenced/clients:8",
               "time_us": {**with_interval(2), "values": [3.25, 1, 2]}}
        table = cost.each_repetition(bench.Bench([row], [], []))
        self.assertEqual(table.groups, [("live/contended", [["lock:fenced/clients:8",
                                                             "3.25, 1.00, 2.00"]])])
        del row["time_us"]["values"]
        self.assertIsNone(cost.each_repetition(bench.Bench([row], [], [])))

    def test_cost_unfinished(self):
        self.assertEqual(cost.unfinished(bench.Bench([], [1, 2], [])),
                         "2 benchmarks did not come to the end:")
        self.assertEqual(cost.unfinished(bench.Bench([], [1], []))[:11], "1 benchmark")

    def test_cost_troubles(self):
        def error(name):
            return {"suite": "live/clients", "error": "late", "name": name}
        self.assertEqual(cost.troubles(bench.Bench([], [error("a"), error("b")], [])),
                         ["live/clients, `a` and `b`: late"])
        self.assertEqual(cost.troubles(bench.Bench([], [error(n) for n in "abc"], [])),
                         ["live/clients, 3 benchmarks: late"])

    def test_cost_alone_alone_cell(self):
        self.assertEqual(cost_alone.alone_cell(alone("fenced", 20.0, 0.8, 0.95)),
                         "20.0\n0.900 × floor")
        self.assertEqual(cost_alone.alone_cell(alone("fenced", 20.0, 1.0003, 1.036)),
                         "20.0\nno difference resolved")

    def test_cost_alone_faster(self):
        rows = [alone("fenced", 20.0, 1.01, 1.09, 1.05), alone("set_nx_lua", 20.0, 0.8, 0.95),
                alone("set_nx_del", 20.0, 0.99, 1.2, 1.1)]
        self.assertTrue(cost_alone.faster(bench.Bench(rows, [], [])).startswith(
            "Faster than their floor: `fenced` (1.050). "))
        self.assertEqual(cost_alone.faster(bench.Bench(rows[1:], [], [])), "")

    def test_cost_alone_split_table(self):
        rows = [alone("fenced", 20.0), {**alone("fenced", 70.0), "cpus": "two"}]
        table = cost_alone.split_table(bench.Bench(rows, [], []))
        self.assertEqual(table.title,
                         "The parts of a grant over a unix socket, and its processor time")
        self.assertEqual([head for head, _ in table.groups],
                         ["Client and server on one processor",
                          "Client and server on a processor each"])
        for row in rows:
            row["over"] = "tcp"
        self.assertIn("over TCP", cost_alone.split_table(bench.Bench(rows, [], [])).title)

    def test_cost_alone_orientation(self):
        row = {"suite": "live/redis_benchmark", "command": "set_nx_px", "clients": "1",
               "over": "unix", "cpus": "two", "figures": {"commands_per_s": with_interval(18_000)}}
        data = bench.Bench([alone("fenced", 20.0), row], [], [])
        rows = cost_alone.orientation(data).groups[0][1]
        self.assertEqual([line[0] for line in rows],
                         ["PING, bare hiredis, blocking", "redis-benchmark: SET NX PX"])
        self.assertEqual([line[3] for line in rows], ["10.0", "55.6"])

    def test_round_trips_table(self):
        rows = [alone("watchdog_owned", 20.0), alone("no_lock", 1.0)]
        rows[0]["figures"]["commands_per_grant"] = with_interval(3)
        table = round_trips.table(self.measured(rows))
        self.assertEqual(table.groups[0][1],
                         [["watchdog_owned", "3", "600 µs", "3 ms", "60 ms", "one each renewal"]])
        self.assertEqual(table.heads[2], "same rack,\n200 µs each")
        self.assertIsNone(round_trips.table(self.measured([])))


    def test_cost_alone_alone_table(self):
        rows = [alone("fenced", 20.0, ratio=0.9)]
        table = cost_alone.alone_table(self.measured(rows).bench)
        self.assertEqual(table.heads[0], "Lock")
        self.assertTrue(table.heads[1].startswith("Unix socket,"), table.heads)
        self.assertEqual([row[0] for row in table.groups[0][1]], ["fenced"])
        self.assertIn("20", table.groups[0][1][0][1])
        self.assertNotIn("Faster than", table.caption)
        rows = [alone("fenced", 20.0, low=1.01, high=1.2, ratio=1.1)]
        said = cost_alone.alone_table(self.measured(rows).bench).caption
        self.assertIn("Faster than their floor: `fenced` (1.100).", said)

    def crash(self, lock, recovered=15, median=201_000.0, ttl="200ms"):
        return {"suite": "live/recovery", "lock": lock, "clients": "4", "ttl": ttl,
                "retry": "1ms", "over": "unix", "cpus": "two", "repetitions": 9,
                "figures": {"crashes": with_interval(16), "recovered": with_interval(recovered),
                            "recovery_p50_us": with_interval(median, median - 1000, median + 2000),
                            "recovery_max_us": with_interval(median + 3000)}}

    def said(self, *rows):
        return recovery.sentences(self.measured(rows))[0].replace("\u00a0", " ")

    def test_recovery_reach(self):
        self.assertEqual(recovery.reach([200_000, 202_000]), "200 ms to 202 ms")
        self.assertEqual(recovery.reach([200_100, 200_000]), "200 ms")

    def test_recovery_said(self):
        rows = [{"lock": "fenced"}, {"lock": "no_lock"}]
        self.assertEqual(recovery.said(rows, "{who}: {times}", [5.0, 6.0]),
                         ["`fenced` and `no_lock`: 5 µs to 6 µs"])
        self.assertEqual(recovery.said([], "{who}"), [])

    def test_recovery_sentences(self):
        text = self.said(self.crash("fenced"), self.crash("set_nx_lua", median=203_000.0),
                         self.crash("setnx_del", 0), self.crash("set_nx_del", 9),
                         self.crash("perfect_lock", median=80.0),
                         self.crash("watchdog_owned", median=400_000.0))
        for part in ("Groups of 4 clients with a key each, over a unix socket",
                     "try again about every 1 ms.",
                     "wait for the TTL (200 ms), and hardly longer, with `fenced` and `set_nx_lua`:"
                     " in the median 201 ms to 203 ms, at the longest 206 ms (`set_nx_lua`).",
                     "Longer than the TTL: `watchdog_owned`, in the median 400 ms.",
                     "Only some crashes were followed by a grant: `set_nx_del`.",
                     "Never, that is for 5 TTLs: `setnx_del`.",
                     "Without waiting for a TTL: `perfect_lock`, in the median 80 µs."):
            self.assertIn(part, text)
        text = self.said(self.crash("fenced"))
        for word in ("Never", "Only some", "Longer than", "Without"):
            self.assertNotIn(word, text)
        self.assertEqual(recovery.sentences(self.measured([])), [])

    def test_recovery_table(self):
        table = recovery.table(self.measured([self.crash("fenced", 9),
                                              self.crash("setnx_del", 0, ttl="none")]))
        self.assertEqual(table.groups[0][1][0], [
            "fenced", "200\u00a0ms", "201 ms\n(200 ms–203 ms)", "204 ms", "16.0", "9.00"])
        self.assertEqual(table.groups[0][1][1][1], "–")
        self.assertIsNone(recovery.table(self.measured([])))


class Figures(Data):
    def test_figures_causes_draw(self):
        """Of each lock: how its violations are shared out among causes, and how many there are."""
        for cell in self.run_.cells.values():
            cell["causes"] = {}
        self.cell("fenced", "pause")["causes"] = {"late_reply": 3, "clock": 1}
        texts = [text.get_text() for axis in causes.draw(self.run_, 700).axes
                 for text in axis.texts]
        for shown in ("75", "25", "4"):
            self.assertIn(shown, texts)

    def test_figures_fairness_note(self):
        said = fairness.note(self.measured([contended("fenced", 10),
                                            contended("fenced", 10, clients=64)]))
        self.assertIn("the key held 500\u00a0µs, over a unix socket", said)
        self.assertIn("from above: 8 and 64 clients.", said)

    def test_figures_parts_note(self):
        said = parts.note(self.measured([alone("fenced", 20.0)]))
        self.assertIn("over a unix socket with", said)
        self.assertIn("Harness: a grant of `no_lock`", said)

    def point(self, lock, per_s, overlaps, ttl="1s"):
        return {"suite": "sim/plane", "clients": "3", "repetitions": 9, "faults": "pause=1",
                "lock": lock, "ttl": ttl,
                "figures": {"grants_per_s": with_interval(per_s),
                            "overlaps_per_1000": with_interval(overlaps)}}

    def test_figures_plane_note(self):
        said = plane.note(self.measured([self.point("fenced", 4, 1)]))
        self.assertIn("in virtual time: 3 clients, jobs", said)
        self.assertNotIn("Right of it", said)

    def test_figures_plane_why_faster(self):
        best = self.point("perfect_lock", 3.9, 0, "none")
        self.assertEqual(plane.why_faster(self.measured([best, self.point("fenced", 3.9, 5)])), "")
        said = plane.why_faster(self.measured([best, self.point("fenced", 4, 5),
                                               self.point("reentrant_watchdog", 4, 0)]))
        self.assertIn("`perfect_lock` waits for a holder", said)
        self.assertIn("`reentrant_watchdog` may be taken a second time", said)
        self.assertNotIn("without an overlap", said)
        said = plane.why_faster(self.measured([best, self.point("fenced", 4, 0)]))
        self.assertIn("`fenced` stands there also without an overlap.", said)
        self.assertNotIn("second time", said)

    def test_figures_surface_note_of(self):
        def rows(*runs):
            return self.with_(surface=[
                {"longest_job_us": 400_000, "runs": n, "grants": 40 * n, "writes": 40 * n,
                 "erased_writes": 0, "erased_per_1000_writes": with_interval(0, 0, n),
                 "replay": "./locklab x"} for n in runs])
        said = surface_figure.note_of(rows(50, 50), 400_000)
        self.assertIn("Jobs of 0 to 400\u00a0ms. Each square is n = 50 runs of 40 grants", said)
        self.assertIn("which leaves up to 5.00 % open for a 0", said)
        self.assertIn("n = 50 to 60 runs", surface_figure.note_of(rows(60, 50), 400_000))

    def row(self, ratio, low, high, lock="fenced", clients=8):
        row = contended(lock, 10, clients=clients)
        row["figures"]["ratio_to_floor"] = with_interval(ratio, low, high)
        return row

    def test_figures_throughput_resolved(self):
        rows = [self.row(0.9, 0.8, 0.95), self.row(0.9, 0.8, 1.0, "set_nx_lua")]
        self.assertIn("Of 2 comparisons with a floor 1 is resolved; where nothing differs, chance"
                      " alone shows about 0.10.", throughput.resolved(self.measured(rows)))
        self.assertEqual(throughput.resolved(self.measured([self.row(0.9, None, None)])), "")

    def test_figures_throughput_draw_row(self):
        """What stands at the right of each line."""
        def texts(*rows):
            figure = throughput.draw(self.measured(rows), 700)
            return [text.get_text() for axis in figure.axes for text in axis.texts]
        self.assertEqual(texts(self.row(0.9, 0.8, 0.95), self.row(0.9, 0.8, 0.95, clients=64)),
                         ["8: 10", "64: 10"])

    def test_figures_throughput_note(self):
        own = {**contended("fenced", 10, clients=16), "suite": "live/distinct"}
        said = throughput.note(self.measured([own]))
        self.assertIn("A key each: 16 clients. They do nothing but", said)
        self.assertNotIn("All want one key", said)
        said = throughput.note(self.measured([contended("fenced", 10)]))
        self.assertIn("All want one key: 8 clients. They hold it 500\u00a0µs;", said)
        self.assertIn("`no_lock` lets all clients in at once.", said)

    def test_figures_waits_note(self):
        arriving = {**contended("fenced", 10, clients=16), "suite": "live/arrivals", "rate": "400"}
        said = waits.note(self.measured([contended("fenced", 10), arriving]))
        self.assertIn("Closed loop: 8 clients on one key", said)
        self.assertIn("Open loop: 16 clients that together want the key 400 times a second", said)
        self.assertNotIn("Open loop", waits.note(self.measured([contended("fenced", 10)])))
