"""The Chinese of each text of the page, looked up by its English: zh/*.json and terms_zh.json.

A key is the English text with a hole for each value, "{n} of {n2} locks broke", as in gettext; but
the text is looked up as it stands on the page, for half of them come from result files and not from
Python. HOLES says what may stand in a hole. `[a|b]` and `[s]` in a key are forms that the number
decides, and Chinese has one. A text without an entry is put together of its sentences, of the parts
between semicolons, or of the items of a list, if each of these has one. Else it has no Chinese, and
stays English: `missed` says under which key.
"""

import functools
import itertools
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
GLOSSARY = json.loads((HERE / "terms_zh.json").read_text(encoding="utf-8"))
FILES = sorted((HERE / "zh").glob("*.json"))
GROUPS = ("headings", "first_screen", "contents", "columns", "buttons", "faults", "verdicts",
          "field", "sentences")
"""Of the glossary, in which the page's texts are looked up; the first that has one decides."""

CODE = "[\ue000-\uf8ff]"
"""A name of code within a text: the caller puts one such character for each."""
HAN, LATIN = "[\u4e00-\u9fff]", "[A-Za-z0-9\ue000-\uf8ff]"
NUMBER = r"(?<![\w.])[-−]?\d+(?:[.,]\d+)*[kM]?(?!\w)"
UNIT = r"(?:µs|us|ms|s|min|h)(?!\w)"
HOLES = {
    "n": NUMBER,
    "t": rf"(?<![\w.])[-−]?\d+(?:[.,]\d+)* ?{UNIT}(?: \d+ (?:min|s)(?!\w))?",
    "code": rf"{CODE}(?:(?:, | and |, and ){CODE})*",
    "who": r"(?:[A-Z]|client \d+)(?!\w)",
    "cmd": r"(?:[A-Z]{2,}(?: [^ →⇢;]+)*?|[a-z_]+\(.*?\)|[a-z_]+\([^)]*…|[a-z_]+…)"
           r"(?: at Redis \d+)?…?",
    "reply": r"(?:OK|nil|no answer|[A-Z]+|-?\d+|\"[^\"]*\"?|\[[^\]]*\]|error .+?)",
    "held": r"(?:[^ ]+|\d+|t\d+(?:: \d+)?)",
    "pairs": rf"{CODE} under (?:{CODE}|, | and | under )+",
    "name": r".+?", "text": r".+?",
}
"""What may stand in a hole, whose digit tells two of a kind apart. A `name` has no word that needs
a translation, and is kept; a `text` is looked up itself."""
HOLE = re.compile(rf"\{{({'|'.join(HOLES)})(\d*)\}}")
SEARCHED = ("who", "cmd", "reply", "held", "pairs", "name", "text")
"""Holes that are found by trying; the others are seen at once."""
SEEN = re.compile("|".join(f"(?P<{kind}>{HOLES[kind]})" for kind in ("code", "t", "n")))
NAME = re.compile(
    r"https?://\S+|[\w.@/-]+\(\)|[\w.@/*-]*[A-Za-z][\w.@/*-]*[_/@:=*][\w.@/:=*-]*"
    r"|[\w@-]*\.[A-Za-z][\w.]*|[A-Za-z-]*[A-Z]{2,}[\w-]*|[A-Za-z]+[a-z][A-Z]\w*|[\w-]*\d[\w-]*"
    r"|\b[A-Za-z]\b")
"""What is a name by its look: an address, a path, an identifier, CapitalsInside, one letter."""
KNOWN = re.compile(r"\"[^\"]*\"?|\b(?:lock|locking)\b| at Redis \d+|\w*…")
"""What may stand in a command: its key and value in plays, and where it goes."""
MARKS = {": ": "：", ", ": "，", "; ": "；", ". ": "。", "✗ ": "✗ "}
LONG = 16
"""Letters of an item of a list that is told apart by a comma."""
ENDS = {".": "。", ":": "：", ";": "；", ",": "，", "?": "？", "…": "……"}
ITEMS = rf"(?:, and |, | and )(?!{CODE})|(?<!{CODE})(?:, and |, | and )"
"""What parts the items of a list, but not names of code that follow each other."""
SENTENCES = re.compile(r"(?<=[.?!])\s+(?=[A-Z{“‘\ue000-\uf8ff])")


def tidy(text):
    return " ".join(text.replace("\u00a0", " ").split())


def msgid(text):
    """The key of a text: its numbers, times and names of code are holes."""
    seen = {}

    def hole(match):
        kind = match.lastgroup
        seen[kind] = seen.get(kind, 0) + 1
        return f"{{{kind}{seen[kind] if seen[kind] > 1 else ''}}}"
    return SEEN.sub(hole, tidy(text))


def values(text):
    """{hole: what stands in it} of a text with the key `msgid(text)`."""
    found = {}
    for match in SEEN.finditer(tidy(text)):
        kind = match.lastgroup
        count = sum(HOLE.fullmatch(f"{{{name}}}")[1] == kind for name in found) + 1
        found[f"{kind}{count if count > 1 else ''}"] = match[0]
    return found


def forms(key):
    """A key with each of its [a|b] decided in every way."""
    parts = re.split(r"\[([A-Za-z' ]*(?:\|[A-Za-z' ]*)?)\]", key)
    choices = [part.split("|") if "|" in part else [part, ""] for part in parts[1::2]]
    for chosen in itertools.product(*choices):
        yield "".join(itertools.chain(*itertools.zip_longest(parts[::2], chosen, fillvalue="")))


@functools.cache
def entries():
    """{key: Chinese} of all files."""
    found = {}
    for group in GROUPS:
        for english, chinese in GLOSSARY[group].items():
            found.setdefault(english, chinese)
            found.setdefault(english.replace("_", " "), chinese)
    for path in FILES:
        for english, chinese in json.loads(path.read_text(encoding="utf-8")).items():
            found[english] = chinese
    return found


@functools.cache
def names():
    """Words that are names in both languages."""
    return frozenset(GLOSSARY["names"])


@functools.cache
def whole():
    """{msgid: Chinese} of the entries whose holes are seen at once."""
    return {msgid_of_key(form): chinese for key, chinese in entries().items()
            for form in forms(key) if not searched(form)}


def msgid_of_key(key):
    """A key whose numbers are written out, or whose holes are, as `msgid` has it."""
    return key if HOLE.search(key) else msgid(key)


def searched(key):
    return any(kind in SEARCHED for kind, _ in HOLE.findall(key))


@functools.cache
def patterns():
    """[(words that must be there, regular expression, Chinese)] of the other entries, the most
    definite first."""
    found = [(form, chinese_) for key, chinese_ in entries().items() for form in forms(key)
             if searched(form)]
    found.sort(key=lambda entry_: -len(HOLE.sub("", entry_[0])))
    return [(max(re.split(HOLE.pattern, form)[::3], key=len), pattern_of(form), chinese_)
            for form, chinese_ in found]


def pattern_of(key):
    parts, end = [], 0
    for match in HOLE.finditer(key):
        parts += [re.escape(key[end:match.start()]), f"(?P<{match[1]}{match[2]}>{HOLES[match[1]]})"]
        end = match.end()
    return re.compile("".join([*parts, re.escape(key[end:])]), re.S)


def is_name(text):
    """Whether no word of the text needs a translation."""
    rest = NAME.sub(" ", SEEN.sub(" ", text))
    return all(word in names() for word in re.findall(r"[A-Za-z][A-Za-z'’+-]*", rest))


def said(kind, text):
    """What stands in a hole, in Chinese; None if it has none."""
    if kind == "code":
        return re.sub(f"(?<={CODE})(?:, and | and |, )(?={CODE})", "、", text)
    if kind == "t":
        return text.replace(" ", "\u00a0")
    if kind == "pairs":
        pairs = re.split(f"(?:, | and )(?={CODE} under )", text)
        halves = [[said("code", half) for half in pair.split(" under ")] for pair in pairs]
        return "；".join(f"{faults} 之下的 {lock}" for lock, faults in halves)
    if kind == "name":
        return faults(text) or (said("code", text) if is_name(text) else None)
    if kind == "text":
        return chinese(text)
    if kind == "cmd":
        if not is_name(KNOWN.sub(" ", text)):
            return None
        return re.sub(r" at Redis (\d+)", r"（Redis \1）", text)
    return text.replace("client ", "客户端 ") if kind == "who" else text


def filled(template, found):
    """The Chinese with the values of its holes; None if one of them has no Chinese."""
    parts = {name: said(re.match("[a-z]+", name)[0], text) for name, text in found.items()}
    if any(part is None for part in parts.values()):
        return None
    return spaced(HOLE.sub(lambda hole: parts[hole[1] + hole[2]], template))


def spaced(text):
    """With a space between Chinese and what is written in letters and digits."""
    for one, other in ((HAN, LATIN), (LATIN, HAN)):
        text = re.sub(f"(?<={one})(?={other})", " ", text)
    return text


def searched_for(text):
    """By the first pattern whose holes all have their Chinese."""
    found = (filled(chinese_, match.groupdict()) for words, pattern, chinese_ in patterns()
             if words in text and (match := pattern.fullmatch(text)))
    return next(filter(None, found), None)


def entry(text):
    """The Chinese of a text that has an entry of its own, or whose parts have."""
    template = whole().get(text)
    if template is None and (template := whole().get(msgid(text))) is None:
        return joined(outside(text, "; "), "；") or searched_for(text)
    return filled(template, values(text))


def outside(text, separator):
    """The text split at a separator, save within brackets."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[(\[]|[)\]]|{separator}", text):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth -= 1
        elif depth == 0:
            parts.append(text[start:match.start()])
            start = match.end()
    return [*parts, text[start:]]


def joined(parts, between):
    """The parts in Chinese, if there are several and each has some."""
    if len(parts) == 1:
        return None
    found = [chinese(part) for part in parts]
    if None in found:
        return None
    is_long = any("（" in part or "、" in part or len(part) > LONG for part in found)
    return ("，" if between == "、" and is_long else between).join(found)


def ended(text):
    """Without the mark at its end, or those around it."""
    for mark, other in MARKS.items():
        if text.startswith(mark) and (found := chinese(text[len(mark):])) is not None:
            return other + found
    if text.startswith("(") and text.endswith(")") and outside(text[1:-1], "$")[0] == text[1:-1]:
        if (found := chinese(text[1:-1])) is not None:
            return f"（{found}）"
    if text[-1:] in ENDS and (found := chinese(text[:-1])) is not None:
        return found + ENDS[text[-1]]
    return None


def faults(text):
    """The Chinese of names of faults, "crash + lose_reply and pause"; of anything else None."""
    known = GLOSSARY["faults"]
    sets = [one.split(" + ") for one in outside(text, ITEMS)]
    if not all(name in known for one in sets for name in one):
        return None
    return "、".join(" + ".join(known[name] for name in one) for one in sets)


def shortened(text):
    """Of a text that was cut at its end, the whole one, if no other begins so."""
    found = {chinese_ for key, chinese_ in whole().items() if key.startswith(text[:-1])}
    return found.pop() if text.endswith("…") and len(text) > 20 and len(found) == 1 else None


@functools.lru_cache(maxsize=100_000)
def chinese(text):
    """The Chinese of a text in which each name of code is one character; None if it has none."""
    text = tidy(text)
    if re.fullmatch(HOLES["code"], text):
        return said("code", text)
    if found := faults(text) or ENDS.get(text) or entry(text):
        return found
    if is_name(text) or re.search("[\u4e00-\u9fff]", text):
        mark = next(filter(text.startswith, MARKS), "")
        return MARKS.get(mark, "") + said("code", text[len(mark):])
    return (joined(SENTENCES.split(text), "") or ended(text) or shortened(text)
            or joined(outside(text, ITEMS), "、"))


def missed(text):
    """The keys of those sentences of a text that have no Chinese."""
    return [msgid(part) for part in SENTENCES.split(tidy(text)) if chinese(part) is None]
