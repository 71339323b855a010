"""The report on what safety costs."""

import json
import unittest

from report_test import Folder

import load
import price
import price_fixture
import report_fixture as fixture
import style
import translate
from figures import price as figure

MD = "## What does safety cost?"


class Price(Folder):
    def run_of(self, rows):
        manifest = fixture.manifest()
        if rows is None:
            manifest["files"].remove("price.json")
        fixture.write(self.folder, manifest_data=manifest)
        (self.folder / "price.json").write_text(json.dumps(rows), encoding="utf-8")
        return load.load_run(self.folder)

    def test_a_run_without_it_says_nothing_of_it(self):
        for rows in (None, {"price": []},
                     {"price": [price_fixture.row(why_not="no redis-server was found.")]}):
            run = self.run_of(rows)
            self.assertFalse(price.is_told(run))
            self.assertIsNone(figure.draw(run, style.WIDE))
            html, text = self.texts(run)
            self.assertNotIn(MD, text)
            self.assertNotIn('href="#price"', html)

    def test_the_page_has_each_row_its_figure_and_its_commands(self):
        run = self.run_of(price_fixture.price())
        html, page = self.texts(run)
        self.assertIn(MD, page)
        self.assertIn("figures/price.svg", page)
        self.assertIn("| 4 | `redlock` | 5 Redis, a majority | 230 |", page)
        self.assertIn('<a href="#price">', html)
        self.assertIn('<figure id="figure-price">', html)
        self.assertIn("Not measured: <code>watchdog_<wbr>owned</code>", html)
        for command in price.commands(run):
            self.assertIn(command, page)

    def test_each_row_is_a_mark_with_its_number_and_an_interval_if_it_has_one(self):
        style.prepare()
        for width in (style.WIDE, style.NARROW):
            drawn = figure.draw(self.run_of(price_fixture.price()), width)
            for axis in drawn.axes:
                self.assertEqual([text.get_text() for text in axis.texts],
                                 [str(i) for i in range(1, 9)])
                self.assertEqual(len(axis.collections), 7, "rows with an interval")
                hollow = [line.get_markerfacecolor() == style.PAPER for line in axis.lines]
                self.assertEqual(hollow, [True] + 7 * [False], "setnx_del was stuck")

    def test_no_english_is_left_in_its_part(self):
        html, _ = self.texts(self.run_of(price_fixture.price()))
        begin = html.index('<section id="price">')
        part = html[begin:html.index("</section>", begin)]
        self.assertEqual(translate.untranslated(part), [], "right would be: their Chinese")

    def test_what_is_no_row_is_one_sentence(self):
        rows = price_fixture.price()
        del rows["price"][1]["struck"]["overlaps"]
        with self.assertRaisesRegex(load.BadRun, r"price\[1\].struck.overlaps is missing"):
            self.run_of(rows)


if __name__ == "__main__":
    unittest.main()
