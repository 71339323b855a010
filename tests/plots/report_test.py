"""The report of plots/: complete, self-contained, the same each time, strict about its input."""

import contextlib
import copy
import dataclasses
import functools
import io
import re
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots"), str(ROOT / "tests" / "plots")]
sys.dont_write_bytecode = True

import answer  # noqa: E402
import drawn_once  # noqa: E402
import figures  # noqa: E402
import load  # noqa: E402
import matrix  # noqa: E402
import provenance  # noqa: E402
import readme_table  # noqa: E402
import report  # noqa: E402
import report_fixture as fixture  # noqa: E402
import style  # noqa: E402
import translate  # noqa: E402
from html_page import Page  # noqa: E402


def run_quietly(main, *arguments):
    """(exit status, what it said on stderr)."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as stop:
            status = stop.code
    return status, said.getvalue()


class Folder(unittest.TestCase):
    """A run folder of its own for each test."""

    IN_CHINESE = False  # whether the page in Chinese is made too: a third of the time

    def setUp(self):
        if not self.IN_CHINESE:
            self.enterContext(unittest.mock.patch.object(translate, "page", lambda english: ""))
        holder = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = Path(holder) / "run"

    @staticmethod
    def default():
        """(html, markdown) of the fixture as it is; the page without places where names break."""
        page, text = Folder.raw()
        return page.replace("<wbr>", ""), text

    @staticmethod
    @functools.cache
    def raw():
        """The same as it is written, built once for all tests that only read."""
        with tempfile.TemporaryDirectory() as holder:
            return Folder.texts(load.load_run(fixture.write(Path(holder) / "run")))

    @staticmethod
    def texts(run):
        """(html, markdown) of a run."""
        pages = report.pages(run)
        return tuple(pages[run.folder / name] for name in ("report.html", "report.md"))

    def built(self, suite=None, manifest=None, thresholds=None, bench=None):
        """Builds the report; returns (html, markdown)."""
        fixture.write(self.folder, suite, manifest, thresholds, bench)
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual(status, 0, said)
        return tuple((self.folder / f).read_text(encoding="utf-8").replace("<wbr>", "")
                     for f in ("report.html", "report.md"))


class Content(Folder):
    def test_both_forms_name_every_algorithm_hazard_and_replay(self):
        suite = fixture.suite()
        replays = [c["replay"] for c in suite["cells"] if c["replay"]]
        self.assertGreater(len(replays), 50)
        for text in self.default():
            for row in suite["algorithms"] + suite["hazards"]:
                self.assertIn(row["name"], text)
            for replay in replays:
                self.assertIn(replay, text)

    def test_every_cell_has_its_letter(self):
        _, text = self.default()
        fixture.write(self.folder)
        run = load.load_run(self.folder)
        for world in load.WORLDS:
            for algorithm, squares, _ in matrix.matrix(run, world):
                for hazard, square in zip(run.hazards, squares):
                    cell = run.cells[world, algorithm["name"], hazard["name"]]
                    proved = world == "sim" and square.proved
                    self.assertEqual(square.letter, "h" if cell["verdict"] == "holds" and not proved
                                     else matrix.LETTERS[cell["verdict"]])
            self.assertIn(matrix.matrix_md(run, world), text)

    def test_page_is_well_formed_and_its_inner_links_lead_somewhere(self):
        page = Page(self.default()[0])
        fixture.write(self.folder)
        self.assertEqual(page.faults, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertGreater(len(page.links), 200)
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
            elif not link.startswith("https://") and link != "report.zh.html":
                self.assertTrue((self.folder / link).is_file(), link)

    def test_page_loads_nothing(self):
        text = self.default()[0]
        for target in Page(text).loads:
            self.assertTrue(target.startswith(("#", "data:")), target)
        self.assertNotRegex(text, r"@import|url\((?!#)")

    def test_traces_are_linked_and_replayed_only_where_they_are(self):
        suite = fixture.suite()
        kept, *gone = [c for c in suite["cells"] if c["witness"]]
        fixture.write(self.folder)
        for cell in gone:
            (self.folder / cell["witness"]).unlink()
        self.assertEqual(run_quietly(report.main, self.folder)[0], 0)
        for name in ("report.html", "report.md"):
            page = (self.folder / name).read_text(encoding="utf-8").replace("<wbr>", "")
            self.assertIn(kept["replay"], page)
            for cell in gone:
                self.assertNotIn(cell["replay"], page)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        links = [link for link in Page(page).links if link.startswith("traces/")]
        self.assertEqual(links, [kept["witness"]])
        self.assertEqual(page.count("its trace was left out of this folder"), len(gone))

    def test_two_builds_are_equal_bytes(self):
        def everything():
            return {p.relative_to(self.folder): p.read_bytes()
                    for p in sorted(self.folder.rglob("*")) if p.is_file()}
        with unittest.mock.patch.object(report, "drawing", drawn_once.DRAW):
            self.built()
        first = everything()
        self.built()
        self.assertEqual(first, everything())
        for module in figures.FIGURES:
            self.assertIn(Path(f"figures/{module.NAME}.svg"), first)

    def test_text_of_the_data_is_escaped(self):
        suite = fixture.suite()
        suite["algorithms"][1]["summary"] = "a <b> & c"
        self.assertIn("a &lt;b&gt; &amp; c", self.built(suite)[0])

    def test_stopped_run_says_so_and_shows_what_is_there(self):
        suite = fixture.suite()
        suite["cells"] = suite["cells"][:40]
        suite["agreement"] = []
        for text in self.built(suite, fixture.manifest(complete=False)):
            self.assertIn("stopped before its end", text)
            self.assertIn("266 of 286 cells are missing from the simulator", text)

    def test_a_run_that_could_not_do_a_part_says_which_and_why(self):
        why = "redis-server was not <b>found</b>."
        data = dict(fixture.manifest(complete=False),
                    missing=[{"part": "live runs", "why": why}, {"part": "plays", "why": why}])
        run = load.load_run(fixture.write(self.folder, manifest_data=data))
        for path, text in report.pages(run).items():
            if path.name in ("report.html", "report.md"):
                self.assertIn("could not do all of its parts", text)
                self.assertIn("Missing: live runs, plays, because redis-server was not", text)
                self.assertNotIn("<b>found", text)
                self.assertNotIn("stopped before its end", text)

    def test_a_run_of_some_parts_says_which_it_left_out_and_nothing_of_these(self):
        suite = fixture.suite()
        suite["cells"] = [c for c in suite["cells"] if c["verdict"] == "not_applicable"]
        suite["agreement"] = []
        parts = [{"name": "sim", "title": "campaigns in the simulator"},
                 {"name": "live", "title": "campaigns on <b>Redis</b>"}]
        took = [{"name": "surface", "seconds": 75.0, "processor_seconds": 130.0}]
        data = dict(fixture.manifest(complete=False), to_come=[], left_out=parts, took=took)
        for form in self.built(suite, data):
            self.assertIn("This run has only the parts that it was asked for.", form)
            self.assertIn("Left out (--sections): campaigns in the simulator, campaigns on", form)
            self.assertIn("“campaigns in the simulator” was left out", form)
            self.assertIn("Not known from this run", form)
            self.assertIn("The simulator was not run.", form)
            self.assertIn("surface 1 min 15 s (2 min 10 s of processors)", form)
            for wrong in ("stopped before its end", "are missing", "No lock was violated",
                          "kept mutual exclusion", "<b>Redis", ": 0 cells"):
                self.assertNotIn(wrong, form)

    def test_a_part_that_is_still_to_come_is_not_left_out(self):
        data = dict(fixture.manifest(complete=False), to_come=["TTLs against pauses"],
                    left_out=[{"name": "live", "title": "campaigns on a real Redis"}])
        run = load.load_run(fixture.write(self.folder, manifest_data=data))
        self.assertEqual(provenance.unfinished(run)[0], "This run was stopped before its end.")
        self.assertEqual(len(provenance.lacking(run)), 1)

    def test_nothing_but_a_registry_is_a_report_too(self):
        suite = {**fixture.suite(), "cells": [], "agreement": []}
        page = Page(self.built(suite, fixture.manifest(complete=False),
                               bench={"rows": [], "noise": []})[0])
        self.assertEqual(page.faults, [])


class Answer(Folder):
    def lines(self, suite):
        fixture.write(self.folder, suite)
        return dict(answer.answer(load.load_run(self.folder)))

    def cell(self, suite, world, algorithm, hazard):
        return next(c for c in suite["cells"]
                    if (c["world"], c["algorithm"], c["hazard"]) == (world, algorithm, hazard))

    def test_follows_the_cells(self):
        suite = fixture.suite()
        self.assertIn("10 of 10 locks kept", self.lines(suite)["What held"])
        self.assertIn("`setnx_del` (`crash`", self.lines(suite)["Stuck for ever"])
        cell = self.cell(suite, "sim", "set_nx_lua", "crash")
        cell.update(verdict="violated", overlaps=3)
        held = self.lines(suite)["What held"]
        self.assertIn("9 of 10 locks kept", held)
        self.assertIn("not shown for `set_nx_lua` (`crash`)", held)

    def test_has_five_lines(self):
        self.assertEqual(list(self.lines(fixture.suite())),
                         ["What held", "What broke", "Stuck for ever", "Cost", "Trust"])

    def test_claim_that_was_not_decided_is_not_kept(self):
        suite = fixture.suite()
        self.cell(suite, "sim", "set_nx_lua", "crash")["verdict"] = "unknown"
        self.assertIn("9 of 10 locks kept", self.lines(suite)["What held"])
        suite["cells"].remove(self.cell(suite, "sim", "set_nx_lua", "crash"))
        self.assertIn("9 of 10 locks kept", self.lines(suite)["What held"])

    def test_control_that_was_not_caught_shows(self):
        suite = fixture.suite()
        cell = self.cell(suite, "sim", "no_lock", "contention")
        cell.update(verdict="holds", overlaps=0, lost_updates=0, fence_inversions=0)
        self.assertIn("caught in 20 of 21 cells", self.lines(suite)["Trust"])

    def test_verdict_that_its_counts_do_not_carry_is_called_out(self):
        for change in ({"overlaps": 1}, {"lost_updates": 1}, {"fence_inversions": 1},
                       {"stuck": 1}, {"grants": 0}):
            suite = fixture.suite()
            self.cell(suite, "sim", "set_nx_lua", "crash").update(change)
            self.assertIn("9 of 10 locks kept", self.lines(suite)["What held"], change)
            self.assertEqual(len(answer.contradictions(load.load_run(self.folder))), 1, change)
        for text in self.built(suite):
            self.assertIn("1 cell cannot be trusted", text)
        self.lines(fixture.suite())
        self.assertEqual(answer.contradictions(load.load_run(self.folder)), [])

    def test_mark_where_the_claim_differs(self):
        suite = fixture.suite()
        self.assertNotIn("<i>≠</i>", self.default()[0])
        self.cell(suite, "sim", "set_nx_lua", "pause")["claim"] = "safe"
        page, text = self.built(suite)
        self.assertEqual(page.count("<i>≠</i>"), 1)
        self.assertIn("**V**≠", text)


class BadInput(Folder):
    def refused(self, *words):
        """The report is refused with one sentence that has these words, and writes nothing."""
        before = sorted(self.folder.rglob("*")) if self.folder.exists() else []
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual(status, 64)
        self.assertEqual(said.count("\n"), 1, said)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(before, sorted(self.folder.rglob("*")) if before else [])

    def test_no_folder(self):
        self.refused("run", "locklab suite")

    def test_no_argument(self):
        self.assertEqual(run_quietly(report.main)[0], 64)

    def test_missing_files(self):
        for name in ("manifest.json", "suite.json"):
            fixture.write(self.folder)
            (self.folder / name).unlink()
            self.refused(name, "is missing")

    def test_corrupt_files(self):
        for name in ("manifest.json", "suite.json"):
            for text in (b"", b'{"a": 1', b"\xff\xfe", b'{"a": NaN}'):
                fixture.write(self.folder)
                (self.folder / name).write_bytes(text)
                self.refused(name, "JSON")

    def test_wrong_values(self):
        def cell(key, value):
            return lambda suite: suite["cells"][0].__setitem__(key, value)
        for change, words in (
                (cell("verdict", "green"), ("cells[0].verdict", '"green"', '"holds"')),
                (cell("grants", -1), ("cells[0].grants", "from 0 to 10^18")),
                (cell("overlaps", "3"), ("cells[0].overlaps",)),
                (cell("algorithm", "no_such"), ("cells[0].algorithm", "set_nx_lua")),
                (cell("hazard", "flood"), ("cells[0].hazard", "contention")),
                (lambda s: s["cells"][0].pop("runs"), ("cells[0].runs", "missing")),
                (lambda s: s["cells"].append(s["cells"][0]), ("repeats sim no_lock contention",)),
                (lambda s: s["algorithms"][0].update(colour="red"), ("colour", "#rrggbb")),
                (lambda s: s.pop("hazards"), ("hazards", "missing"))):
            suite = copy.deepcopy(fixture.suite())
            change(suite)
            fixture.write(self.folder, suite)
            self.refused("suite.json", *words)

    def test_folder_that_cannot_be_written_gets_nothing(self):
        fixture.write(self.folder)
        (self.folder / "figures").write_text("in the way", encoding="utf-8")
        self.refused("run", "can be written to")

    def test_old_report_stays_when_the_new_one_is_refused(self):
        fixture.write(self.folder)
        old = "<p>an earlier report</p>"
        (self.folder / "report.html").write_text(old, encoding="utf-8")
        (self.folder / "suite.json").write_text("{", encoding="utf-8")
        self.refused("suite.json")
        self.assertEqual((self.folder / "report.html").read_text(encoding="utf-8"), old)


class ReadmeTable(Folder):
    def setUp(self):
        super().setUp()
        fixture.write(self.folder)
        self.readme = self.folder.parent / "README.md"
        self.readme.write_text("# x\n<!-- matrix:begin -->\nold\n<!-- matrix:end -->\nrest\n",
                               encoding="utf-8")

    def test_drift_is_found_and_mended(self):
        command = (readme_table.main, self.folder, self.readme)
        self.assertEqual(run_quietly(*command, "--check")[0], 1)
        self.assertEqual(run_quietly(*command)[0], 0)
        self.assertEqual(run_quietly(*command, "--check")[0], 0)
        text = self.readme.read_text(encoding="utf-8")
        self.assertIn("| `set_nx_lua` |", text)
        self.assertTrue(text.startswith("# x\n") and text.endswith("\nrest\n"))
        self.readme.write_text(text.replace("**V**", "H", 1), encoding="utf-8")
        self.assertEqual(run_quietly(*command, "--check")[0], 1)

    def test_file_without_markers_is_refused(self):
        self.readme.write_text("# x\n", encoding="utf-8")
        status, said = run_quietly(readme_table.main, self.folder, self.readme)
        self.assertEqual(status, 64)
        self.assertIn("matrix:begin", said)


class DrawnOnce(Folder):
    def test_a_figure_needs_nothing_of_a_run_but_its_own_data(self):
        fixture.write(self.folder)
        run = load.load_run(self.folder)
        style.prepare()
        others = {"cells.csv": {"cells": {}}, "bench.csv": {"bench": None},
                  "surface.csv": {"surface": []}}
        for module in figures.FIGURES:
            without = {key: value for file, change in others.items() if file != module.DATA
                       for key, value in change.items()}
            bare = dataclasses.replace(
                run, races=[], witnesses=[], agreement={}, thresholds=None, **without)
            self.assertTrue(drawn_once.DRAW(bare, module) == drawn_once.drawing(run, module),
                            module.NAME)


class Tidy(unittest.TestCase):
    def test_every_figure_file_is_listed(self):
        stems = {p.stem for p in (ROOT / "plots" / "figures").glob("*.py")} - {"__init__"}
        self.assertEqual(stems, {module.NAME for module in figures.FIGURES})

    def test_fixture_has_the_hazards_of_the_harness(self):
        source = (ROOT / "harness/core/hazard.h").read_text(encoding="utf-8")
        rows = [(name, "".join(re.findall(r'"([^"]*)"', meaning))) for name, meaning, target in
                re.findall(r'\{Hazard::\w+, "(\w+)",\s*((?:"[^"]+"\s*)+),\s*FaultTarget::(\w+)',
                           source) if target != "call"]  # The simulator has no calls.
        self.assertEqual(rows, [(h["name"], h["meaning"]) for h in fixture.suite()["hazards"]])

    def test_text_has_contrast_in_both_schemes(self):
        pairs = [("ink", "paper"), ("muted", "paper"), ("muted", "wash"), ("link", "paper"),
                 ("ink", "alarm"), *((f"{v}-ink", v) for v in
                                     ("holds", "violated", "stuck", "unknown"))]
        for scheme in (style.LIGHT, style.DARK):
            for front, back in pairs:
                ratio = style.contrast(scheme[front], scheme[back])
                self.assertGreaterEqual(ratio, 4.5, (front, back))
            for row in fixture.suite()["algorithms"]:
                seen = style.seen_on(row["colour"], scheme["paper"])
                self.assertGreaterEqual(style.contrast(seen, scheme["paper"]), 3)


if __name__ == "__main__":
    unittest.main()
