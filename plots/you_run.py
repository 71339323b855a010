"""You run X: for each library that was run one line, with what broke it beyond what breaks every
lease, what was not seen and with which bound, and the settings to change. Its modes share a line.

What was seen is the run's; the settings are those of libraries.json.
"""

from dataclasses import dataclass

import fault_words
import libraries
import library_table
import words

BROKEN = "Broken by {}."
OF_MODE = "{}: {}"
ONLY_LEASES = "Only by what any lease breaks under."
NOTHING = "Not seen broken."
NO_VERDICT = "No verdict."
STUCK = " (stuck for ever)"
UNKNOWN = "Not known under {}."
MOST_NAMED = 5
"""Sets of faults; more are counted, and named where the line is opened."""
NOT_SEEN = "Nothing seen under {}, up to {} each."
INTRO = ("{} in {} were run as they come, on a real redis-server. Each line names what broke one"
         " beyond what any lease breaks under, and which of its settings to change; open it for"
         " what to do. “Nothing seen” is no proof: beside it stands in how many runs it may still"
         " go wrong (95\u00a0%).")
SECOND = "Or take an algorithm"
NEWS = "{} broke under {}, which a lease can survive."
CALM = ("Nothing was seen under {}. In each, something may still go wrong in up to {} of runs"
        " (95\u00a0%).")
LEASE = "As any lease does, it broke under {}."
NOT_KNOWN = "{}: not known under {}."
DEFECT = "Shown by a script: {}"
MEASURED = "Measured on {}, version {}, in {}."
PLAIN = "default"
STUBS = "Not wholly as it comes: the driver replaces {}."
NO_SETTINGS = "No settings of it are known here."


LABELS = {
    "find": "You run", "like": "redisson, redis-py, redlock …", "library": "Library",
    "measured": "Measured", "change": "Change", "cells": "Every cell:",
    "docs": "Its documentation.", "not_run": "Not run here:", "are_like": "what they are like",
    "own": "A lock of your own"}


@dataclass(frozen=True)
class Line:
    """One library with all its modes."""

    anchor: str
    title: str
    version: str
    language: str
    date: str
    verdict: str
    is_broken: bool
    open_: str       # what was not seen, and what is not known
    told: list       # sentences
    settings: list   # [(name, what to do)]
    docs: str
    modes: list      # [(title, anchor of its rows in the table)]
    called: str      # other names, by which it is found


def folder(row):
    """The modes of a library share its folder: redis-py of redis-py:asyncio."""
    return row["name"].partition(":")[0]


def libraries_of(run):
    """{folder: its rows} of libraries that have cells."""
    found = {}
    for row, _ in library_table.rows(run):
        found.setdefault(folder(row), []).append(row)
    return found


def title_words(row):
    """Words of a title, without the comma behind one."""
    return [word.rstrip(",") for word in row["library"].split()]


def shared(rows):
    """With how many words all titles begin."""
    first, *rest = map(title_words, rows)
    same = 0
    while same < len(first) and all(t[same:same + 1] == [first[same]] for t in rest):
        same += 1
    return same


def title(rows):
    """redlock of redlock using() and redlock acquire()."""
    return " ".join(title_words(rows[0])[:shared(rows)]) if len(rows) > 1 and shared(rows) else (
        rows[0]["library"])


def by_title(rows):
    return title(rows).casefold().lstrip("@"), rows[0]["version"]


def mode(rows, row):
    """using() of redlock using(), where there are others; plain, if its title adds nothing."""
    if len(rows) == 1 or not shared(rows):
        return row["library"]
    return " ".join(title_words(row)[shared(rows):]) or PLAIN


def faults_of(row, picked):
    """In words, the sets of faults of some cells, with what is no overlap."""
    return [fault_words.of_set(cell["faults"]) + (STUCK if cell["verdict"] == "stuck" else "")
            for cell in row["cells"] if picked(cell)]


def is_clean(cell):
    return cell["verdict"] in ("holds", "not seen")


def is_lease(cell):
    """Broken, and by what breaks every lease."""
    return library_table.mark(cell) == "x"


def by_faults(rows, picked):
    """[(modes, sets of faults)]: modes with the same sets together, without those with none."""
    found = {}
    for row in rows:
        if sets := tuple(faults_of(row, picked)):
            found.setdefault(sets, []).append(mode(rows, row))
    return [(modes, sets) for sets, modes in found.items()]


def by_mode(rows, picked, text):
    """late reply; or using(): lost reply; acquire(): late reply."""
    groups = by_faults(rows, picked)
    if len(groups) == 1 and len(groups[0][0]) == len(rows):
        return text.format(words.listing(groups[0][1]))
    return text.format("; ".join(OF_MODE.format(words.names(modes), words.listing(sets))
                                 for modes, sets in groups))


def verdict(rows):
    """What broke it that does not break every lease."""
    cells = [cell for row in rows for cell in row["cells"]]
    if any(cell["news"] for cell in cells):
        return by_mode(rows, lambda cell: cell["news"], BROKEN)
    if any(map(is_lease, cells)):
        return ONLY_LEASES
    return NOTHING if any(map(is_clean, cells)) else NO_VERDICT


def unseen(rows):
    """(sets of faults under which no mode broke, greatest share of runs that this leaves open)"""
    cells = [cell for row in rows for cell in row["cells"]]
    sets = [faults for faults in dict.fromkeys(cell["faults"] for cell in cells)
            if all(is_clean(cell) for cell in cells if cell["faults"] == faults)]
    return sets, max((cell["goes_wrong_at_most"] for cell in cells if cell["faults"] in sets),
                     default=1)


def percent(share):
    return words.together(f"{100 * share:.2g} %")


def counted(sets):
    """7 faults; 9 faults and pairs"""
    found = [faults for faults in sets if faults != "none"]
    pairs = any("," in faults for faults in found)
    kinds = ("fault or pair", "faults and pairs") if pairs else ("fault",)
    return words.plural(len(found), *kinds)


def left_open(rows):
    """Nothing seen under 7 faults, up to 3.7 % each. Not known under late reply."""
    sets, share = unseen(rows)
    unknown = {cell["faults"]: None for row in rows for cell in row["cells"]
               if cell["verdict"] == "unknown"}
    parts = [NOT_SEEN.format(counted(sets), percent(share))] * bool(sets)
    named = fault_words.listed(unknown) if len(unknown) <= MOST_NAMED else counted(unknown)
    return " ".join(parts + [UNKNOWN.format(named)] * bool(unknown))


def told(rows):
    """Sentences, when the line is opened."""
    lines = []
    for modes, sets in by_faults(rows, lambda cell: cell["news"]):
        lines.append(NEWS.format(words.names(modes), words.listing(sets)))
    sets, share = unseen(rows)
    if sets:
        lines.append(CALM.format(fault_words.listed(sets), percent(share)))
    for modes, sets in by_faults(rows, lambda cell: cell["verdict"] == "unknown"):
        lines.append(NOT_KNOWN.format(words.names(modes), words.listing(sets)))
    if sets := dict.fromkeys(f for row in rows for f in faults_of(row, is_lease)):
        lines.append(LEASE.format(words.listing(sets)))
    for defect in (one for row in rows for one in row.get("defects") or []):
        lines.append(DEFECT.format(library_table.told_first(defect)[0]))
    return lines + stubs(rows) + [measured(rows)]


def stubs(rows):
    """What of the library its driver replaced, as its manifest says."""
    path = libraries.DRIVERS / folder(rows[0]) / "manifest.json"
    found = libraries.manifest(folder(rows[0])) if path.is_file() else {}
    replaced = found.get("stubs") if found.get("version") == rows[0]["version"] else None
    return [STUBS.format(words.listing(replaced))] if replaced else []


def measured(rows):
    """Measured on 2026-11-27, version 8.1.0, in virtual time."""
    cells = [cell for row in rows for cell in row["cells"]]
    worlds = [said for world, said in (("virtual", "virtual time"), ("live", "real time"))
              if any(cell["world"] == world for cell in cells)]
    return MEASURED.format(words.listing(sorted({cell["date"] for cell in cells})),
                           rows[0]["version"], words.listing(worlds))


def called(name):
    """Its folder, and the words of its entries."""
    return " ".join([name, *(word for item in libraries.known() if item.get(
        "driver", "").partition(":")[0] == name for word in item["words"])])


def settings(name):
    """[(option, what to do)] of a library's folder."""
    return [tuple(one) for item in libraries.known() if item.get("driver", "").partition(":")[0]
            == name for one in item.get("settings", [])]


def lines(run):
    """The Lines, by title."""
    anchors = {row["name"]: f"ran-{index}" for index, (row, _) in enumerate(
        library_table.rows(run), 1)}
    return [Line(f"run-{name}", title(rows), rows[0]["version"], rows[0]["language"],
                 max(cell["date"] for row in rows for cell in row["cells"]), verdict(rows),
                 any(cell["news"] for row in rows for cell in row["cells"]), left_open(rows),
                 told(rows), settings(name), rows[0].get("documentation", ""),
                 [(mode(rows, row), anchors[row["name"]]) for row in rows], called(name))
            for name, rows in sorted(libraries_of(run).items(), key=lambda one: by_title(one[1]))]


def intro(run):
    """How many libraries and modes were run."""
    found = libraries_of(run)
    modes = sum(map(len, found.values()))
    return INTRO.format(words.plural(len(found), "library", "libraries"),
                        words.plural(modes, "mode"))


def not_run(run):
    """Names of the libraries that are known here and were not run."""
    ran = libraries_of(run)
    return list(dict.fromkeys(item["name"] for item in libraries.known()
                              if item.get("driver", "").partition(":")[0] not in ran))
