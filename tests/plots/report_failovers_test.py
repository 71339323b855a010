"""The report on the locks that failovers lose."""

import json
import unittest

from report_test import Folder

import failovers
import failovers_fixture
import load
import provenance
import questions
import report_fixture as fixture
import translate

MD = "## How many locks does a failover lose?"


class Failovers(Folder):
    def run_of(self, rows):
        manifest = fixture.manifest()
        if rows is not None:
            manifest["files"].append("failovers.json")
        fixture.write(self.folder, manifest_data=manifest)
        if rows is not None:
            (self.folder / "failovers.json").write_text(json.dumps(rows), encoding="utf-8")
        return load.load_run(self.folder)

    def question(self, run):
        found = next(q for q in questions.data()["questions"] if q["id"] == "failover")
        return questions.answer(run, found), questions.links(run, found)

    def test_a_run_without_it_says_nothing_of_it(self):
        for rows in (None, {"failovers": []},
                     {"failovers": [failovers_fixture.row(runs=0, nothing=3)]}):
            run = self.run_of(rows)
            self.assertFalse(failovers.is_told(run))
            html, text = self.texts(run)
            self.assertNotIn(MD, text)
            self.assertNotIn('href="#failovers"', html)
            answer, links = self.question(run)
            self.assertNotIn("Real Sentinels", answer)
            self.assertNotIn("  ", answer)
            self.assertNotIn("#failovers", [where for where, _ in links])
            self.assertIn("Redis Sentinel and Redis Cluster", " ".join(provenance.untested(run)))

    def test_the_page_has_each_cell_and_what_it_means(self):
        run = self.run_of(failovers_fixture.failovers())
        html, page = self.texts(run)
        self.assertIn(MD, page)
        self.assertIn("41 of 200 (20.5 %, 15.5–26.6) locks were lost", page)
        table = failovers.table(run)
        self.assertEqual(len(table), 5)
        self.assertEqual(table[2][:6], ["50 ms", "none: `SET NX PX`",
                                        "41 of 200 (20.5 %, 15.5–26.6)", "20.5 %", "41", "0"])
        self.assertEqual(table[3][2:6], ["0 of 48 (≤ 7.41 %)", "0 %", "0", "1"])
        self.assertIn('<a href="#failovers">', html)
        self.assertIn("<code>min-replicas-to-write 1</code>", html)
        answer, links = self.question(run)
        self.assertIn("Real Sentinels: Where the replica was 50 ms behind", answer)
        self.assertIn("#failovers", [where for where, _ in links])
        untested = " ".join(provenance.untested(run))
        self.assertIn("real Sentinels were run only where a master dies", untested)
        self.assertNotIn("Redis Sentinel and", untested)

    def test_no_english_is_left_in_its_part(self):
        html, _ = self.texts(self.run_of(failovers_fixture.failovers()))
        begin = html.index('<section id="failovers">')
        part = html[begin:html.index("</section>", begin)]
        self.assertEqual(translate.untranslated(part), [], "right would be: their Chinese")

    def test_what_is_no_failover_is_one_sentence(self):
        rows = failovers_fixture.failovers()
        del rows["failovers"][1]["real"]["lost"]
        with self.assertRaisesRegex(load.BadRun, r"failovers\[1\].real.lost is missing"):
            self.run_of(rows)


if __name__ == "__main__":
    unittest.main()
