"""Two rows of the table of libraries beside each other: two versions of one library, or any two."""

import json

import library_table as table
import words
from libraries import FILE

BROKEN = ("X", "x")
CLEAN = (".", "o")


def pairs(run):
    """[(row of the older version, row of the newer)] of those of which both ran with cells."""
    ran = {row["name"]: row for row in run.libraries if row.get("cells")}
    known = json.loads(FILE.read_text(encoding="utf-8"))["versions"]
    return [(ran[older], ran[newer]) for older, newer in known if older in ran and newer in ran]


def seen(cell):
    """What came of one cell: `violated, after 7 plays`."""
    if table.mark(cell) in BROKEN:
        return f"{cell['verdict']}, {table.amount(cell)}"
    return f"nothing seen in {table.runs_of(cell)}"


def compared(older, newer):
    """{what: [(faults, older cell, newer cell)]}, by what is broken; `not`: one is not known."""
    found = {"newly": [], "no more": [], "both": [], "neither": [], "not": []}
    of_newer = {cell["faults"]: cell for cell in newer["cells"]}
    for cell in older["cells"]:
        other = of_newer.get(cell["faults"])
        marks = table.mark(cell), table.mark(other)
        if not all(mark in BROKEN + CLEAN for mark in marks):
            what = "not"
        else:
            before, now = (mark in BROKEN for mark in marks)
            what = ("both" if before else "newly") if now else ("no more" if before else "neither")
        found[what].append((table.short(cell["faults"]), cell, other))
    return found


def title(older, newer):
    return f"From {table.title(older)} to {table.title(newer)}"


def changes(older, newer):
    """What broke, what breaks no more, and what stayed, a sentence each."""
    found = compared(older, newer)
    lines = [f"Under {faults}: {seen(cell)}; now {seen(other)}."
             for faults, cell, other in found["newly"] + found["no more"]]
    if not lines:
        lines.append("No verdict changed.")
    for what, said in (("both", "Broken in both"), ("neither", "Nothing was seen in either")):
        if found[what]:
            lines.append(f"{said}: {words.listing([faults for faults, *_ in found[what]])}.")
    if found["not"]:
        names = words.listing([faults for faults, *_ in found["not"]])
        lines.append(f"Not compared, since one of the two is not known: {names}.")
    return lines
