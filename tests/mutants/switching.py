"""All mutants of a source in one text, each behind its number.

A function that an entry changes gets its body once for each of these entries, and last as it is:

    int f() { if (planted(17u)) { return 1; } else if (planted(18u)) { return 2; } else { ... } }

So entries may change the same lines, and whatever stands in a function may be changed.
"""

import dataclasses
import re

import cpp_text
from entries import Wrong, text_of

VARIABLE = "LOCKLAB_PLANTED"
HEADER = "harness/planted.h"
# The number is read before any other constructor runs. Of a constant no mutant is chosen. Its name
# is that of a constant, for algorithms may keep nothing else outside of a lock (its_own.py).
HEADER_TEXT = f"""#pragma once

#include <cstdlib>
#include <type_traits>

namespace locklab_planted {{

inline unsigned long kNumber = 0;

[[gnu::constructor(101)]] inline void read_number() {{
    const char* said = std::getenv("{VARIABLE}");
    if (said != nullptr) kNumber = std::strtoul(said, nullptr, 10);
}}

inline bool is(unsigned long mutant) {{ return kNumber == mutant; }}

}}  // namespace locklab_planted

namespace locklab {{

constexpr bool planted(unsigned long mutant) {{
    return std::is_constant_evaluated() ? false : locklab_planted::is(mutant);
}}

}}  // namespace locklab
"""
INCLUDE = f'#include "{HEADER}"\n'
PLACE = re.compile(
    r"(?P<file>[^\s:]+):(?P<line>\d+):\d+:(?P<error> (?:fatal )?error: )?(?P<what>.*)")


@dataclasses.dataclass
class Switched:
    """A source with all of its switches, and the lines that each entry has in it."""

    text: str
    spans: list  # (first line, last line, entry)

    def at(self, line):
        """The entry that line `line` comes from, if it comes from one."""
        return next((entry for first, last, entry in self.spans if first <= line <= last), None)


def function_of(entry, text, found):
    """The function, of those `found` in `text`, in whose body the entry changes something."""
    begin, end, _ = entry.change(text)
    return next((one for one in found if one.begin < begin and end < one.end), None)


def why_alone(entry):
    """Why the entry cannot be a switch; "" where it can."""
    if entry.alone:
        return entry.alone
    if not entry.source.endswith((".cpp", ".h")):
        return "its source is not C++"
    text = text_of(entry.source)
    if function_of(entry, text, found_in(text)) is None:
        return "it changes something outside the bodies of functions"
    return ""


def found_in(text, cache={}):  # one list for all entries of a source
    if text not in cache:
        cache[text] = cpp_text.functions(text)
    return cache[text]


def expect_whole(entry):
    """With the entry in it, its source must have the same functions as without."""
    text = text_of(entry.source)
    before = [one.head for one in found_in(text)]
    try:
        after = [one.head for one in cpp_text.functions(entry.apply(text))]
    except ValueError as error:
        raise Wrong(f"{entry.name} leaves {error} in {entry.source}") from None
    if before != after:
        raise Wrong(f"{entry.name} ends a function of {entry.source} elsewhere: look at its braces")


def switch(text, entries):
    """`text` with each of the entries behind its number. All must be in bodies of functions."""
    found = cpp_text.functions(text)
    bodies = {}
    for entry in entries:
        one = function_of(entry, text, found)
        begin, end, new = entry.change(text)
        bodies.setdefault(one.begin, (one, []))[1].append(
            (entry, text[one.begin:begin] + new + text[end:one.end]))
    parts, spans, line, at = [INCLUDE], [], 2, 0

    def put(part):
        nonlocal line
        parts.append(part)
        line += part.count("\n")

    for _, (one, changed) in sorted(bodies.items()):
        put(text[at:one.begin] + "{\n")
        for entry, body in changed:
            first = line
            put(f"if (::locklab::planted({entry.number}u)) /* {entry.name} */ {body} else\n")
            spans.append((first, line - 1, entry))
        put(text[one.begin:one.end] + "}")
        at = one.end
    put(text[at:])
    return Switched("".join(parts), spans)


def at_fault(log, path_of, switched):
    """The entries that a compiler's log complains of, each with what it says of it.

    `path_of` turns a name of the log into a path from the top, `switched` has a Switched for each.
    """
    errors, places = {}, {}
    for match in PLACE.finditer(log):
        one = switched.get(path_of(match["file"]))
        entry = one and one.at(int(match["line"]))
        if entry:
            (errors if match["error"] else places).setdefault(entry, match["what"].strip())
    return errors or places
