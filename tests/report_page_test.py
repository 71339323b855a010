"""The page as a whole: the order of its parts, what a square leads to, the surface, the claims, and
how all of it behaves in a browser."""

import json
import re
import sys
import tempfile
import unittest

from report_test import Folder, run_quietly

import browser
import claims
import load
import matrix
import proofs
import races_fixture
import report
import report_fixture as fixture
import surface
import witnesses
from html_page import Page

SECTIONS = ("matrix", "least", "races", "cost", "surface", "agreement", "claims", "cells", "made")


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
        for said in (surface.ABSENT, "No sentence of an article was played"):
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
        evict = self.squares("sim", "set_nx_lua")["evict"]
        self.assertEqual((evict.verdict, evict.leads_to), ("violated", evict.anchor))

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


class Proofs(Loaded):
    def cell(self, algorithm, hazard, verdict="holds", world="sim"):
        return {"world": world, "algorithm": algorithm, "hazard": hazard, "verdict": verdict}

    def test_both_questions_must_have_been_searched_to_the_end(self):
        cell = self.cell("set_nx_lua", "crash")
        self.assertEqual(proofs.proved(self.run_, cell).replace("\u00a0", " "),
                         "3 clients or 2 clients or 2 clients in 2 rounds")
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

    def test_an_older_run_has_no_proofs(self):
        (self.folder / "thresholds.json").unlink()
        run = load.load_run(self.folder)
        self.assertEqual(proofs.proved(run, self.cell("set_nx_lua", "crash")), "")


class Surface(Loaded):
    def test_table_and_figure_show_the_data(self):
        table = surface.beside_jepsen(self.run_)
        rows = {row[0]: row[1:] for _, group in table.groups for row in group}
        self.assertEqual(set(rows), {a["name"] for a in self.run_.algorithms})
        self.assertEqual(rows["set_nx_lua"][0], "0 (≤ 0.15)")
        self.assertTrue(rows["set_nx_lua"][1].startswith("15.0 ("), rows["set_nx_lua"])
        self.assertEqual(rows["setnx_del"], ["0 (≤ 0.15)"] * 2)
        page, text = self.default()
        for form in (page, text):
            for said in ("about 18 %", surface.JEPSEN, "surface.csv", surface.replay(self.run_)):
                self.assertIn(said, form)
        self.assertIn('<figure id="figure-surface">', page)
        self.assertEqual(surface.swept(self.run_)[0], "setnx_expire")
        self.assertNotIn("no_lock", surface.swept(self.run_))

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
    def test_each_sentence_has_its_verdict_and_its_witness(self):
        page, text = self.default()
        race = self.run_.races[0]
        self.assertEqual(claims.by_article(self.run_)[0], ("000", self.run_.races))
        self.assertEqual(claims.verdict(race), ("Borne out.", ""))
        for form in (page, text):
            for said in ("Article 000", race["says"], race["means"], race["replay"]):
                self.assertIn(said, form)
        self.assertIn('href="#race-late_holder"', page[page.index('id="claims"'):])

    def test_verdicts_follow_the_data(self):
        race = self.run_.races[0]
        race["verdict_on_source"] = "Not enough. The check asks a clock."
        self.assertEqual(claims.verdict(race), ("Not enough.", "The check asks a clock."))
        self.assertIn("1 are borne out", claims.intro(self.run_))
        race["verdict_on_source"] = "Wrong"
        self.assertEqual(claims.verdict(race), ("Wrong", ""))
        race["outcomes"][1]["ok"] = False
        self.assertEqual(claims.verdict(race)[0], "Not as expected.")

    def test_a_control_proves_no_claim(self):
        race = self.run_.races[0]
        race["algorithm"] = "no_lock"
        self.assertEqual(claims.seen(race), "With `set_nx_del`: A and B inside together.")
        self.assertEqual(claims.witness(race), race["outcomes"][0]["replay"])

    def test_what_no_article_says_is_no_claim(self):
        for source, says in (("https://example.org", "x"), ("000", "")):
            race = dict(self.run_.races[0], source=source, says=says)
            self.assertIsNone(claims.article_of(race))


LOOK = """
const hidden = (e) => !e.getClientRects().length;
// WCAG 2.2: relative luminance of an sRGB colour, and the contrast of two.
const parts = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
  for (let at = e; at; at = at.parentElement) {
    const colour = parts(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
for (const box of document.querySelectorAll("details")) box.open = true;
const faint = new Set();
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
let texts = 0;
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || e.closest("svg,button:disabled") || hidden(e)) continue;
  ++texts;
  const style = getComputedStyle(e);
  const [one, other] = [light(parts(style.color)), light(behind(e))].sort((a, b) => b - a);
  const large = parseFloat(style.fontSize) >= 24;
  if ((one + 0.05) / (other + 0.05) < (large ? 3 : 4.5)) {
    faint.add(`${e.className || e.tagName}: ${style.color} on ${behind(e)}`);
  }
}
for (const box of document.querySelectorAll("details")) box.open = false;

const reachable = [...document.querySelectorAll("a[href],summary,button,[tabindex]")]
  .filter((e) => !hidden(e) && e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 80));
const unnamed = [...document.querySelectorAll("a[href],button,summary,[tabindex],svg[role=img]")]
  .filter((e) => !hidden(e) && !e.textContent.trim() && !e.getAttribute("aria-label")
    && !e.getAttribute("aria-labelledby")).map((e) => e.outerHTML.slice(0, 80));
const wide = [...document.querySelectorAll("main *")].filter((e) => !hidden(e)
  && !e.closest(".scroll,svg") && e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => e.outerHTML.slice(0, 80));
const square = document.querySelector("#matrix a.violated[href^='#witness']");
square.focus();
const outline = getComputedStyle(square).outlineStyle;
square.click();
location.hash = square.getAttribute("href");
dispatchEvent(new HashChangeEvent("hashchange"));
const target = document.querySelector(square.getAttribute("href"));
const press = (key) => target.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
press("ArrowRight");
const page = document.documentElement;
return { faint: [...faint], texts, reachable, unnamed, wide, outline, open: target.open,
  outer: target.parentElement.closest("details").open,
  place: target.querySelector(".place").textContent,
  over: page.scrollWidth - page.clientWidth };
"""


class InBrowser(Loaded):
    """Chromium opens the page: contrast, keyboard, nothing that overflows."""

    def setUp(self):
        super().setUp()
        if browser.program() is None:
            said = f"there is no {' or '.join(browser.NAMES)}: contrast and keyboard are NOT tested"
            print(said, file=sys.stderr)
            self.skipTest(said)

    def looked_at(self, width, scheme):
        page = self.default()[0]
        if scheme == "dark":
            page = page.replace("@media screen and (prefers-color-scheme:dark)", "@media screen")
        with tempfile.TemporaryDirectory() as folder:
            return browser.ask(page, LOOK, width, folder)

    def test_contrast_keyboard_and_width(self):
        for width, scheme in ((1280, "light"), (390, "light"), (1280, "dark")):
            with self.subTest(width=width, scheme=scheme):
                found, faults = self.looked_at(width, scheme)
                self.assertEqual(faults, [])
                self.assertEqual(found["faint"], [])
                self.assertGreater(found["texts"], 1000)
                for none in ("reachable", "unnamed", "wide"):
                    self.assertEqual(found[none], [], none)
                self.assertEqual(found["over"], 0)
                self.assertTrue(found["open"] and found["outer"])
                self.assertTrue(found["place"].startswith("step 1 of"), found["place"])


if __name__ == "__main__":
    unittest.main()
