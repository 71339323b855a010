"""The report's part on cost: what it shows of bench.json, leaves out, and refuses."""

import unittest

from report_test import Folder, run_quietly

import answer
import bench
import cost
import cost_alone
import cost_table
import figures
import load
import recovery
import report
import report_fixture as fixture
from figures import fairness, parts, plane, throughput, waits
from html_page import Page


def rows_of(data, suite, **of):
    return [r for r in data["rows"] if r["suite"] == suite
            and all(r[key] == value for key, value in of.items())]


class Cost(Folder):
    """A run whose bench.json is made for the test."""

    def run_of(self, data):
        fixture.write(self.folder, bench_data=data)
        return load.load_run(self.folder)

    def table(self, data, title):
        """{first column: cells} of the table whose title has these words."""
        tables = [item for part in cost.parts(self.run_of(data)) for item in part.items
                  if isinstance(item, cost_table.Table) and title in item.title]
        self.assertEqual(len(tables), 1, title)
        return {row[0]: row[1:] for _, rows in tables[0].groups for row in rows}

    def texts(self, data):
        return [text for part in cost.parts(self.run_of(data)) for text in part.texts]


class Shown(Cost):
    def test_both_forms_have_every_part_table_and_figure(self):
        page, text = self.default()
        run = self.run_of(fixture.bench())
        for part in cost.parts(run):
            self.assertIn(f"<h3>{part.title}</h3>", page)
            self.assertIn(f"### {part.title}\n", text)
            for item in part.items:
                if isinstance(item, cost_table.Table):
                    self.assertIn(cost_table.as_md(item), text)
        for module in figures.FIGURES:
            self.assertIn(f'<figure id="figure-{module.NAME}">', page)
            self.assertIn(f"](figures/{module.NAME}.svg)", text)
            self.assertIn(f'Data: <a href="{module.DATA}">', page)
        self.assertNotIn('id="noise"', page)
        self.assertNotIn('id="errors"', page)
        self.assertNotIn("not measured", page)

    def test_one_client_has_each_placement_and_its_floor(self):
        data = fixture.bench()
        row = rows_of(data, "live/uncontended", lock="set_nx_lua", over="unix", cpus="two")[0]
        row["figures"]["ratio_to_floor"].update(value=0.95, low=0.9, high=1.02)
        cells = self.table(data, "by where client and server run")["set_nx_lua"]
        self.assertEqual(cells, ["32.0 (28.8–35.2)\n0.800 × floor",
                                 "128 (115–141)\nno difference resolved",
                                 "112 (101–123)\n0.800 × floor", "44.8 (40.3–49.3)\n0.800 × floor"])
        self.assertEqual(self.table(data, "by where")["no_lock"][0], "0.15 (0.14–0.17)")

    def test_split_says_the_placement_and_keeps_its_sign(self):
        run = self.run_of(fixture.bench())
        table = cost_alone.split_table(run.bench)
        self.assertEqual([heading for heading, _ in table.groups],
                         ["Client and server on one processor",
                          "Client and server on a processor each",
                          "Client and server wherever the kernel puts them"])
        for _, rows in table.groups:
            self.assertEqual([row[0] for row in rows], [a["name"] for a in run.algorithms])
        row = next(row for row in table.groups[1][1] if row[0] == "set_nx_lua")
        self.assertEqual(row[3:5], ["96.0\n(86.4–106)", "−6.40\n(−7.04 to −5.76)"])
        self.assertEqual(row[7:], ["2.00", "64.0", "64.0"])

    def test_ratio_is_resolved_only_where_the_interval_leaves_one_out(self):
        for low, high, words in ((0.9, 0.99, ""), (0.9, 1.0, cost_table.UNRESOLVED),
                                 (0.9, 1.1, cost_table.UNRESOLVED), (1.01, 1.1, ""),
                                 (None, None, cost_table.UNRESOLVED)):
            value = 0.95 if low != 1.01 else 1.05
            row = {"figures": {"ratio_to_floor": {"value": value, "low": low, "high": high}}}
            self.assertEqual(cost_table.ratio(row).partition("\n")[2], words, (low, high))

    def test_contended_table_has_eight_clients_or_the_most_below(self):
        data = fixture.bench()
        clients, rows = self.run_of(data).bench.contended()
        self.assertEqual((clients, len(rows)), (8, len(fixture.suite()["algorithms"])))
        cells = self.table(data, "8 clients, one key")["set_nx_lua"]
        self.assertEqual(cells, ["1,400\n(1,260–1,540)",
                                 "1.010 (0.909–1.111)\nno difference resolved", "140 µs", "360 µs",
                                 "29.2 ms", "87.5 ms", "0.98", "0", "6.50", "210", "140"])
        self.assertEqual(self.table(data, "8 clients, one key")["no_lock"][1:3], ["–", "–"])
        locks = [name for name in rows if name not in ("no_lock", "perfect_lock")]
        self.assertIn("No lock under test let two clients in.",
                      cost.overlaps(rows.values(), locks))
        for lock in ("no_lock", "set_nx_del"):
            rows[lock]["figures"]["overlaps_per_1000"] = fixture.around(12)
        self.assertEqual(cost.overlaps(rows.values(), locks),
                         "Overlaps per 1,000 grants: `set_nx_del` (12.0).")
        data["rows"] = [r for r in data["rows"] if r.get("clients") != "8"]
        self.assertEqual(self.run_of(data).bench.contended()[0], 2)
        data["rows"] = [r for r in data["rows"] if r.get("clients") != "2"]
        self.assertEqual(self.run_of(data).bench.contended()[0], 64)

    def test_ways_to_wait_are_compared_only_where_nothing_else_differs(self):
        data = fixture.bench()
        self.assertEqual(list(self.table(data, "Ways to wait, `set_nx_lua`, 8 clients")),
                         ["jitter", "fixed", "exponential"])
        for row in rows_of(data, "live/contended"):
            if row["wait"] != "jitter":
                row["hold"] = "2ms"
        self.assertEqual(list(self.table(data, "own article")), ["set_nx_lua"])
        self.assertIsNone(cost.policies(self.run_of(data).bench))

    def test_recovery_is_told_of_every_lock_once(self):
        data = fixture.bench()
        run = self.run_of(data)
        kinds = {row["lock"]: recovery.kind(row) for row in recovery.rows_of(run)}
        self.assertEqual((kinds["setnx_del"], kinds["set_nx_lua"]), ("never", "ttl"))
        row = rows_of(data, "live/recovery", lock="set_nx_lua")[0]
        for recovered, kind in ((3, "some"), (13, "ttl")):
            row["figures"]["recovered"] = {"value": recovered, "low": None, "high": None}
            self.assertEqual(recovery.kind(row), kind)
        for median, kind in ((80, "free"), (230_000, "late")):
            row["figures"]["recovery_p50_us"] = fixture.around(median)
            self.assertEqual(recovery.kind(row), kind)
        row["figures"]["crashes"] = fixture.around(0)
        self.assertNotIn(row["lock"], [r["lock"] for r in recovery.rows_of(self.run_of(data))])

    def test_plane_sweeps_the_ttl_of_each_lock_in_order(self):
        table = plane.table_of(self.run_of(fixture.bench()))
        self.assertEqual([ttl for ttl, _ in table["set_nx_lua"]], [1e5, 1e6, 1e7])
        self.assertEqual([plane.spot(row) for _, row in table["set_nx_lua"]],
                         [(4, 200), (3.5, 100), (3, 0)])
        self.assertEqual([ttl for ttl, _ in table["no_lock"]], [None])

    def test_waits_are_those_of_both_loops(self):
        run = self.run_of(fixture.bench())
        (_, closed), (_, opened) = waits.series(run)
        self.assertEqual([f["value"] for _, f, _ in waits.points(opened["set_nx_lua"])],
                         [170, 900, 1200])
        row = closed["set_nx_lua"]
        del row["figures"]["wait_p99_us"]
        self.assertEqual([line for line, *_ in waits.points(row)], [0, 2])
        self.assertIn("16 clients that together want the key 400 times a second", waits.note(run))
        self.assertEqual(len(throughput.series(run)), 2)

    def test_the_page_says_where_each_repetition_is(self):
        for form in self.default():
            self.assertIn("bench.csv and bench.json have those of every figure", form)
            self.assertNotIn("./locklab bench --json", form)

    def test_notes_say_where_client_and_server_ran(self):
        run = self.run_of(fixture.bench())
        for module in (throughput, waits, fairness):
            self.assertIn("over a unix socket, client and server on a processor each",
                          module.note(run), module.NAME)
        for place in ("one processor", "a processor each", "kernel's choice"):
            self.assertIn(f">{place}</text>", self.default()[0])

    def test_repetitions_and_lack_of_intervals_are_said(self):
        data = fixture.bench()
        self.assertIn("n = 9 repetitions, with their 95 % intervals.",
                      parts.note(self.run_of(data)))
        rows_of(data, "live/uncontended", over="unix")[0]["repetitions"] = 1
        self.assertIn("n = 1 to 9 repetitions, with their 95 % intervals (none below six).",
                      parts.note(self.run_of(data)))
        for row in data["rows"]:
            row["repetitions"] = 5
        self.assertIn("n = 5 repetitions: too few", parts.note(self.run_of(data)))

    def test_memory_and_clients_without_a_grant(self):
        data = fixture.bench()
        self.assertIn("1,000 clients in one process, each with a key of its own (`set_nx_lua`):"
                      " 31,832 (28,649–35,015) bytes of heap each", self.texts(data)[1])
        self.assertIn("all of them got their grants", self.texts(data)[1])
        rows_of(data, "live/clients")[0]["figures"]["clients_without_a_grant"] = fixture.around(7)
        self.assertIn("7 of them got no grant", self.texts(data)[1])

    def test_answer_says_where_it_was_measured(self):
        said = dict(answer.answer(self.run_of(fixture.bench())))["Cost"].replace("\u00a0", " ")
        self.assertEqual(said, "One client alone, with the server on one processor: from 26.0"
                         " (`setnx_del`) to 36.0 µs (`fenced`) per grant; 11 of 11"
                         " locks differ measurably from their bare commands. 8 clients on one key,"
                         " held 500 µs: from 1,400 (`fenced`) to 1,400 grants/s"
                         " (`watchdog_unowned`).")

    def test_tcp_alone_is_named(self):
        data = fixture.bench()
        for row in data["rows"]:
            if "over" in row:
                row.update(over="tcp", cpus="free", name=row["name"] + "/")
        data["rows"] = [r for r in data["rows"] if "cpus:same" not in r["name"]
                        and "cpus:free" not in r["name"]]
        run = self.run_of(data)
        self.assertEqual(run.bench.transport(), "tcp")
        self.assertIn("over TCP with blocking calls", parts.note(run))


class Missing(Cost):
    def test_each_suite_that_is_missing_is_one_sentence(self):
        data = fixture.bench()
        for gone, sentences in (
                (("live/uncontended",), 1), (("live/recovery",), 1), (("sim/plane",), 1),
                (("live/clients",), 1), (("live/redis_benchmark",), 0), (("live/arrivals",), 0),
                (("live/distinct",), 0), (("live/contended",), 1),
                (("live/contended", "live/arrivals", "live/distinct"), 3)):
            left = {**data, "rows": [r for r in data["rows"] if r["suite"] not in gone]}
            said = [t for t in self.texts(left) if "in this run" in t]
            self.assertEqual(len(said), sentences, gone)
            run = load.load_run(self.folder)
            for module in figures.FIGURES:
                if module.draw(run, 350) is not None:
                    self.assertTrue(module.note(run))
            answer.answer(run)

    def test_nothing_measured(self):
        for rows in ({"rows": [], "noise": []}, None):
            fixture.write(self.folder, bench_data=rows)
            if rows is None:
                (self.folder / "bench.json").unlink()
            status, said = run_quietly(report.main, self.folder)
            self.assertEqual(status, 0, said)
            for name in ("report.html", "report.md"):
                text = (self.folder / name).read_text(encoding="utf-8")
                self.assertEqual(cost.ABSENT in text, rows is None)
                # One is of the claims, five of the questions: the fixture has none of it.
                self.assertEqual(text.count("in this run."), 7 if rows is None else 13)
                if name.endswith("html"):
                    self.assertEqual(Page(text).faults, [])

    def test_errors_and_noise_are_shown_and_no_figure_is_read_from_errors(self):
        data = fixture.bench()
        failed = rows_of(data, "live/uncontended", lock="set_nx_lua", cpus="same", over="unix")[0]
        failed["error"] = "The server is <gone>."
        empty = rows_of(data, "live/recovery", lock="set_nx_lua")[0]
        empty.update(error="The server is <gone>.", repetitions=0)
        del empty["figures"], empty["time_us"]
        stopped = rows_of(data, "sim/plane", lock="set_nx_lua")[0]
        stopped.update(error=bench.INTERRUPTED, repetitions=4)
        data["noise"] = ["The load average was 3 & more."]
        page, text = self.built(bench=data)
        self.assertEqual(Page(page).faults, [])
        for form in (page, text):
            self.assertIn("3 benchmarks did not come to the end:", form)
            self.assertIn("The machine was not quiet", form)
        self.assertIn("The server is &lt;gone&gt;.", page)
        self.assertIn("<li>The load average was 3 &amp; more.</li>", page)
        self.assertIn("> - The load average was 3 & more.", text)
        read = load.load_run(self.folder).bench
        self.assertEqual(self.table(data, "by where")["set_nx_lua"][0], "–")
        self.assertNotIn("set_nx_lua", [r["lock"] for r in read.of("live/recovery")])
        self.assertIn(stopped, read.rows)
        self.assertEqual(len(read.errors), 3)


class BadInput(Cost):
    def test_wrong_rows(self):
        def set_to(**new):
            return lambda row: row.update(new)

        def figure(**new):
            return lambda row: row["figures"].update(jain=new)
        for change, words in (
                (set_to(suite=7), ("suite", "a string")),
                (set_to(lock="no_such"), ("lock", '"no_such"', "set_nx_lua")),
                (set_to(clients=8), ("clients", "in quotes")),
                (set_to(clients="0"), ("clients",)),
                (set_to(hold="500"), ("hold", "500us")),
                (set_to(wait="often"), ("wait", "jitter")),
                (set_to(cpus="three"), ("cpus", "free")),
                (set_to(over="ip"), ("over", "unix")),
                (set_to(repetitions=-1), ("repetitions",)),
                (set_to(error=False), ("error",)),
                (set_to(suite="live/recovery"), ("ttl", "missing")),
                (lambda row: row.pop("figures"), ("figures", "missing")),
                (lambda row: row.pop("time_us"), ("time_us", "missing")),
                (lambda row: row.pop("error"), ("error", "missing")),
                (figure(value="1", low=None, high=None), ("jain.value", "a number")),
                (figure(value=1, low=None), ("jain.high", "missing")),
                (figure(value=1, low=0.5, high=None), ("jain", "between low and high")),
                (figure(value=1, low=1.5, high=2), ("jain", "between low and high"))):
            data = fixture.bench()
            row = rows_of(data, "live/contended")[0]
            index = data["rows"].index(row)
            change(row)
            self.refused(data, f"rows[{index}].", *words)
        data = fixture.bench()
        data["rows"].append(data["rows"][3])
        self.refused(data, f"repeats {data['rows'][3]['name']}")
        self.refused({"rows": []}, "noise is missing")
        self.refused({"rows": [], "noise": [1]}, "noise[0]", "a string")

    def refused(self, data, *words):
        fixture.write(self.folder, bench_data=data)
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual((status, said.count("\n")), (64, 1), said)
        for word in ("bench.json", *words):
            self.assertIn(word, said)
        self.assertFalse((self.folder / "report.html").exists())

    def test_rows_of_other_suites_need_no_parts(self):
        data = fixture.bench()
        data["rows"].append(fixture.bench_row("explore/states", {"states": 1e6}, 5, lock="other"))
        self.assertEqual(len(self.run_of(data).bench.of("explore/states")), 1)


if __name__ == "__main__":
    unittest.main()
