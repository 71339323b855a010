"""The races of the report: what they show, how they are stepped through, and what is refused."""

import json
import sys
import tempfile
import unittest

from report_test import Folder, run_quietly

import browser
import load
import races
import races_fixture
import report
import report_fixture as fixture
from html_page import Page


class Races(Folder):
    """A run folder with races.json."""

    def put(self, data):
        """A run with these races."""
        fixture.write(self.folder)
        (self.folder / "races.json").write_text(json.dumps(data), encoding="utf-8")

    def shown(self, data):
        """(html, markdown) of a run with these races."""
        self.put(data)
        return self.written()

    def written(self):
        """(html, markdown) of the run in the folder."""
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual(status, 0, said)
        return tuple((self.folder / name).read_text(encoding="utf-8").replace("<wbr>", "")
                     for name in ("report.html", "report.md"))

    def refused(self, change, *words):
        """races.json with this change to its first race is refused in one sentence."""
        data = races_fixture.races()
        change(data["races"][0])
        self.put(data)
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual((status, said.count("\n")), (64, 1), said)
        for word in ("races.json", *words):
            self.assertIn(word, said)


class Content(Races):
    def test_both_forms_tell_every_race(self):
        page, text = self.default()
        for race in races_fixture.races()["races"]:
            self.assertIn(f'id="race-{race["name"]}"', page)
            self.assertIn("```mermaid\n" + race["mermaid"].strip() + "\n```", text)
            for form in (page, text):
                for said in (race["why"], race["fix"], race["replay"], race["says"]):
                    self.assertIn(said, form)
                for row in race["outcomes"]:
                    self.assertIn(row["observed"].replace("'", "&#39;") if form is page
                                  else row["observed"], form)

    def test_every_step_is_in_the_table_and_in_the_picture(self):
        page = self.default()[0]
        for race in races_fixture.races()["races"]:
            part = page[page.index(f'id="race-{race["name"]}"'):].split("</details>")[0]
            for number, step in enumerate(race["steps"], 1):
                self.assertIn(f'data-step="{number}"', part)
                self.assertIn(f'>{number}</a></td>', part)
                self.assertIn(step["words"].replace("<", "&lt;").replace(">", "&gt;"), part)
                for mark in step["marks"]:
                    self.assertIn("✗ " + mark["words"], part)

    def test_the_lock_that_is_never_wrong_is_excused_where_it_was_played(self):
        data = races_fixture.races()
        for form in self.shown(data):
            self.assertNotIn("is marked, too", form)
        data["races"][0]["outcomes"].append(races_fixture.outcome(
            data["races"][0]["name"], "perfect_lock", "violated", "a write comes late"))
        for form in self.shown(data):
            self.assertRegex(form, r"perfect_lock(`|</code>) is marked, too")

    def test_who_is_stuck_is_marked(self):
        self.assertIn('<td class="words wrong">B is stuck</td>', self.default()[0])

    def test_squares_have_letters_and_words(self):
        fixture.write(self.folder)
        run = load.load_run(self.folder)
        self.assertEqual(races.columns(run),
                         ["setnx_del", "set_nx_del", "set_nx_lua", "watchdog_owned"])
        late = run.races[0]
        self.assertEqual(races.square(late, "set_nx_lua"),
                         ("x", "differ", "set_nx_lua: B's key extended by A"))
        self.assertIsNone(races.square(late, "watchdog_owned"))
        self.assertEqual(races.spoken(late, races.columns(run)),
                         "setnx_del H, set_nx_del V, set_nx_lua x")
        late["outcomes"][3]["ok"] = False
        self.assertEqual(races.square(late, "set_nx_del")[0], "V≠")
        self.assertIn("1 of them did not come out as expected", races.intro(run))

    def test_pictures_share_style_and_no_id(self):
        page = self.default()[0]
        self.assertEqual(page.count("prefers-color-scheme: dark"), 1)
        self.assertEqual(page.count('id="timeline-hatch"'), 1)
        self.assertIn('aria-labelledby="race-late_holder-timeline-title'
                      ' race-late_holder-timeline-desc"', page)
        ids = Page(page).ids
        self.assertEqual(len(ids), len(set(ids)))

    def test_source_on_the_web_is_a_link(self):
        data = races_fixture.races()
        data["races"][0]["source"] = "https://example.org/a?b&c"
        page = self.shown(data)[0]
        self.assertIn('<a href="https://example.org/a?b&amp;c">', page)
        data["races"][0]["source"] = "javascript:alert(1)"
        self.assertNotIn('href="javascript', self.shown(data)[0])

    def test_run_without_races_says_so(self):
        for write in (lambda: (self.folder / "races.json").unlink(),
                      lambda: (self.folder / "races.json").write_text('{"races": []}')):
            fixture.write(self.folder)
            write()
            self.assertEqual(run_quietly(report.main, self.folder)[0], 0)
            for name in ("report.html", "report.md"):
                text = (self.folder / name).read_text(encoding="utf-8")
                self.assertIn("No race was played in this run.", text)
                self.assertNotIn("race-late_holder", text)


class BadInput(Races):
    def test_wrong_values(self):
        def put(key, value):
            return lambda race: race.__setitem__(key, value)
        for change, words in (
                (put("name", "Late"), ("races[0].name", '"Late"')),
                (put("name", "hung_worker"), ("races[1] repeats hung_worker",)),
                (put("algorithm", "flock"), ("races[0].algorithm", '"flock"', "set_nx_lua")),
                (put("sum", "green"), ("races[0].sum", '"green"', '"violated"')),
                (put("steps", 3), ("races[0].steps", "a list")),
                (put("mermaid", "graph"), ("races[0].mermaid", "sequenceDiagram")),
                (put("mermaid", "sequenceDiagram\n```\n"), ("races[0].mermaid",)),
                (lambda race: race.pop("why"), ("races[0].why is missing",)),
                (lambda race: race["steps"][1].pop("marks"), ("races[0].steps[1].marks",)),
                (lambda race: race["outcomes"].append(race["outcomes"][0]),
                 ("races[0].outcomes[4] repeats sim set_nx_del",)),
                (lambda race: race["outcomes"][1].update(algorithm="flock"),
                 ("races[0].outcomes[1].algorithm",))):
            self.refused(change, *words)

    def test_picture_with_anything_foreign(self):
        def swap(old, new):
            def change(race):
                self.assertIn(old, race["svg"])
                race["svg"] = race["svg"].replace(old, new, 1)
            return change
        text, desc = '<text class="words"', "A sequence diagram."
        for change, word in (
                (swap(text, "<script>alert(1)</script>" + text), "<script>"),
                (swap(text, '<image href="x.png"/>' + text), "<image>"),
                (swap(text, '<a href="javascript:alert(1)"/>' + text), "<a>"),
                (swap(text, '<foreignObject/>' + text), "<foreignObject>"),
                (swap(text, '<script xmlns="http://www.w3.org/1999/xhtml"/>' + text), "script"),
                (swap(text, '<text onclick="alert(1)"'), "the attribute onclick"),
                (swap(text, '<text OnClick="alert(1)"'), "the attribute OnClick"),
                (swap(text, '<text style="x"'), "the attribute style"),
                (swap(text, '<text xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"'),
                 "href"),
                (swap('class="paper"', 'class="url(http://x)"'), "a reference in class"),
                (swap(desc, "<![CDATA[><img src=x onerror=alert(1)>]]>"), "a declaration"),
                (swap(desc, "<!-- -->"), "a declaration"),
                (swap(desc, "<?x y?>"), "a declaration"),
                (swap(desc, "<text/>"), "inside <desc>"),
                (swap(desc, "&nbsp;"), "no XML"),
                (swap("</svg>", ""), "no XML"),
                (swap("<svg ", "<svg onload='alert(1)' "), "the attribute onload"),
                (swap("#ffffff;", "#ffffff; } @import 'x'; {"), "a style with"),
                (swap("#ffffff;", "url(https://x/y)"), "a style that loads"),
                (swap("#ffffff;", "u\\72l(x)"), "a style with"),
                (swap("#ffffff;", "&lt;/style&gt;&lt;script&gt;"), "a style with"),
                (lambda race: race.update(svg="<p>no</p>"), "no <svg>"),
                (lambda race: race.update(svg=""), "no XML")):
            self.refused(change, "races[0].svg has ", word, "locklab scenario --svg")

    def test_what_looks_like_markup_in_words_stays_words(self):
        data = races_fixture.races()
        race = data["races"][0]
        race["svg"] = race["svg"].replace("A sequence diagram.", "&lt;img src=x onerror=y&gt;")
        race["steps"][0]["words"] = "<img src=x>"
        page = self.shown(data)[0]
        self.assertIn("&lt;img src=x onerror=y&gt;", page)
        self.assertIn("&lt;img src=x&gt;", page)
        self.assertNotIn("<img", page)


STEPS = """
const race = document.querySelector(".race");
const press = (key) => race.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const look = () => ({
  place: race.querySelector(".place").textContent,
  later: [...race.querySelectorAll("g.later")].map((row) => row.dataset.step).join(" "),
  said: race.querySelector(".said").textContent,
  table: [...race.querySelectorAll("tr[aria-current=step] .at")].map((at) => at.textContent),
  curtain: Number(race.querySelector(".curtain").getAttribute("height")),
});
const seen = {};
press("ArrowRight");
seen.closed = look();
for (const box of document.querySelectorAll("details")) box.open = true;
for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"]) press(key);
seen.second = look();
race.querySelector("button[data-by='1']").click();
seen.third = look();
for (let i = 0; i < 9; ++i) press("ArrowRight");
seen.last = look();
race.querySelector("button[data-by='all']").click();
seen.all = look();
const page = document.documentElement;
return { seen, width: innerWidth, over: page.scrollWidth - page.clientWidth };
"""


class InBrowser(Races):
    """Chromium opens the report."""

    def setUp(self):
        super().setUp()
        if browser.program() is None:
            said = f"there is no {' or '.join(browser.NAMES)}: how the page behaves is NOT tested"
            print(said, file=sys.stderr)
            self.skipTest(said)

    def test_arrow_keys_step_and_nothing_overflows(self):
        data = races_fixture.races()
        data["races"][0]["source"] = "https://example.org/" + "a-long-path/" * 9
        page = self.shown(data)[0]
        for width in (1280, 390, 360):
            with tempfile.TemporaryDirectory() as folder, self.subTest(width=width):
                found, faults = browser.ask(page, STEPS, width, folder)
                self.assertEqual(faults, [])
                self.assertEqual((found["width"], found["over"]), (width, 0))
                self.steps(found["seen"])

    def steps(self, seen):
        for name in ("closed", "all"):
            self.assertEqual(seen[name]["place"], "all 4 steps")
            self.assertEqual((seen[name]["later"], seen[name]["table"]), ("", []))
        self.assertEqual(seen["second"]["place"], "step 2 of 4")
        self.assertEqual(seen["second"]["later"], "3 4")
        self.assertGreater(seen["second"]["curtain"], seen["third"]["curtain"])
        third = seen["third"]
        self.assertEqual((third["place"], third["later"], third["table"]),
                         ("step 3 of 4", "4", ["3"]))
        for words in ("14.000 s", "B: SET lock", "A and B are inside at once", "inside: A, B"):
            self.assertIn(words, third["said"])
        self.assertEqual((seen["last"]["place"], seen["last"]["curtain"]), ("step 4 of 4", 0))


if __name__ == "__main__":
    unittest.main()
