"""What the report says of libraries that were run, and of those that were not."""

import copy
import html
import json
import re
import unittest

from report_test import Folder, run_quietly

import browser
import libraries
import library_table
import load
import provenance
import report
import report_fixture as fixture
import you_run


class Ran(Folder):
    IN_CHINESE = True

    def loaded(self, data=None):
        manifest = fixture.manifest()
        fixture.write(self.folder, manifest_data=manifest)
        if data is not None:
            manifest["files"].append("libraries.json")
            fixture.write(self.folder, manifest_data=manifest)
            (self.folder / "libraries.json").write_text(json.dumps(data), encoding="utf-8")
        return load.load_run(self.folder)

    def of(self, name, data):
        """Of a run that has no cells of libraries, as older ones."""
        for row in data["libraries"]:
            row.pop("cells")
        run = self.loaded(data)
        return libraries.ran(run, next(i for i in libraries.known() if i["name"] == name))

    def test_without_the_rows_all_is_as_it_was(self):
        for data in (None, {"libraries": []}):
            run = self.loaded(data)
            self.assertEqual(libraries.note(run), libraries.NOTE)
            self.assertEqual([libraries.ran(run, i) for i in libraries.known()],
                             [""] * len(libraries.known()))
            self.assertTrue(set(provenance.NEVER) <= set(provenance.untested(run)))

    def test_what_was_proved_and_what_was_not(self):
        said = self.of("redis-py Lock", fixture.libraries())
        self.assertEqual(said, (
            "redis-py Lock 8.1.0 itself was run. An overlap was proved under `pause` by a search"
            " and in 1 scenario (`hung_worker`). In 40 plays each, searches proved none under"
            " `crash`, or without a fault; that is no proof that there is none. Of 2 scenarios it"
            " differs from `set_nx_lua` in `lost_reply` (not seen: A stuck). 1 could not be played"
            " on it and 1 came to no verdict."))

    def test_two_versions_are_told_apart(self):
        data = fixture.libraries()
        older = copy.deepcopy(data["libraries"][0])
        older.update(name="redis-py-7", version="7.1.0")
        older["cells"][2].update(verdict="holds", news=False, runs=40)
        data["libraries"].append(older)
        self.loaded(data)
        run_quietly(report.main, self.folder)
        said = "From made up 7.1.0 to made up 8.1.0"
        change = ("Under delay_reply + retry: nothing seen in 40 plays; now violated, after 7"
                  " plays.")
        for file in ("report.html", "report.md"):
            page = (self.folder / file).read_text(encoding="utf-8")
            self.assertIn(said, page)
            self.assertIn(change, page)
        page = (self.folder / "report.zh.html").read_text(encoding="utf-8")
        self.assertIn("应答迟到 + 重发之下：以前 40 次推演中未见失败；现在被违反，推演 7 次之后。", page)

    @unittest.skipIf(browser.program() is None, "there is no browser")
    def test_two_stand_side_by_side_what_differs_first(self):
        self.loaded(fixture.libraries())
        run_quietly(report.main, self.folder)
        page = (self.folder / "report.zh.html").read_text(encoding="utf-8")
        script = """
const marks = document.querySelector("#table table.marks").tBodies[0];
marks.rows[1].cells[2].textContent = ".";
document.querySelector("#two select").dispatchEvent(new Event("change"));
return [...document.querySelectorAll("#two tr")].map((line) => [line.className,
  ...[...line.cells].map((cell) => cell.textContent.trim().split(" ")[0])]);"""
        found, faults = browser.ask(page, script, 390, self.folder)
        self.assertEqual(faults, [])
        self.assertEqual(found, [["", "故障", "made", "made"], ["differs", "停顿", "x", "."],
                                 ["", "无故障", ".", "o"], ["", "重发", "-", "?"],
                                 ["", "应答迟到", "X", "-"]])

    def test_the_table_has_a_mark_for_each_cell(self):
        run = self.loaded(fixture.libraries())
        self.assertEqual(library_table.columns(run),
                         ["none", "pause=1", "retry=1", "delay_reply=1,retry=1"])
        marks = ["".join(library_table.mark(cell) for _, cell in cells)
                 for _, cells in library_table.rows(run)]
        self.assertEqual(marks, [".x-X", "o-?-"])
        first, second = run.libraries
        self.assertEqual(library_table.news(first), [
            ("delay_reply + retry", "violated, after 7 plays; cause: late reply 2",
             "locklab explore lib:x --faults delay_reply=1,retry=1")])
        self.assertEqual(library_table.news(second), [])
        self.assertIn("up to 8.76 % of runs", library_table.bound(run))
        for cell in first["cells"]:
            cell["verdict"], cell["news"] = "violated", False
        self.assertEqual(library_table.bound(run), "")

    def test_the_page_has_the_table_where_there_is_one(self):
        for data, there in ((fixture.libraries(), True), (None, False)):
            self.loaded(data)
            run_quietly(report.main, self.folder)
            page = (self.folder / "report.html").read_text(encoding="utf-8")
            self.assertEqual('id="table"' in page, there)
            self.assertEqual('id="you-run"' in page, there)
            self.assertEqual("delay_reply + retry" in page, there)

    def test_the_page_has_each_script_of_a_defect_and_what_is_said_of_it(self):
        self.loaded(fixture.libraries())
        run_quietly(report.main, self.folder)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for said in ("made up 8.1.0 grants late.", '<a href="https://example.org/issues/7"',
                     "print(&#39;&lt;late&gt;&#39;)", "python3 defects/late.py",
                     "A reply is awaited for ever."):
            self.assertIn(said, page)
        text = (self.folder / "report.md").read_text(encoding="utf-8")
        self.assertIn("Shown by drivers/redis-py/defects/late.py: made up 8.1.0 grants late.", text)

    def test_what_no_search_reaches_is_said_and_nobody_is_accused(self):
        said = self.of("redsync", fixture.libraries())
        self.assertIn("No overlap was proved. It was not searched: nothing reaches its", said)
        self.assertNotIn("late_one", said)

    def test_what_failed_is_no_search_that_proved_none(self):
        data = fixture.libraries()
        for search in data["libraries"][0]["searches"]:
            search["trouble"] = "Its driver has ended."
        said = self.of("redis-py Lock", data)
        self.assertNotIn("plays each", said)
        self.assertIn("It was not searched: Its driver has ended.", said)
        for row in data["libraries"]:
            row.update(scenarios=[], trouble="Its driver has ended.")
        self.assertEqual(libraries.note(self.loaded(data)), libraries.NOTE, "nothing was played")

    def test_a_search_in_which_nobody_had_the_lock_shows_nothing(self):
        data = fixture.libraries()
        data["libraries"][0]["searches"][2]["grants"] = 0
        self.assertNotIn("`crash`", self.of("redis-py Lock", data))

    def test_both_forms_show_it_and_the_note_is_right(self):
        run = self.loaded(fixture.libraries())
        pages = report.pages(run)
        page = html.unescape(re.sub("<[^>]+>", "", pages[self.folder / "report.html"]))
        text = pages[self.folder / "report.md"].replace("`", "")
        for form in (page, text):
            self.assertIn("2 of these 32 rows were run as well, unmodified", form)
            self.assertIn("redis-py Lock 8.1.0 itself was run. Of 2 scenarios it differs", form)
            self.assertIn("client libraries other than redis-py Lock and redsync", form)
            self.assertNotIn("The libraries themselves were not run", form)

    def test_each_driver_has_a_row_and_settings_and_says_no_fact_twice(self):
        entries = json.loads(libraries.FILE.read_text(encoding="utf-8"))["libraries"]
        drivers = [i["driver"] for i in entries if "driver" in i]
        folders = {path.parent.name for path in libraries.DRIVERS.glob("*/manifest.json")}
        self.assertEqual({name.partition(":")[0] for name in drivers}, folders)
        self.assertEqual(len(drivers), len(set(drivers)))
        for folder in folders:
            self.assertGreater(len(you_run.settings(folder)), 1, folder)
        for item in (item for item in entries if "driver" in item):
            self.assertFalse({"language", "docs", "version"} & set(item), item["name"])
            self.assertNotEqual(item.get("like"), libraries.manifest(item["driver"])["like"])

    def test_default_ttl_and_renewal_are_those_of_the_manifest(self):
        for item in (item for item in libraries.known() if "driver" in item):
            said = libraries.manifest(item["driver"])
            seconds = said["default_ttl_ms"] // 1000
            self.assertTrue(item["ttl"].startswith(f"{seconds} s (" if seconds else "none"), item)
            self.assertEqual(item["renews"].startswith("yes"), bool(said["renews"]), item["name"])

    def test_what_is_no_row_is_refused(self):
        for key, value in (("scenarios", 7), ("name", None), ("searches", [{"hazard": "x"}])):
            data = fixture.libraries()
            data["libraries"][0][key] = value
            self.loaded({"libraries": []})
            (self.folder / "libraries.json").write_text(json.dumps(data), encoding="utf-8")
            code, said = run_quietly(report.main, self.folder)
            self.assertEqual(code, 64)
            self.assertIn("libraries.json: libraries[0]", said)


if __name__ == "__main__":
    unittest.main()
