"""Which mutants were killed, remembered by what was read then: source, entry and killer."""

import functools
import hashlib
import json
import re

from entries import HOME, replace, text_of

TESTS = HOME / "tests"
NAMED = re.compile(r"\b(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)")
# Prefix/Suite.name/parameter, Suite/type.name: what stands in the source are Suite and name.
KILLER = re.compile(r"(?:.*/)?([A-Za-z_]\w*)(?:/\d+)?\.(\w+)")
INCLUDED = re.compile(r'^\s*#include "(tests/[^"]+)"', re.MULTILINE)
DIRECTIVE = re.compile(r"^\s*#.*$", re.MULTILINE)
QUOTED = re.compile(r'"/?([\w.-]+(?:/[\w.-]+)+)/?"')


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        whole.update(f"{len(data)}:".encode() + data)
    return whole.hexdigest()


@functools.cache
def defined_in():
    """The file of each test, by suite and name."""
    return {match.groups(): path for path in sorted(TESTS.rglob("*.cpp"))
            for match in NAMED.finditer(path.read_text(encoding="utf-8"))}


def named_in(text):
    """The files that a test reads as it says: helpers, and data by a path in quotes."""
    for name in INCLUDED.findall(text):
        yield HOME / name
        yield (HOME / name).with_suffix(".cpp")
    for name in QUOTED.findall(DIRECTIVE.sub("", text)):
        path = HOME / name
        yield from sorted(path.rglob("*")) if path.is_dir() else [path]


def closure(killer):
    """The files that a killer is made of; all below tests/ where it is not seen which."""
    match = KILLER.match(killer)
    first = match and defined_in().get(match.groups())
    if not first:
        return sorted(path for path in TESTS.rglob("*") if path.suffix in (".cpp", ".h", ".py"))
    files, left = set(), [first]
    while left:
        path = left.pop()
        if path in files or not path.is_file():
            continue
        files.add(path)
        if path.suffix in (".cpp", ".h"):
            left.extend(named_in(path.read_text(encoding="utf-8")))
    return sorted(files)


@functools.cache
def digest_of(killer):
    files = closure(killer)
    return digest(killer, *(part for path in files
                            for part in (path.relative_to(HOME).as_posix(), path.read_bytes())))


class Memory:
    """Lies in one file, which is written at each kill, so that an ended run is taken up again."""

    def __init__(self, path):
        self.path = path
        try:
            self.kept = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # then nothing is remembered
            self.kept = {}

    def now(self, entry):
        return digest(text_of(entry.source), entry.digest(), digest_of(entry.killer))

    def knows(self, entry):
        return bool(entry.killer) and self.kept.get(entry.name) == self.now(entry)

    def keep(self, entry):
        self.kept[entry.name] = self.now(entry)
        self.write()

    def forget(self, entries):
        for entry in entries:
            self.kept.pop(entry.name, None)
        self.write()

    def write(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace(self.path, json.dumps(self.kept, indent=0, sort_keys=True))
