"""The files of the project as the rules of this folder see them, and what a rule says of one."""

import dataclasses
import functools
import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
FOLDERS = ("algorithms", "harness", "plots", "results", "scenarios", "tests")
TOP_FILES = ("CMakeLists.txt", "CONTRIBUTING.md", "README.md", "docker-compose.yml", ".ci/run",
             ".ci/tidy", "locklab")
ENDINGS = {".h", ".cpp", ".txt", ".py", ".md", ".yml", ".yaml", ".sh"}

PARTS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<open>R"(?P<mark>[^\s()\\]*)\()(?P<raw>.*?)(?P<close>\)(?P=mark)")"""
    r"""|(?P<quote>"|(?<![0-9a-fA-F])')(?P<text>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)""", re.S)


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def blanked(text, comments):
    """C++ without what is in literals, and without comments; lines and columns stay."""
    def part(match):
        if match["comment"] is not None:
            return blank(match[0]) if comments else match[0]
        if match["open"] is not None:
            return match["open"] + blank(match["raw"]) + match["close"]
        return match["quote"] + blank(match["text"]) + match["quote"]
    return PARTS.sub(part, text)


@dataclasses.dataclass(frozen=True)
class Source:
    path: str  # from the top of the project, with slashes
    text: str = ""

    name = functools.cached_property(lambda self: PurePosixPath(self.path).name)
    stem = functools.cached_property(lambda self: self.name.rpartition(".")[0] or self.name)
    folder = functools.cached_property(lambda self: self.path.rpartition("/")[0])
    lines = functools.cached_property(lambda self: lines_of(self.text))
    is_cpp = functools.cached_property(lambda self: self.path.endswith((".h", ".cpp")))
    is_cmake = functools.cached_property(lambda self: self.name == "CMakeLists.txt")

    @functools.cached_property
    def room(self):
        """"core" for harness/core/x.h; "algorithms", "plots", "tests", ... by their folder."""
        return room_of(self.path)

    @functools.cached_property
    def without_literals(self):
        return blanked(self.text, comments=False) if self.is_cpp else self.text

    @functools.cached_property
    def code(self):
        """Of C++ without literals and comments. Of CMake without comments. Of others all."""
        if self.is_cpp:
            return blanked(self.text, comments=True)
        return re.sub(r"#.*", "", self.text) if self.is_cmake else self.text


class Finding(NamedTuple):
    path: str
    line: int
    wrong: str
    right: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.wrong}; {self.right}"


def room_of(path):
    return path.removeprefix("harness/").rpartition("/")[0].partition("/")[0]


def lines_of(text):
    return text.removesuffix("\n").split("\n") if text else []


def words_of(text):
    return re.findall(r"[\w./:-]+", text, re.ASCII)


def read_project():
    """Every text file that is ours to keep tidy, sorted by path."""
    files = [TOP / file for file in TOP_FILES if (TOP / file).exists()]
    for folder in FOLDERS:
        files += [file for file in (TOP / folder).rglob("*")
                  if file.suffix in ENDINGS and file.is_file()]
    return [Source(file.relative_to(TOP).as_posix(), file.read_text(encoding="utf-8"))
            for file in sorted(files)]
