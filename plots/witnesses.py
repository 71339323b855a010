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
    """`pause`: violated in 7 steps (expired while held). Steps are the search's, as in the table of
    thresholds; below, some are told together."""
    fault = "no fault at all" if row["hazard"] == CALM else f"one `{row['hazard']}`"
    cause = f" ({row['cause'].replace('_', ' ')})" if row["cause"] else ""
    return f"{fault}: {row['verdict']} in {words.plural(row['length'], 'step')}{cause}"


def bounds(row):
    """What the search says of it, and how it is told."""
    told = len(row["steps"])
    lines = "" if told == row["length"] else (
        f" Below they are told in {words.plural(told, 'line')}.")
    return (f"Found by searching every schedule of {words.plural(row['clients'], 'client')}; none"
            f" within its bounds has fewer than {words.plural(row['length'], 'step')}.{lines}")


def drawing(row):
    return Markup(picture.inline(row["svg"], anchor(row) + "-"))
