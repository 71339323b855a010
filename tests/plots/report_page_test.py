"""The page as a whole: the order of its parts, what a square leads to, the surface and the
claims."""

import json
import re
import unittest

from report_test import ROOT, Folder, run_quietly

import answer
import article_prints
import claims
import load
import matrix
import proofs
import races
import races_fixture
import report
import report_fixture as fixture
import style
import surface
import witnesses
import yaml
from figures import parts, plane
from figures import surface as short
from figures import surface_jobs, throughput
from html_page import Page

SECTIONS = ("needs", "questions", "messages", "libraries", "own", "ranking", "matrix", "tokens",
            "untested", "least", "races", "cost", "surface", "agreement", "claims", "price",
            "cells", "words", "made")


class Loaded(Folder):
    """The fixture's run."""

    def setUp(self):
        super().setUp()
        fixture.write(self.folder)
        self.run_ = load.load_run(self.folder)

    def refused(self, file, change, *words):
        """This change to the file's object is refused in one sentence."""
        path = self.folder / file
        data = json.loads(path.read_text(encoding="utf-8"))
        change(data)
        path.write_text(json.dumps(data), encoding="utf-8")
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual((status, said.count("\n")), (64, 1), said)
        for word in (file, *words):
            self.assertIn(word, said)


class Beside(Loaded):
    def test_what_was_counted_beside_the_verdict_is_told(self):
        path = self.folder / "suite.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        cell = next(c for c in data["cells"] if (c["algorithm"], c["hazard"], c["world"]) ==
                    ("set_nx_lua", "crash", "sim"))
        cell["notices"] = {"losses": 20, "told": 12, "never_told": 8, "late": 3,
                           "false_alarms": 1}
        cell["refusals"] = {"falsely": 12, "of_own": 10, "of_nobodys": 2}
        cell["stuck_until_ttl"], cell["longest_orphan_wait_us"] = 4, 1_250_000
        path.write_text(json.dumps(data), encoding="utf-8")
        pages = report.pages(load.load_run(self.folder))
        page = next(text for path, text in pages.items() if path.name == "report.html")
        for told in ("20 lost the lock while inside: 12 told, 8 never told, 3 late; 1 false alarm:"
                     " told of a loss that was none; 12 false refusals",
                     "12 false refusals (the lock was the caller’s own in 10, nobody’s in 2)",
                     "orphaned for at most 1.25 s"):
            self.assertEqual(page.count(told), 1, told)


class Order(Loaded):
    def test_parts_stand_in_their_order_and_the_contents_name_them(self):
        page, text = self.default()
        self.assertEqual(tuple(re.findall(r'<section id="(\w+)">', page)), SECTIONS)
        nav = page[page.index("<nav"):page.index("</nav>")]
        self.assertEqual(tuple(re.findall(r'href="#(\w+)"', nav)), SECTIONS)
        heads = re.findall(r"<section id=.*?>\n<h2>(.*?)</h2>", page)
        self.assertEqual(len(heads), len(SECTIONS))
        self.assertEqual(re.findall(r"^## (.*)$", text, re.M), heads)

    def test_run_without_the_newer_files_is_a_report_too(self):
        for name in ("witnesses.json", "surface.json", "races.json", "bench.json"):
            (self.folder / name).unlink()
        self.assertEqual(run_quietly(report.main, self.folder)[0], 0)
        page = Page((self.folder / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(page.faults, [])
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
        text = (self.folder / "report.md").read_text(encoding="utf-8")
        for said in (surface.ABSENT, "No claim of an article was played"):
            self.assertIn(said, text)


class Witnesses(Loaded):
    def squares(self, world, algorithm):
        table = {a["name"]: squares for a, squares, _ in matrix.matrix(self.run_, world)}
        return dict(zip((h["name"] for h in self.run_.hazards), table[algorithm]))

    def test_a_square_that_failed_leads_to_its_witness(self):
        page = Page(self.default()[0])
        for world in load.WORLDS:
            square = self.squares(world, "set_nx_lua")["pause"]
            if square.verdict == "violated":
                self.assertEqual(square.leads_to, "witness-set_nx_lua-pause-violated")
                self.assertIn(square.leads_to, page.ids)
        self.assertEqual(self.squares("sim", "setnx_del")["crash"].leads_to,
                         "witness-setnx_del-crash-stuck")
        # No hazard is needed, so each leads there; and what has none leads to its counts.
        for square in self.squares("sim", "no_lock").values():
            if square.verdict == "violated":
                self.assertEqual(square.leads_to, "witness-no_lock-contention-violated")
        restart = self.squares("sim", "set_nx_lua")["restart"]
        self.assertEqual((restart.verdict, restart.leads_to), ("violated", restart.anchor))

    def test_a_witness_of_another_verdict_is_none_of_the_cell(self):
        cell = dict(self.run_.cells["sim", "setnx_del", "crash"])
        self.assertEqual(witnesses.of_cell(self.run_, cell)["verdict"], "stuck")
        cell["verdict"] = "violated"
        self.assertIsNone(witnesses.of_cell(self.run_, cell))
        cell["verdict"] = "holds"
        self.assertIsNone(witnesses.of_cell(self.run_, cell))

    def test_it_is_told_step_by_step_with_its_command(self):
        page = self.default()[0]
        for row in races_fixture.witnesses()["witnesses"]:
            part = page[page.index(f'id="{witnesses.anchor(row)}"'):].split("</details>")[0]
            self.assertIn(f"<code class=\"command\">{row['replay']}</code>", part)
            self.assertEqual(part.count('<td class="num at">'), len(row["steps"]))
            self.assertIn(f"in {row['length']} step", part.split("</summary>")[0])
            self.assertIn("<svg", part)

    def test_wrong_values(self):
        def put(key, value):
            return lambda data: data["witnesses"][0].__setitem__(key, value)
        for change, words in (
                (put("algorithm", "flock"), ("witnesses[0].algorithm", '"flock"')),
                (put("hazard", "flood"), ("witnesses[0].hazard", '"flood"')),
                (put("verdict", "holds"), ("witnesses[0].verdict", '"violated"')),
                (put("svg", "<svg onload='x'/>"), ("witnesses[0].svg",)),
                (lambda data: data["witnesses"].append(data["witnesses"][0]),
                 ("witnesses[3] repeats set_nx_lua pause violated",))):
            fixture.write(self.folder)
            self.refused("witnesses.json", change, *words)


class Controls(Loaded):
    def with_rows(self, change):
        """The run with each row of its locks changed."""
        suite = fixture.suite()
        for row in suite["algorithms"]:
            change(row)
        fixture.write(self.folder, suite)
        return load.load_run(self.folder)

    def test_are_what_the_run_says_and_no_names_of_ours(self):
        self.assertNotIn("perfect_lock", self.run_.locks())
        others = {"no_lock": "never_wrong", "perfect_lock": None, "set_nx_lua": "grants_always"}
        run = self.with_rows(lambda row: row.update(
            control=others.get(row["name"], row["control"])))
        self.assertIn("perfect_lock", run.locks())
        self.assertNotIn("set_nx_lua", run.locks())
        trust = answer.controls(run, "sim")
        self.assertIn("`set_nx_lua`, which the checkers must catch", trust)
        self.assertIn("`no_lock`, which they must not flag", trust)
        for figure in (parts, throughput):
            self.assertIn("`set_nx_lua`", figure.note(run))
        style.prepare()
        panels = [name for group in plane.groups(run) for name in group]
        self.assertIn("perfect_lock", panels)
        self.assertNotIn("set_nx_lua", panels)

    def test_an_older_run_has_the_controls_that_there_were(self):
        run = self.with_rows(lambda row: [row.pop(fact) for fact in (
            "control", "reentrant", "renews")])
        self.assertEqual(run.locks(), self.run_.locks())
        self.assertEqual([run.control(kind) for kind in load.CONTROLS], ["no_lock", "perfect_lock"])
        self.assertEqual([row["name"] for row in run.algorithms if row["reentrant"]],
                         ["reentrant_watchdog"])

    def test_a_control_of_an_unknown_kind_is_refused(self):
        self.refused("suite.json",
                     lambda suite: suite["algorithms"][1].update(control="sometimes"),
                     "algorithms[1].control", '"never_wrong"')

    def test_causes_stand_in_the_order_of_the_run(self):
        cells = [*self.run_.cells.values()]
        for cell in cells:
            cell["causes"] = {}
        cells[0]["causes"] = {"clock": 0, "flood": 2}
        cells[1]["causes"] = {"clock": 1, "flood": 0, "drought": 1}
        self.assertEqual(self.run_.causes(), ["clock", "flood", "drought"])


class Proofs(Loaded):
    def cell(self, algorithm, hazard, verdict="holds", world="sim"):
        return {"world": world, "algorithm": algorithm, "hazard": hazard, "verdict": verdict}

    def test_both_questions_must_have_been_searched_to_the_end(self):
        cell = self.cell("set_nx_lua", "crash")
        self.assertEqual(proofs.proved(self.run_, cell).replace("\u00a0", " "),
                         "3 clients and 2 clients in 2 rounds (2 tries)")
        for row in self.run_.thresholds:
            if row["algorithm"] == "set_nx_lua" and row["goal"] == "progress":
                row["harmless"].remove("crash=1")
                row["unknown"].append("crash=1")
        self.assertEqual(proofs.proved(self.run_, cell), "")

    def test_what_the_two_questions_have_not_in_common_is_no_proof(self):
        for row in self.run_.thresholds:
            three = row["clients"] == 3
            if "crash=1" in row["harmless"] and three == (row["goal"] == "progress"):
                row["harmless"].remove("crash=1")
        self.assertEqual(proofs.proved(self.run_, self.cell("set_nx_lua", "crash")), "")

    def test_only_the_simulators_cells_that_hold_are_proved(self):
        for cell in (self.cell("set_nx_lua", "crash", "violated"),
                     self.cell("set_nx_lua", "crash", world="live"),
                     self.cell("setnx_del", "crash"), self.cell("set_nx_lua", "pause")):
            self.assertEqual(proofs.proved(self.run_, cell), "")
        self.assertTrue(proofs.proved(self.run_, self.cell("set_nx_lua", "contention")))

    def test_a_search_that_tells_not_what_it_exercised_is_no_proof(self):
        cell = self.cell("set_nx_lua", "crash")
        for lacking in ("coverage", "searches"):
            run = load.load_run(self.folder)
            for row in run.thresholds:
                if row["algorithm"] == "set_nx_lua":
                    del row[lacking]
            self.assertEqual(proofs.proved(run, cell), "")
            squares = {a["name"]: found for a, found, _ in matrix.matrix(run, "sim")}
            self.assertFalse(any(square.proved for square in squares["set_nx_lua"]))
            self.assertTrue(any(square.proved for square in squares["perfect_lock"]))
            self.assertNotIn(matrix.SILENT, matrix.legend_md(run))
            for row in run.thresholds:
                row.pop(lacking, None)
            self.assertIn(matrix.SILENT, matrix.legend_md(run))
            self.assertNotIn(matrix.PROVED, matrix.legend_md(run))

    def test_an_older_run_has_no_proofs(self):
        (self.folder / "thresholds.json").unlink()
        run = load.load_run(self.folder)
        self.assertEqual(proofs.proved(run, self.cell("set_nx_lua", "crash")), "")


class Surface(Loaded):
    def test_table_and_figure_show_the_data(self):
        table = surface.beside_jepsen(self.run_)
        rows = {row[0]: row[1:] for _, group in table.groups for row in group}
        self.assertEqual(set(rows), {a["name"] for a in self.run_.algorithms})
        self.assertEqual(rows["set_nx_lua"][:2], ["0", "0"])
        self.assertTrue(rows["set_nx_lua"][2].startswith("15.0 ("), rows["set_nx_lua"])
        self.assertEqual(rows["setnx_del"], ["0"] * 3)
        page, text = self.default()
        for form in (page, text):
            for said in ("about 18 %", surface.JEPSEN, "surface.csv", surface.replay(self.run_)):
                self.assertIn(said, form)
        for name in ("surface", "surface_jobs"):
            self.assertIn(f'<figure id="figure-{name}">', page)
        self.assertEqual(surface.swept(self.run_, 400_000)[0], "setnx_expire")
        self.assertNotIn("no_lock", surface.swept(self.run_, 400_000))

    def test_what_pauses_do_is_told_from_what_long_jobs_do(self):
        self.assertEqual(surface.kinds(self.run_), [400_000, 2_000_000])
        self.assertEqual({row["longest_job_us"] for row in surface.main_rows(self.run_)}, {400_000})
        said = surface.blame(self.run_).replace("\u00a0", " ")
        self.assertIn("jobs of 0 to 400 ms nothing is lost without pauses", said)
        self.assertIn("jobs of 0 to 2 s, and no pauses at all, writes are lost at TTLs of 500 ms",
                      said)

    def test_a_run_with_one_kind_of_jobs_says_what_it_lacks(self):
        data = fixture.surface()["surface"]
        old = [{k: v for k, v in row.items() if k != "longest_job_us"} for row in data
               if row["longest_job_us"] == 2_000_000 and row["pause_length_us"]]
        (self.folder / "surface.json").write_text(json.dumps({"surface": old}), encoding="utf-8")
        run = load.load_run(self.folder)
        self.assertIn("are not in this run", surface.blame(run))
        self.assertIsNone(surface_jobs.draw(run, 1000))
        self.assertIsNotNone(short.draw(run, 1000))

    def test_zeros_are_printed(self):
        self.assertEqual([short.label(p) for p in (0, 0.01, 0.5, 12.3)], ["0", "<0.1", "0.5", "12"])

    def test_locks_with_equal_numbers_everywhere_are_one_experiment(self):
        self.assertIn("this is one experiment", surface.alike(self.run_))
        for index, row in enumerate(self.run_.surface):
            row["overlaps"] += index
        self.assertEqual(surface.alike(self.run_), "")

    def test_a_point_without_writes_is_not_zero(self):
        row = dict(self.run_.surface[0], writes=0)
        self.assertEqual(surface.share(row), "–")
        self.assertEqual(surface.share(None), "–")

    def test_wrong_values(self):
        def put(key, value):
            return lambda data: data["surface"][1].__setitem__(key, value)
        for change, words in (
                (put("algorithm", "flock"), ("surface[1].algorithm", '"flock"')),
                (put("erased_writes", -1), ("surface[1].erased_writes", "-1")),
                (put("erased_per_1000_writes", 3), ("surface[1].erased_per_1000_writes",)),
                (put("ttl_us", "2s"), ("surface[1].ttl_us",)),
                (lambda data: data["surface"].append(data["surface"][0]), ("repeats",))):
            fixture.write(self.folder)
            self.refused("surface.json", change, *words)


class Claims(Loaded):
    def setUp(self):
        super().setUp()
        self.race = self.run_.races[0]
        self.race.update(name="del_then_setnx_by_two", outcomes=[
            races_fixture.outcome("del_then_setnx_by_two", "setnx_timestamp_del", "violated",
                                  "B and C inside together", world) for world in load.WORLDS])

    def claim(self, article="000"):
        return next(c for name, rows in claims.by_article(self.run_) if name == article
                    for c in rows)

    def test_a_quotation_is_its_articles(self):
        for claim in claims.known():
            self.assertEqual(article_prints.articles_of(claim["says"]), [claim["article"]], claim)
        for path in sorted((ROOT / "scenarios").glob("*.yaml")):
            scenario = yaml.safe_load(path.read_text(encoding="utf-8"))
            if "says" in scenario:
                first, _ = races.sources({"source": scenario["source"]})
                self.assertEqual(article_prints.articles_of(scenario["says"]), [first], path.name)

    def test_prints_tell_articles_apart(self):
        self.assertEqual(article_prints.articles_of("what no article says, in no language"), [])

    def test_each_claim_stands_once_and_is_judged_by_its_articles_own_lock(self):
        said = [article_prints.plain(claim["says"]) for claim in claims.known()]
        self.assertEqual(len(said), len(set(said)))
        registry = (ROOT / "algorithms" / "registry.cpp").read_text(encoding="utf-8")
        sources = dict(re.findall(r'\.name = "(\w+)".*?\.source = "([^"]+)"', registry, re.S))
        for claim in claims.known():
            self.assertNotRegex(claim["says"], r"[?？(){}]", "a question, or code, claims nothing")
            self.assertIn(claim["article"], sources[claim["lock"]], claim)
            for name, sums in claim["shown_by"] + claim["refuted_by"]:
                self.assertTrue((ROOT / "scenarios" / f"{name}.yaml").is_file(), name)
                self.assertLessEqual(set(sums), set(races.SUMS))

    def test_verdicts_follow_the_data(self):
        self.assertEqual(claims.verdict(self.run_, self.claim()), claims.TRUE)
        self.assertEqual(claims.seen(self.run_, self.claim()),
                         "With `setnx_timestamp_del`: B and C inside together.")
        self.assertIn("3 claims of the articles", claims.intro(self.run_))
        self.race["outcomes"][1]["sum"] = "harmless"
        self.assertEqual(claims.verdict(self.run_, self.claim()), claims.OTHER)

    def test_what_does_not_suffice(self):
        claim = {**self.claim(), "shown_by": [], "refuted_by": self.claim()["shown_by"]}
        self.assertEqual(claims.verdict(self.run_, claim), claims.HALF)
        self.assertEqual(claims.verdict(self.run_, {**claim, "wrong": True}), claims.FALSE)
        self.race["outcomes"] = []
        self.assertEqual(claims.verdict(self.run_, claim), claims.UNPLAYED)

    def test_another_lock_judges_nothing(self):
        for row in self.race["outcomes"]:
            row["algorithm"] = "perfect_lock"
        self.assertEqual(claims.by_article(self.run_), [])

    def test_both_forms_show_them(self):
        for path, text in report.pages(self.run_).items():
            if path.name in ("report.html", "report.md"):
                plain = text.replace("<wbr>", "")
                for said in (self.claim()["says"], self.claim()["means"], claims.TRUE,
                             self.race["outcomes"][0]["replay"]):
                    self.assertTrue(said in plain, f"{path.name} lacks {said}")


if __name__ == "__main__":
    unittest.main()
