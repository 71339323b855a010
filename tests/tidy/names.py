"""How tests are called, and that no two types have one name."""

import re

from source import Finding, lines_of

TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(?P<suite>\w+),\s*(?P<name>\w+)\s*\)")
PYTHON_TEST = re.compile(r"\bdef (?P<name>test\w*)\(")
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{")
TYPE = re.compile(r"(?:struct|class|union|enum class) (\w+)\b(?!::)[^;<]*$")


def in_small_letters(name):
    return re.sub(r"(?<=[^_])(?=[A-Z])", "_", name).lower()


def in_capitals(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def check_test_names(source):
    """GoogleTest's: a suite is a noun, LikeThis, and a test is what it says of it, like_this.
    Python's by the name of their method."""
    if not source.path.startswith("tests/"):
        return
    for match in (TEST if source.is_cpp else PYTHON_TEST).finditer(source.code):
        rights = {match["name"]: in_small_letters(match["name"])}
        if source.is_cpp:
            rights[match["suite"]] = in_capitals(match["suite"])
        for name, right in rights.items():
            if name != right:
                yield Finding(source.path, source.code.count("\n", 0, match.start()) + 1,
                              f"calls a test {name}", f"call it {right}")


def types_of(source):
    """("locklab::event::Wants", the line where it is defined) of each type outside of others."""
    blocks = []  # what each open brace opened: a namespace's name, or None
    for number, line in enumerate(lines_of(source.code), 1):
        outside = None not in blocks
        if outside and (space := NAMESPACE.match(line)):
            blocks.append(space[1] or source.path)
            continue
        if outside and (found := TYPE.match(line)):
            yield "::".join([*blocks, found[1]]), number
        for brace in re.findall(r"[{}]", line):
            if brace == "{":
                blocks.append(None)
            elif blocks:
                blocks.pop()


def check_types(sources):
    """No two files define a type of one name in one namespace: the linker would take the destructor
    of one for the other's, and say nothing. What is in a nameless namespace is its file's own."""
    defined = {}
    for source in sources.values():
        for name, line in types_of(source) if source.is_cpp else ():
            other = defined.setdefault(name, source.path)
            if other != source.path:
                yield Finding(source.path, line, f"defines {name}, as {other} does",
                              "give it a name of its own")
