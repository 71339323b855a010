"""The page in Chinese: the same data, no English where it is covered, one term for each thing."""

import re
import unittest

from report_test import ROOT, Folder, run_quietly

import races
import report
import report_fixture as fixture
import translate
from html_page import Page


class Translated(Folder):
    def both(self):
        fixture.write(self.folder)
        status, said = run_quietly(report.main, self.folder)
        self.assertEqual(status, 0, said)
        return [(self.folder / name).read_text(encoding="utf-8")
                for name in ("report.html", "report.zh.html")]

    def test_no_english_is_left_in_what_is_covered(self):
        english, _ = self.both()
        self.assertEqual(translate.untranslated(english), [],
                         "right would be: their Chinese in plots/terms_zh.json")

    def test_what_lacks_its_chinese_is_named(self):
        english, _ = self.both()
        for old, new in (("<h2>What it costs</h2>", "<h2>What it earns</h2>"),
                         ("<th>Hazard</th>", "<th>Danger</th>"),
                         ('data-label="Grants"', 'data-label="Presents"'),
                         ('<a href="#cost">Cost</a>', '<a href="#cost">Price</a>'),
                         ("<td>hosts whose clocks", "<td>machines whose clocks")):
            self.assertIn(old, english)
            word = re.search(r"earns|Danger|Presents|Price|machines", new)[0]
            found = translate.untranslated(english.replace(old, new))
            self.assertEqual(len(found), 1, new)
            self.assertIn(word, found[0])

    def test_it_is_the_same_page_with_other_words(self):
        english, chinese = self.both()
        one, other = Page(english), Page(chinese)
        self.assertEqual(other.faults, [])
        self.assertEqual(one.ids, other.ids)
        inside = [[link for link in page.links if link.startswith("#")] for page in (one, other)]
        self.assertEqual(*inside)
        for tag in ("td", "th", "h2", "svg"):
            self.assertEqual(english.count(f"<{tag}"), chinese.count(f"<{tag}"), tag)
        self.assertIn('<html lang="zh-CN">', chinese)
        self.assertIn("<h2>开销</h2>", chinese)
        self.assertNotIn("<h2>What it costs</h2>", chinese)
        self.assertIn('">被违反</span>', chinese)
        self.assertIn("<span>永远卡死：已没有活着的客户端持有锁，锁却一直被占用</span>", chinese)
        self.assertIn("<td>主机时钟不准</td>", chinese)

    def test_one_switch_leads_to_the_other_language(self):
        english, chinese = self.both()
        self.assertEqual(Page(english).links.count("report.zh.html"), 1)
        self.assertEqual(Page(chinese).links.count("report.zh.html"), 0)
        self.assertIn(translate.SWITCH[1], chinese)

    def test_numbers_and_names_of_code_are_kept(self):
        for english, chinese in (
                ("64 clients, one key", "64 个客户端，一个键"),
                ("Ways to wait, <code>set_nx_lua</code>, 8 clients",
                 "等待的方式，<code>set_nx_lua</code>，8 个客户端"),
                ("slow job", "慢任务"), ("TTL 500 ms", "TTL 500 ms"), ("What it earns", None)):
            self.assertEqual(translate.chinese_of(english), chinese)
        self.assertEqual(translate.key_of("same rack,<br>200\u00a0µs each"),
                         "same rack, 200 µs each")


class Terms(unittest.TestCase):
    def test_one_term_for_one_thing(self):
        found = {}
        for group in translate.GROUPS:
            for english, chinese in translate.GLOSSARY[group].items():
                self.assertEqual(found.setdefault(english, chinese), chinese, english)
                self.assertEqual(set(re.findall(r"\{\w+\}", english)),
                                 set(re.findall(r"\{\w+\}", chinese)), english)

    def test_words_that_were_given_up_are_nowhere(self):
        texts = [(ROOT / "README.zh.md").read_text(encoding="utf-8")]
        texts += [chinese for group in translate.GROUPS
                  for chinese in translate.GLOSSARY[group].values()]
        for english, words in translate.GLOSSARY["avoid"].items():
            self.assertIn(english, {**translate.GLOSSARY["field"], **translate.GLOSSARY["faults"]})
            for word in words:
                self.assertEqual([t for t in texts if word in t], [], f"{english}: {word}")

    def test_readme_uses_the_terms(self):
        text = (ROOT / "README.zh.md").read_text(encoding="utf-8")
        for english in ("stall", "reply", "oracle", "campaign", "lease", "grant", "witness",
                        "floor", "failover", "freeze", "watchdog", "driver"):
            terms = {**translate.GLOSSARY["field"], **translate.GLOSSARY["faults"]}
            self.assertIn(terms[english], text, english)

    def test_quotations_say_which_chinese_they_are(self):
        for text, language in (("先 DEL", "zh-Hans"), ("锁过期了", "zh-Hans"), ("only", "en"),
                               ("通過比較鍵的舊值", "zh-Hant")):
            self.assertEqual(races.language(text), language)


if __name__ == "__main__":
    unittest.main()
