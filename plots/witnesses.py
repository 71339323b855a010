"""The searches' witnesses: for each lock, hazard and verdict the shortest, step by step. Such a
row has the same `steps`, `svg` and `mermaid` as a race."""

import picture
import shape as s
import words
from markupsafe import Markup
from race_shape import STEP, mermaid

WITNESSES = s.record({"witnesses": s.list_of(s.record({
    "algorithm": s.name, "hazard": s.name, "verdict": s.one_of("violated", "stuck"),
    "length": s.count, "clients": s.count, "cause": s.text, "replay": s.text,
    "steps": s.list_of(STEP), "svg": picture.svg, "mermaid": mermaid}))})
CALM = "contention"
"""The hazard of a witness in which nothing goes wrong but the lock."""


def anchor(row):
    return "-".join(("witness", row["algorithm"], row["hazard"], row["verdict"]))


def of_lock(run, algorithm):
    """The lock's witnesses, in the order of the hazards."""
    order = [hazard["name"] for hazard in run.hazards]
    rows = [row for row in run.witnesses if row["algorithm"] == algorithm]
    return sorted(rows, key=lambda row: order.index(row["hazard"]))


def of_cell(run, cell):
    """The witness of what a cell says, or None. A lock that breaks by itself, with no fault at all,
    has that witness under every hazard."""
    rows = {(row["hazard"], row["verdict"]): row for row in of_lock(run, cell["algorithm"])}
    return rows.get((cell["hazard"], cell["verdict"])) or rows.get((CALM, cell["verdict"]))


def cell_anchor(run, cell, otherwise):
    """Where a square of the matrix leads: to the witness, or else to the counts."""
    row = of_cell(run, cell)
    return anchor(row) if row else otherwise


def title(row):
    """`pause`: violated in 6 steps (expired while held). Steps are those that are told below; the
    search counts finer ones."""
    fault = "no fault at all" if row["hazard"] == CALM else f"one `{row['hazard']}`"
    cause = f" ({row['cause'].replace('_', ' ')})" if row["cause"] else ""
    return f"{fault}: {row['verdict']} in {words.plural(len(row['steps']), 'step')}{cause}"


def drawing(row):
    return Markup(picture.inline(row["svg"], anchor(row) + "-"))
