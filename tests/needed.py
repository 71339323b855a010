#!/usr/bin/env python3
"""Prints the CMake targets that a call of ctest needs, so that one test builds no other's program.

    needed.py TESTS_TXT [CTEST_ARGUMENT...]

TESTS_TXT is what CMake writes: a line `TARGET|LABELS|SOURCES` for each test program or script. Looked
at are -R and -L. What a name's parameter is, behind its last `/`, only the built program knows. A
pattern that has no capital and is in no script's name may be one: then all that have any are built.
"""

import re
import sys
from pathlib import Path

NAMED = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+),\s*(\w+)\)", re.M)
PARAMETERS = re.compile(r"^INSTANTIATE_TEST_SUITE_P\((\w*),\s*(\w+)", re.M)


def option(arguments, short, long):
    """The value of an option in any of the forms that ctest takes; nothing: it is not there."""
    for argument, following in zip(arguments, [*arguments[1:], ""]):
        if argument in (short, long):
            return following
        if argument.startswith(f"{long}="):
            return argument.partition("=")[2]
        if argument.startswith(short) and not argument.startswith("--") and len(argument) > 2:
            return argument[len(short):]
    return None


def names_in(target, sources):
    """Names of tests, as far as the sources tell: of those with parameters, what is before them."""
    text = "".join(s.read_text(encoding="utf-8") for s in sources if s.suffix == ".cpp")
    names = {target, *(f"{suite}.{name}" for suite, name in NAMED.findall(text))}
    for prefix, suite in PARAMETERS.findall(text):
        names |= {f"{prefix}/{name}/".lstrip("/")
                  for name in list(names) if name.startswith(f"{suite}.")}
    return names


def matches(pattern, name, is_script):
    if re.search(pattern, name):
        return True
    if not name.endswith("/"):
        return False
    before = pattern.rpartition("/")[0]
    return bool(re.search(before, name)) if before else not (is_script or re.search("[A-Z]", pattern))


def needed(rows, arguments):
    pattern = option(arguments, "-R", "--tests-regex")
    label = option(arguments, "-L", "--label-regex")
    if pattern is None and label is None:
        return ["all"]
    is_script = any(re.search(pattern or "$^", row.partition("|")[0]) for row in rows)
    targets = set()
    for row in rows:
        target, labels, sources = row.split("|")
        paths = [Path(source) for source in sources.split(";")]
        if label is not None and not any(re.search(label, one) for one in labels.split(",")):
            continue
        if pattern is not None and not any(
                matches(pattern, name, is_script) for name in names_in(target, paths)):
            continue
        if paths[0].suffix == ".cpp":
            targets.add(target)
        elif paths[-1].name == "locklab":
            targets.add("locklab")
    return sorted(targets)


if __name__ == "__main__":
    print(*needed(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines(), sys.argv[2:]))
