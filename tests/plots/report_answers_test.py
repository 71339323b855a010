"""What people ask, as the page has it: the data fit the project, the texts of error messages are
those of the libraries, and both forms show all of it."""

import glob
import html
import json
import re
import shutil
import string
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from report_test import ROOT, Folder, run_quietly

import browser
import fault_words
import library_table
import load
import messages
import questions
import report
import report_fixture as fixture
import terms
from html_page import Page

INSTALLED = ROOT / "build" / "libraries"
NAMES = {"hazard": "broken faced", "modes": "broken faced", "oracle": "found of",
         "cause": "found of", "top_cause": "cause found of", "stuck": "stuck faced locks",
         "waited": "waited faced", "lock": "held faced", "reentrant": "locks",
         "fairness": "lock least", "sentinels": "text", "tokens": "text", "ttl": "text",
         "redlock": "text", "server": "version"}


def scenarios():
    return {path.stem for path in (ROOT / "scenarios").glob("*.yaml")}


def hazards():
    text = (ROOT / "harness" / "core" / "hazard.h").read_text(encoding="utf-8")
    return set(re.findall(r'\{Hazard::\w+,\s*"(\w+)"', text))


def source_of(path):
    """The text of a file of a library; of a jar, of all its classes."""
    if path.suffix == ".jar":
        with zipfile.ZipFile(path) as jar:
            content = b"\n".join(jar.read(name) for name in jar.namelist()
                                 if name.endswith(".class"))
    else:
        content = path.read_bytes()
    # Literals that stand one below the other are one text.
    return re.sub(rb"'\s*\n\s*f?'", b"", content)


class Data(unittest.TestCase):
    def test_there_are_twenty_questions_and_each_fact_has_its_places(self):
        found = questions.data()["questions"]
        self.assertEqual(len({one["id"] for one in found}), 20)
        self.assertEqual(set(NAMES), set(questions.FACTS))
        for one in found:
            self.assertTrue(2 <= len(one["say"]) <= 3 or one["id"] == "ttl", one["id"])
            self.assertTrue(one["see"], one["id"])
            for said in (said for said in one["say"] if isinstance(said, dict)):
                used = {name for _, name, _, _ in string.Formatter().parse(said["text"]) if name}
                self.assertLessEqual(used, set(NAMES[said["fact"]].split()), one["id"])
                self.assertTrue(said["else"], one["id"])

    def test_places_that_are_named_exist(self):
        cases = {case["id"] for case in messages.data()["cases"]}
        registry = (ROOT / "algorithms" / "registry.cpp").read_text(encoding="utf-8")
        for what in (what for one in questions.data()["questions"] for what in one["see"]):
            kind, _, name = what.partition(":")
            there = {"race": name in scenarios(), "message": name in cases,
                     "section": name in questions.SECTIONS, "https": True,
                     "cell": name.partition("/")[2] in hazards(),
                     "library": (ROOT / "drivers" / name).is_dir(),
                     "lock": f'"{name}"' in registry}
            self.assertTrue(there[kind], what)
        for case in messages.data()["cases"]:
            self.assertLessEqual(set(case["races"]), scenarios(), case["id"])

    def test_each_fault_has_words(self):
        self.assertIn("pause", hazards())
        self.assertEqual(hazards() - set(fault_words.known()), set())

    def test_terms_are_all_used_and_all_there(self):
        used = {name for names in terms.data()["places"].values() for name in names}
        self.assertEqual(used, set(terms.data()["terms"]))

    def test_each_cause_is_explained_where_it_is_drawn(self):
        text = (ROOT / "harness" / "check" / "cause.h").read_text(encoding="utf-8")
        causes = re.findall(r'\{Cause::\w+, "(\w+)"', text)
        self.assertGreater(len(causes), 10)
        explained = {word for word, _ in terms.at("cells")}
        for cause in causes:
            self.assertIn(cause.replace("_", " "), explained)

    def test_messages_are_those_of_the_libraries(self):
        """Of each library that is installed, and of a redis-server in PATH."""
        looked, absent = 0, set()
        for case in messages.data()["cases"]:
            for driver, _, text, where in case["messages"]:
                server = shutil.which("redis-server")
                files = [server] if driver == messages.SERVER and server else glob.glob(
                    str(INSTALLED / driver / where)) if where else []
                if not files:
                    absent.add(driver)
                    continue
                content = b"\n".join(source_of(Path(file)) for file in files)
                for part in filter(None, map(str.strip, text.split("…"))):
                    self.assertIn(part.encode(), content, f"{driver}: {text}")
                looked += 1
        if absent:
            print(f"not installed, so their messages are NOT compared: {', '.join(sorted(absent))}",
                  file=sys.stderr)
        self.assertTrue(looked or absent)

    def test_a_message_names_a_driver(self):
        for case in messages.data()["cases"]:
            for library, kind, text in messages.texts(case):
                self.assertTrue(library and kind and text)


class Shown(Folder):
    def pages(self, libraries=True):
        manifest = fixture.manifest()
        if libraries:
            manifest["files"].append("libraries.json")
        fixture.write(self.folder, manifest_data=manifest)
        if libraries:
            (self.folder / "libraries.json").write_text(json.dumps(fixture.libraries()),
                                                        encoding="utf-8")
        self.assertEqual(run_quietly(report.main, self.folder)[0], 0)
        return [(self.folder / f"report.{kind}").read_text(encoding="utf-8")
                for kind in ("html", "md")]

    def test_both_forms_answer_all_and_no_link_leads_nowhere(self):
        page, text = self.pages()
        parsed = Page(page)
        self.assertEqual(parsed.faults, [])
        self.assertEqual(len(parsed.ids), len(set(parsed.ids)))
        for link in parsed.links:
            if link.startswith("#"):
                self.assertIn(link[1:], parsed.ids)
        run = load.load_run(self.folder)
        plain = html.unescape(re.sub("<[^>]+>", "", page))
        for form in (plain, text):
            for _, ask, answer, _ in questions.rows(run):
                self.assertIn(ask, form)
                self.assertIn(answer.replace("`", ""), form.replace("`", ""))
            for case in messages.data()["cases"]:
                self.assertIn(case["change"], form)
            for word, meaning in terms.data()["terms"].values():
                self.assertIn(meaning, form)

    def test_libraries_stand_first_where_they_were_run(self):
        page, _ = self.pages()
        self.assertLess(page.index('id="you-run"'), page.index('<dl class="answer">'))
        self.assertIn('id="run-redis-py"', page)
        page, _ = self.pages(libraries=False)
        self.assertNotIn('id="you-run"', page)
        self.assertEqual(library_table.rows(load.load_run(self.folder)), [])


TRY = """
const type = (section, text) => {
  const box = document.querySelector(`${section} .find input`);
  box.value = text;
  box.dispatchEvent(new Event("input"));
  return [...document.querySelectorAll(`${section} details`)]
    .filter((e) => e.matches(".run,.message") && !e.hidden).map((e) => e.id);
};
const column = (index) => [...document.querySelector("table.ranking").tBodies[0].rows]
  .map((row) => row.cells[index].textContent.trim());
const head = document.querySelectorAll("table.ranking thead th")[5];
const before = column(5);
head.querySelector("button").click();
const up = column(5), said = head.getAttribute("aria-sort");
head.querySelector("button").click();
const wide = [...document.querySelectorAll("#you-run *,#questions *,#messages *,.terms *")];
for (const box of document.querySelectorAll("details")) box.open = true;
return {
  lines: type("#you-run", "redis-py"), none: type("#you-run", "no such one"),
  all: type("#you-run", "").length,
  message: type("#messages",
    "attempt to unlock lock, not locked by current thread by node id: 7b-1"),
  other: type("#messages", "Lock 42 is not valid, it has already been unlocked"),
  before, up, down: column(5), said,
  over: wide.filter((e) => e.getClientRects().length
    && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 90)),
};
"""


class InBrowser(Shown):
    def test_lines_are_found_and_tables_sorted(self):
        if browser.program() is None:
            self.skipTest("no Chromium: finding and sorting are NOT tested")
        page, _ = self.pages()
        for width in (1280, 390):
            with tempfile.TemporaryDirectory() as folder:
                found, faults = browser.ask(page, TRY, width, folder)
            self.assertEqual((faults, found["over"]), ([], []))
            self.assertEqual(found["lines"], ["run-redis-py"])
            self.assertEqual((found["none"], found["all"]), ([], 2))
            self.assertEqual(found["message"], ["message-lease-over", "message-not-held"])
            self.assertEqual(found["other"], ["message-not-held"])
            first = [float(re.match(r"[\d.]+", text)[0]) for text in found["up"]]
            self.assertEqual(first, sorted(first))
            self.assertEqual(found["down"][0], found["up"][-1])
            self.assertEqual(sorted(found["before"]), sorted(found["up"]))
            self.assertEqual(found["said"], "ascending")


if __name__ == "__main__":
    unittest.main()
