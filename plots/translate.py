"""The page in Chinese, made of the page in English: what terms_zh.json has of its headings,
columns, labels and verdicts. Running text is still English, and marked as such.

A part is `covered` where every text must have its Chinese; `untranslated` names what lacks it.
"""

import functools
import json
import re
from html import unescape
from pathlib import Path

from markupsafe import Markup

GLOSSARY = json.loads((Path(__file__).parent / "terms_zh.json").read_text(encoding="utf-8"))
GROUPS = ("headings", "first_screen", "contents", "columns", "buttons", "faults", "verdicts",
          "field", "sentences")
"""Of the glossary, in which the page's texts are looked up; the first that has one decides."""
NOT_YET = ("answers", "questions", "messages", "table", "races")
"""Sections of which only the heading is covered."""
HOLES = {"{n}": r"[\d.,]+", "{t}": r"[\d.,]+ (?:µs|ms|s|min)", "{code}": r"<code>.*?</code>",
         "{any}": r".+"}
COVERED = re.compile(
    r'(?P<open><(?P<tag>h[1-4]|th(?![^>]*scope="row)|caption|dt|button)\b[^>]*>)(?P<text>.*?)'
    r"(?P<end></(?P=tag)>)", re.S)
LINKS = re.compile(r'(?P<open><a href="#[^>]*>)(?P<text>[^<]*)(?P<end></a>)')
TAGS = re.compile(r'(?P<open><span class="tag [^>]*>)(?P<text>[a-z_ ]+)(?P<end></span>)')
FOLDED = re.compile(r"(?P<open><summary><strong>)(?P<text>[^<]*)(?P<end></strong>)")
CELLS = re.compile(r'(?P<open><td(?: class="use")?>)(?P<text>.*?)(?P<end></td>)', re.S)
LEGEND = re.compile(r"(?P<open>(?<=</span>)<span>)(?P<text>[^<]*)(?P<end></span>(?=</li>))")
OF_SECTION = {"needs": (CELLS,), "matrix": (LEGEND,)}
"""Running text that is covered."""
LABELS = re.compile(r'(?P<open>data-label=")(?P<text>[^"]*)(?P<end>")')
NO_WORDS = re.compile(r"[^A-Za-z]*|<code>.*</code>|.*[\u4e00-\u9fff].*", re.S)
SWITCH = (Markup('<a lang="zh-CN" hreflang="zh-CN" href="report.zh.html">中文</a>'),
          Markup('<a lang="en" hreflang="en" href="report.html">English</a>'))
"""The link to the other language, on the page in English and on that in Chinese."""
NOTE = ('<p class="muted">本页的标题、表头、标签、判定和图例已译成中文；其余正文仍是英文，与'
        '<a href="report.html">英文页</a>出自同一份数据。</p>')


def key_of(markup):
    """The text of an element on one line, with its names of code as elements, for a look-up."""
    bare = re.sub(r"<wbr>|</?span[^>]*>|</?strong>", "", markup)
    codes = re.findall(r"<code>.*?</code>", bare, re.S)
    text = unescape(re.sub(r"<code>.*?</code>", "\0", re.sub(r"<br>", " ", bare), flags=re.S))
    text = " ".join(text.replace("\u00a0", " ").split())
    for code in codes:
        text = text.replace("\0", code, 1)
    return text


@functools.cache
def patterns():
    """[(regular expression, Chinese)] of the entries with holes."""
    found = []
    for group in GROUPS:
        for english, chinese in GLOSSARY[group].items():
            holes = re.findall(r"\{\w+\}", english)
            if holes:
                text = re.escape(english)
                for hole in holes:
                    text = text.replace(re.escape(hole), f"({HOLES[hole]})", 1)
                found.append((re.compile(text, re.S), chinese))
    return found


@functools.cache
def chinese_of(key):
    """The Chinese of one text, or None."""
    for group in GROUPS:
        found = GLOSSARY[group].get(key) or GLOSSARY[group].get(key.replace(" ", "_"))
        if found:
            return found
    for pattern, chinese in patterns():
        if match := pattern.fullmatch(key):
            parts = iter(match.groups())
            return re.sub(r"\{\w+\}", lambda _: next(parts), chinese)
    return None


def sections(page):
    """[(id of a section or "", its markup)], one after the other."""
    parts = re.split(r'(?=<section id=")|(?<=</section>)', page)
    return [((re.match(r'<section id="([^"]+)', part) or [None, ""])[1], part) for part in parts]


def rewritten(name, markup, change):
    """The markup of a section with `change` applied to each match that is covered."""
    for pattern in (COVERED, FOLDED, LABELS, TAGS, *OF_SECTION.get(name, ())):
        if name in NOT_YET:
            pattern = re.compile(r"(?P<open><h2[^>]*>)(?P<text>.*?)(?P<end></h2>)", re.S)
        markup = pattern.sub(functools.partial(change, pattern), markup)
    return markup


def translated(pattern, match):
    """One match in Chinese, or as it is; the form of a heading that is turned is kept."""
    found = chinese_of(key_of(match["text"]))
    if found is None:
        return match[0]
    turned = re.fullmatch(r"\s*<span>[^<]*</span>\s*", match["text"])
    return match["open"] + (f"<span>{found}</span>" if turned else found) + match["end"]


def page(english):
    """The page in Chinese."""
    head, main = english.split("<main>", 1)
    main, script = main.rsplit("</main>", 1)
    nav = re.search(r"<nav.*?</nav>", main, re.S)
    main = main.replace(nav[0], LINKS.sub(functools.partial(translated, LINKS), nav[0]))
    main = "".join(rewritten(name, part, translated) for name, part in sections(main))
    main = re.sub(r"<(p|dd|li|figcaption)(?=[ >])(?![^>]*\blang=)", r'<\1 lang="en"', main)
    main = main.replace(SWITCH[0], SWITCH[1]).replace("</header>", NOTE + "</header>", 1)
    head = head.replace('<html lang="en">', '<html lang="zh-CN">', 1)
    return f"{head}<main>{main}</main>{script}"


def untranslated(english):
    """The texts of the parts that are covered that have no Chinese."""
    lacking = {}

    def look(pattern, match):
        key = key_of(match["text"])
        if pattern is not FOLDED and chinese_of(key) is None and not NO_WORDS.fullmatch(key):
            lacking[key] = None
        return match[0]
    main = english.split("<main>", 1)[1].rsplit("</main>", 1)[0]
    LINKS.sub(functools.partial(look, LINKS), re.search(r"<nav.*?</nav>", main, re.S)[0])
    for name, part in sections(main):
        rewritten(name, part, look)
    return list(lacking)
