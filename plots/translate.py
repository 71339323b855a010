"""The page in Chinese, made of the page in English: every text that catalogue.py has.

A text is what stands between two tags that are no names of code. One without Chinese stays as it
is, is marked as English, and `untranslated` names it.
"""

import re
from html import escape, unescape

import catalogue
from catalogue import GLOSSARY, chinese
from markupsafe import Markup

SWITCH = (Markup('<a lang="zh-CN" hreflang="zh-CN" href="report.zh.html">中文</a>'),
          Markup('<a lang="en" hreflang="en" href="report.html">English</a>'))
"""The link to the other language, on the page in English and on that in Chinese."""
TOKENS = re.compile(r"<(?P<kept>script|style|pre)\b.*?</(?P=kept)>|<code\b.*?</code>|<[^>]*>|[^<]+",
                    re.S)
TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)")
VOID = {"meta", "link", "br", "wbr", "input", "img", "hr"}
WORDS = re.compile(r'(?P<open>\s(?:title|aria-label|data-label|placeholder)=")(?P<text>[^"]*)"')
LINE = re.compile(r'<text class="(?P<look>[^"]*)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)">')
FIRST_CODE = 0xE000
NO_ELEMENTS = {"title", "desc", "text", "tspan", "option"}
"""What holds words alone."""


class Texts:
    """Goes through a page text by text: each is given to `say`, whose answer takes its place."""

    def __init__(self, say, english=str):
        self.say = say
        self.english = english
        """What becomes of a text without an answer."""

    def run(self, tokens, inside):
        """The markup of the tokens of one text: words, names of code, places for a break."""
        codes = [token for token in tokens if token.startswith("<code")]
        marks = iter(range(FIRST_CODE, FIRST_CODE + len(codes)))
        text = "".join(chr(next(marks)) if token.startswith("<code") else
                       "" if token.startswith("<wbr") else
                       " " if token.startswith("<") else unescape(token) for token in tokens)
        before, after = re.match(r"\s*", text)[0], re.search(r"\s*$", text)[0]
        if not text.strip():
            return None
        if (found := self.say(text, inside)) is not None:
            before = "" if re.match(r"[：，；。（、]", found) else before
            after = "" if re.search(r"[：，；。）、]$", found) else after
            found = escape(found, quote=False)
        elif inside in NO_ELEMENTS:
            return None
        else:
            found = " ".join(self.sentence(part, inside)
                             for part in catalogue.SENTENCES.split(text.strip()))
        return re.sub(catalogue.CODE, lambda mark: codes[ord(mark[0]) - FIRST_CODE],
                      before + found + after)

    def sentence(self, text, inside):
        """The markup of one sentence of a text that has no answer as a whole."""
        found = self.say(text, inside)
        plain = escape(text if found is None else found, quote=False)
        return self.english(plain) if found is None else plain

    def attributes(self, tag):
        def change(match):
            found = self.say(unescape(match["text"]), "attribute")
            return match[0] if found is None else match["open"] + escape(found) + '"'
        return WORDS.sub(change, tag) if "=" in tag else tag

    def page(self, markup):
        out, tokens, stack = [], [], []

        def end():
            if tokens:
                quoted = any(" lang=" in tag for tag in stack)
                inside = name_of(stack[-1]) if stack else ""
                said = None if quoted else self.run(tokens, inside)
                out.append("".join(tokens) if said is None else said)
                tokens.clear()
        for match in TOKENS.finditer(markup):
            token = match[0]
            breaks = token == "<br>" and stack and name_of(stack[-1]) in ("th", "span", "caption")
            if not token.startswith("<") or token.startswith("<code") or token == "<wbr>" or breaks:
                tokens.append(token)
                continue
            end()
            tag = TAG.match(token)
            if not tag or match["kept"]:
                out.append(token)
                continue
            out.append(self.attributes(token))
            if tag["close"]:
                while stack and name_of(stack.pop()) != tag["name"]:
                    pass
            elif tag["name"] not in VOID and not token.endswith("/>"):
                stack.append("" if tag["name"] == "html" else token)
        end()
        return "".join(out)


def name_of(tag):
    found = TAG.match(tag)
    return found["name"] if found else ""


def width(text):
    """In columns: a Chinese character is as wide as two letters."""
    return sum(2 if ord(c) > 0x2E80 else 1 for c in text)


def lines_of(text, count, wide):
    """The text in at most `count` lines of `wide` columns, or more if it must be."""
    parts = re.findall(r"[\u2e80-\uffff]|[^\u2e80-\uffff ]+ ?| ", text)
    while True:
        lines = [""]
        for part in parts:
            if lines[-1] and width(lines[-1] + part.rstrip()) > wide and part not in "，。；：、）":
                lines.append("")
            lines[-1] += part if lines[-1] or part != " " else ""
        if len(lines) <= count:
            return [line.strip() for line in lines] + [""] * (count - len(lines))
        wide += 2


def whole_lines(picture, say):
    """A picture of a play whose texts of several lines are in Chinese, each line in its place."""
    texts = list(re.finditer(LINE.pattern + r"(?P<text>[^<]*)</text>", picture))
    groups = []
    for text in texts:
        last = groups[-1][-1] if groups else None
        below = last and (last["look"], last["x"]) == (text["look"], text["x"])\
            and 0 < float(text["y"]) - float(last["y"]) < 18\
            and not picture[last.end():text.start()].strip()
        groups[-1].append(text) if below else groups.append([text])
    out, end = [], 0
    for group in groups:
        together = " ".join(unescape(text["text"]) for text in group)
        if len(group) < 2 or (found := say(together, "text")) is None:
            continue
        lines = lines_of(found, len(group), max(len(unescape(t["text"])) for t in group))
        for text, line in zip(group, lines):
            out += [picture[end:text.start("text")], escape(line, quote=False)]
            end = text.end("text")
    return "".join([*out, picture[end:]])


def spoken(page, say, english=str):
    """The page with each text in `say`'s words."""
    page = re.sub(r'<svg[^>]* class="timeline".*?</svg>', lambda m: whole_lines(m[0], say), page,
                  flags=re.S)
    return Texts(say, english).page(page)


def page(english):
    """The page in Chinese."""
    markup = spoken(english, lambda text, _: chinese(text),
                    lambda plain: f'<span lang="en">{plain}</span>')
    markup = markup.replace('<html lang="en">', '<html lang="zh-CN">', 1)
    return markup.replace(SWITCH[0], SWITCH[1])


def untranslated(english):
    """The keys of the texts that have no Chinese."""
    lacking = {}

    def say(text, inside):
        lacking.update(dict.fromkeys(catalogue.missed(text)))
        return "字"
    spoken(english, say)
    return list(lacking)
