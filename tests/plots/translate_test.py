"""The page in Chinese: the same data, no English left but names and quotations, one term for each
thing; and what has no Chinese is named, and shown in English."""

import contextlib
import functools
import importlib
import io
import json
import re
import tempfile
import unittest
from html import unescape
from pathlib import Path
from unittest import mock

import yaml
from report_test import ROOT, run_quietly

import catalogue
import races
import report
import report_fixture as fixture
import sentences
import sentences_test
import translate
from html_page import Page

RIGHT = "right would be: their Chinese in plots/zh"
INVENTED = re.compile(
    r"late_holder|hung_worker|The worker hangs|The holder is late &|The lock expires\.|"
    r"for a reason|"
    r"A sequence diagram\.|B is stuck|a real server cannot do this|Example CPU|\{n\} of A|"
    r"So many|Live: late|: late$|: none|because (late|none)|the first\.$|It errs|It waits\.|"
    r"explore|"
    r"\| race \||\*\*V\*\*|H no fault|Redsync")
"""Of the fixtures: what no run says so."""


def coded(text):
    """A text of plots/ as the page has it: each name in backquotes is one character."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return text
    return "".join(chr(translate.FIRST_CODE + i) if i % 2 else part
                   for i, part in enumerate(parts))


def missed(texts):
    """The keys of those that have no Chinese."""
    return list(dict.fromkeys(key for text in texts for key in catalogue.missed(coded(text))))


def of_fixture():
    """The texts that its registry invents."""
    registry = json.loads(fixture.DATA.read_text(encoding="utf-8"))
    return {catalogue.msgid(part) for row in registry["algorithms"]
            for text in (row["label"], row["summary"], f"Source: {row['source']}.")
            for part in catalogue.SENTENCES.split(text)}


def strings(value, keys=None):
    """All texts in JSON or YAML, of these keys if some are given."""
    if isinstance(value, str):
        return [value] if keys is None else []
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in strings(
            one, None if keys is None or key in keys else keys)]
    return [text for one in value or [] for text in strings(one, keys)] if isinstance(
        value, list) else []


@functools.cache
def both_pages():
    with tempfile.TemporaryDirectory() as folder:
        fixture.write(Path(folder))
        status, said = run_quietly(report.main, Path(folder))
        assert status == 0, said
        return [(Path(folder) / name).read_text(encoding="utf-8")
                for name in ("report.html", "report.zh.html")]


class Translated(unittest.TestCase):
    both = property(lambda _: both_pages())

    def test_no_english_is_left(self):
        lacking = set(translate.untranslated(self.both[0])) - of_fixture()
        self.assertEqual([key for key in lacking if not INVENTED.search(key)], [], RIGHT)

    def test_what_lacks_its_chinese_is_named_and_shown_in_english(self):
        english = self.both[0]
        before = set(translate.untranslated(english))
        for old, new, name in (
                ("<h2>What it costs</h2>", "<h2>What it earns</h2>", "What it earns"),
                ("A refused read or write ends the job.", "A refused read goes on, 7 times.",
                 "A refused read goes on, {n} times."),
                ("<th>Hazard</th>", "<th>Danger</th>", "Danger"),
                (">overlap</dt>", ">rivalry</dt>", "rivalry")):
            self.assertIn(old, english)
            changed = english.replace(old, new)
            self.assertEqual(set(translate.untranslated(changed)) - before, {name})
            said = re.sub("</?[^>]*>", "", new.removeprefix(">"))
            self.assertRegex(translate.page(changed),
                             rf'<span lang="en">[^<]*{re.escape(said)}[^<]*</span>')

    def test_it_is_the_same_page_with_other_words(self):
        english, chinese = self.both
        one, other = Page(english), Page(chinese)
        self.assertEqual(other.faults, [])
        self.assertEqual(one.ids, other.ids)
        inside = [[link for link in page.links if link.startswith("#")] for page in (one, other)]
        self.assertEqual(*inside)
        for tag in ("td", "th", "h2", "svg", "text", "code"):
            self.assertEqual(english.count(f"<{tag}"), chinese.count(f"<{tag}"), tag)
        self.assertIn('<html lang="zh-CN">', chinese)
        for text in ("<h2>开销</h2>", '">被违反</span>', "<td>主机时钟不准</td>",
                     "<dt>锁公平吗？</dt>"):
            self.assertIn(text, chinese)

    def test_every_number_of_a_text_stands_in_its_chinese(self):
        wrong = {}

        def look(text, _):
            found = catalogue.chinese(text)
            numbers = [sorted(re.findall(r"\d+(?:[.,]\d+)*", one)) for one in (text, found or text)]
            if numbers[0] != numbers[1]:
                wrong[text] = found
            return "字"
        translate.spoken(self.both[0], look)
        self.assertEqual(wrong, {})

    def test_one_switch_leads_to_the_other_language(self):
        english, chinese = self.both
        self.assertEqual(Page(english).links.count("report.zh.html"), 1)
        self.assertEqual(Page(chinese).links.count("report.zh.html"), 0)
        self.assertIn(translate.SWITCH[1], chinese)

    def test_no_line_of_a_chinese_page_is_an_english_sentence(self):
        """Independent of the catalogue: three small English words in a row."""
        bare = re.sub(r"<(script|style|pre|code|q)\b.*?</\1>|<[^>]*\blang=.*?</\w+>", "",
                      self.both[1].split("<main>", 1)[1], flags=re.S)
        texts = [text.strip() for text in re.findall(r">([^<]+)", bare)]
        left = [text for text in texts if re.search(r"(?<![\w.])(?:[a-z']{2,}[ ,;]+){3}", text)]
        self.assertEqual([text for text in left if catalogue.msgid(unescape(text)) not in
                          of_fixture() and not INVENTED.search(unescape(text))], [])


class EveryText(unittest.TestCase):
    """Of files that the page is made of: what no fixture has is translated as well."""

    def test_of_questions_messages_libraries_terms_and_claims(self):
        for name, keys in (("questions", {"ask", "title", "intro", "else"}),
                           ("messages", {"title", "happened", "change", "intro", "labels"}),
                           ("libraries", {"ttl", "renews", "but"}), ("faults", None),
                           ("article_claims", {"means", "comment", "title"}),
                           ("argument_claims", {"means", "comment"})):
            data = json.loads((ROOT / "plots" / f"{name}.json").read_text(encoding="utf-8"))
            texts = [text for text in strings(data, keys) if not text.startswith("http")]
            self.assertGreater(len(texts), 10, name)
            self.assertEqual(missed(texts), [], f"{name}.json: {RIGHT}")
        data = json.loads((ROOT / "plots" / "terms.json").read_text(encoding="utf-8"))
        self.assertEqual(missed(text for pair in data["terms"].values() for text in pair), [])
        data = json.loads((ROOT / "plots" / "libraries.json").read_text(encoding="utf-8"))
        self.assertEqual(missed(what for item in data["libraries"]
                                for _, what in item.get("settings", [])), [])

    def test_of_scenarios(self):
        paths = sorted((ROOT / "scenarios").glob("*.yaml"))
        self.assertGreater(len(paths), 60)
        for path in paths:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            self.assertEqual(missed(strings(data, {"title", "means", "verdict_on_source", "why",
                                                   "fix"})), [], f"{path.name}: {RIGHT}")

    def test_of_drivers(self):
        for path in sorted((ROOT / "drivers").glob("*/manifest.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(missed(strings(data, {"defaults", "stubs", "library"})), [],
                             f"{path}: {RIGHT}")
        for path in sorted((ROOT / "drivers").glob("*/defects/*")):
            text = re.split(r"Run in the installed", path.read_text(encoding="utf-8"))[0]
            text = " ".join(re.sub(r'^(//|#|""")', "", line).strip() for line in text.split("\n"))
            self.assertEqual(missed(text.split("Tracker:")), [], f"{path}: {RIGHT}")

    def test_of_locks_and_faults(self):
        rows = (ROOT / "algorithms" / "registry.cpp").read_text(encoding="utf-8")
        faults = (ROOT / "harness" / "core" / "hazard.h").read_text(encoding="utf-8")
        found = [re.sub(r'"\s+"', "", text) for text in re.findall(
            r'"((?:[^"\n]|"\s+")* (?:[^"\n]|"\s+")*)"', rows + faults)]
        self.assertGreater(len(found), 40)
        inner = {"rows stand in the order of the enumeration", "{n} with {n2}"}
        self.assertEqual(set(missed(found)) - inner, set(), RIGHT)

    def test_of_functions(self):
        """Whatever the tests of sentences make them say."""
        said = []

        def watch(function, *arguments, **named):
            found = function(*arguments, **named)
            found = list(found) if type(found).__name__ == "generator" else found
            said.extend(strings(found if not isinstance(found, tuple) else list(found)))
            return found
        with contextlib.ExitStack() as stack:
            for module, *names in sentences.all_of_them().values():
                holder = importlib.import_module(module)
                for name in names[:-1]:
                    holder = getattr(holder, name)
                original = vars(holder)[names[-1]]
                if callable(original) and names[-1] != "draw":
                    stack.enter_context(mock.patch.object(
                        holder, names[-1], functools.partial(watch, original)))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            for case in sentences_test.CASES:
                unittest.defaultTestLoader.loadTestsFromTestCase(case).run(unittest.TestResult())
        self.assertGreater(len(set(said)), 300)
        lacking = set(missed(re.sub("<[^>]*>", "", text) for text in said)) - of_fixture()
        self.assertEqual([key for key in lacking if not INVENTED.search(key)], [], RIGHT)


class Catalogue(unittest.TestCase):
    def test_a_text_and_its_chinese_have_the_same_holes(self):
        for key, chinese in catalogue.entries().items():
            holes = [sorted(map("".join, catalogue.HOLE.findall(text))) for text in (key, chinese)]
            self.assertEqual(set(holes[0]), set(holes[1]), key)
            for form in catalogue.forms(key):
                self.assertNotRegex(form, r"\[[a-z]+\|", key)

    def test_chinese_has_no_english_but_names_and_what_its_text_has(self):
        for key, chinese in catalogue.entries().items():
            rest = catalogue.HOLE.sub(" ", re.sub("[\u2e80-\uffff“”]+", " ", chinese))
            words = [word for word in rest.split() if not catalogue.is_name(word)]
            gloss = re.findall(r"（([a-z -]+)）", chinese)
            self.assertEqual([word for word in words if word not in key and not any(
                word in one for one in gloss) and word.strip("+×*-·…()") and re.search(
                    "[a-z]", word)], [], key)

    def test_forms_and_holes(self):
        for english, chinese in (
                ("64 clients, one key", "64 个客户端，一个键"), ("slow job", "慢任务"),
                ("TTL 500 ms", "TTL 500\u00a0ms"), ("What it earns", None),
                ("1 lock", None), ("1 run", "1 次运行"), ("2,000 runs", "2,000 次运行"),
                ("A: SET lock t1 NX EX 10 → OK, now inside, reads version 3",
                 "A：SET lock t1 NX EX 10 → OK，进入临界区，读到版本 3"),
                ("A and B inside together; B's update lost to A",
                 "A 与 B 同时在内；B 的更新被 A 覆盖"),
                ("\ue000 and \ue001: late reply, partition", "\ue000、\ue001：应答迟到、网络分区"),
                ("\ue000, \ue001 and what broke every lease here",
                 "\ue000、\ue001，以及在这里使每个租约都失效的情形")):
            self.assertEqual(catalogue.chinese(english), chinese, english)
        self.assertEqual(catalogue.msgid("\ue000 and \ue001: 3 of 4 in 20 ms, 5 s"),
                         "{code}: {n} of {n2} in {t}, {t2}")
        self.assertEqual(list(catalogue.forms("{n} run[s] [is|are]")),
                         ["{n} runs is", "{n} runs are", "{n} run is", "{n} run are"])

    def test_what_belongs_together_stays_together(self):
        """A list of names is no list of sentences, and a part keeps its own end."""
        for english, chinese in (
                ("Not so: on a real Redis \ue000 under \ue001 and \ue002, \ue003 under \ue001.",
                 "不符的有：真实 Redis 上，\ue001、\ue002 之下的 \ue000；\ue001 之下的 \ue003。"),
                ("time-out of a command 150 ms (200 ms for \ue000 and \ue001, 300 ms for \ue002)",
                 "命令超时 150\u00a0ms（\ue000、\ue001 为 200\u00a0ms，\ue002 为 300\u00a0ms）"),
                ("no other single fault (2 clients, 8 exhausted); not all searched: 2 clients under"
                 " any two faults",
                 "没有别的单个故障（2 个客户端，已穷举 8 个）；没有全部搜索：任意两个故障之下 2 个客户端"),
                ("SET NX PX is refused by nobody", None),
                ("\ue000, \ue001 and \ue002", "\ue000、\ue001、\ue002"),
                ("Symfony Lock, RedisStore, LockReleasingException",
                 "Symfony Lock, RedisStore, LockReleasingException"),
                (". \ue000", "。\ue000"),
                ("B stuck until the TTL; or A stuck until the TTL",
                 "B 卡到 TTL 到期；或者 A 卡到 TTL 到期")):
            self.assertEqual(catalogue.chinese(english), chinese, english)

    def test_lines_of_a_picture_are_told_as_one(self):
        picture = ('<text class="words" x="9" y="20">B: 240 more tries, refused each time,'
                   ' since</text>'
                   '\n<text class="words" x="9" y="37">1.250 s</text>')
        told = translate.whole_lines(picture, lambda text, _: catalogue.chinese(text))
        self.assertEqual(re.sub(r"\s", "", "".join(re.findall(">([^<\n]+)<", told))),
                         "B：自1.250s起又试了240次，每次都被拒绝")
        self.assertEqual(told.count("<text"), 2)


class Terms(unittest.TestCase):
    def test_one_term_for_one_thing(self):
        found = {}
        for group in catalogue.GROUPS:
            for english, chinese in catalogue.GLOSSARY[group].items():
                self.assertEqual(found.setdefault(english, chinese), chinese, english)

    def test_words_that_were_given_up_are_nowhere(self):
        texts = [(ROOT / "README.zh.md").read_text(encoding="utf-8"),
                 *catalogue.entries().values()]
        for english, words in catalogue.GLOSSARY["avoid"].items():
            self.assertIn(english, {**catalogue.GLOSSARY["field"], **catalogue.GLOSSARY["faults"]})
            for word in words:
                self.assertEqual([t for t in texts if word in t], [], f"{english}: {word}")

    def test_readme_uses_the_terms(self):
        text = (ROOT / "README.zh.md").read_text(encoding="utf-8")
        terms = {**catalogue.GLOSSARY["field"], **catalogue.GLOSSARY["faults"]}
        for english in ("stall", "reply", "oracle", "campaign", "lease", "grant", "witness",
                        "floor", "failover", "freeze", "watchdog", "driver"):
            self.assertIn(terms[english], text, english)

    def test_quotations_say_which_chinese_they_are(self):
        for text, language in (("先 DEL", "zh-Hans"), ("锁过期了", "zh-Hans"), ("only", "en"),
                               ("通過比較鍵的舊值", "zh-Hant")):
            self.assertEqual(races.language(text), language)


if __name__ == "__main__":
    unittest.main()
