"""Mutants as they are written down: one file of entries for each source that is mutated."""

import dataclasses
import functools
import hashlib
import os
import re
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parent.parent
KEYS = ("tests", "build", "killer", "alone")


class Wrong(Exception):
    """Says in one sentence what is wrong with an entry, or that its mutant lives."""


@dataclasses.dataclass(eq=False)
class Entry:
    """One seeded bug. README.md says what each line of it means."""

    name: str
    source: str  # a path from the top of the project
    wrong: str = ""
    old: str = ""
    new: str = ""
    tests: str = ""
    build: str = ""
    killer: str = ""
    alone: str = ""

    @property
    def number(self):
        """What switches it on. It follows from the name, so that a new entry changes no other."""
        return zlib.crc32(self.name.encode()) or 1

    @property
    def targets(self):
        return set(self.build.split())

    def place(self, text):
        """Where `old` begins in `text`. It must stand there once, in whole lines."""
        places = [match.start() for match in
                  re.finditer(f"(?=\n{re.escape(self.old)})", f"\n{text}")]
        if len(places) != 1:
            raise Wrong(f"{self.name} replaces what stands {len(places)} times in {self.source}, "
                        "not once")
        return places[0]

    def change(self, text):
        """The least that it changes: the text between the two places is replaced by the third."""
        place, same, alike = self.place(text), 0, 0
        least = min(len(self.old), len(self.new))
        while same < least and self.old[same] == self.new[same]:
            same += 1
        while alike < least - same and self.old[-1 - alike] == self.new[-1 - alike]:
            alike += 1
        return (place + same, place + len(self.old) - alike,
                self.new[same:len(self.new) - alike])

    def apply(self, text):
        """`text` with the bug in it."""
        begin, end, new = self.change(text)
        return text[:begin] + new + text[end:]

    def digest(self):
        """Of all that it says, but for the killer that a run found."""
        said = (self.name, self.source, self.old, self.new, self.tests, self.build, self.alone)
        return hashlib.sha256("\0".join(said).encode()).hexdigest()


def source_of(path):
    """tests/mutants/check/x.cpp.mutants is about harness/check/x.cpp; algorithms/ is at the top."""
    about = path.relative_to(HERE).with_suffix("").as_posix()
    return about if (HOME / about).is_file() else f"harness/{about}"


@functools.cache
def text_of(source):
    """A source as it is in this clone."""
    try:
        return (HOME / source).read_text(encoding="utf-8")
    except OSError:
        raise Wrong(f"there is no {source}, of which a file of mutants tells") from None


def parse(text, source, path):
    """The entries of a file of mutants. `path` is for the sentence that says what is wrong."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        key, _, rest = line.partition(" ")
        if key == "==":
            entries.append(Entry(rest.strip(), source))
        elif not line.strip():
            continue
        elif not entries:
            raise Wrong(f"{path}:{number}: a file of mutants begins with '== NAME'")
        elif key == "#":
            entries[-1].wrong = rest
        elif key in ("-", "+"):
            side = "old" if key == "-" else "new"
            setattr(entries[-1], side, getattr(entries[-1], side) + rest + "\n")
        elif key[:-1] in KEYS and key[-1] == ":":
            setattr(entries[-1], key[:-1], rest.strip())
        else:
            raise Wrong(f"{path}:{number}: '{line}' is not a line of a mutant")
    for entry in entries:
        if not (entry.wrong and entry.old and entry.tests and entry.build):
            raise Wrong(f"{path}: {entry.name} lacks a line; README.md says which there are")
        try:
            re.compile(entry.tests)
        except re.error as error:
            raise Wrong(f"{path}: the tests of {entry.name} are no regular expression: {error}"
                        ) from None
    return entries


def read_all():
    """Every entry, ordered by source and then as written."""
    paths = sorted(HERE.rglob("*.mutants"))
    entries = [entry for path in paths for entry in
               parse(path.read_text(encoding="utf-8"), source_of(path), path.relative_to(HOME))]
    names, numbers = {}, {}
    for entry in entries:
        if names.setdefault(entry.name, entry) is not entry:
            raise Wrong(f"two mutants have the name {entry.name}")
        if numbers.setdefault(entry.number, entry) is not entry:
            raise Wrong(f"{entry.name} and {numbers[entry.number].name} have the same number; "
                        "give one of them another name")
    return entries


def with_killer(text, name, killer):
    """A file of mutants in which the entry `name` names `killer`."""
    lines, at = text.splitlines(), None
    begin = lines.index(f"== {name}")
    end = next((k for k in range(begin + 1, len(lines)) if lines[k].startswith("== ")), len(lines))
    for k in range(begin, end):
        if lines[k].startswith("killer:"):
            lines[k] = f"killer: {killer}"
            return "\n".join(lines) + "\n"
        at = k if lines[k].strip() else at
    lines.insert(at + 1, f"killer: {killer}")
    return "\n".join(lines) + "\n"


def write_killer(entry, killer):
    """Keeps the entry's line up to date, whole even where this program is ended meanwhile."""
    path = HERE / (entry.source.removeprefix("harness/") + ".mutants")
    replace(path, with_killer(path.read_text(encoding="utf-8"), entry.name, killer))
    entry.killer = killer


def replace(path, text):
    """Writes a file in one step."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
