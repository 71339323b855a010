"""Tables of cost, and the forms of what stands in their cells.

Text has names of code in `backquotes`. A cell is text; what follows a line break in it is said
more quietly.
"""

from dataclasses import dataclass

import bench
import words
from bench import value
from matrix import table_md

UNRESOLVED = "no difference resolved"
MANY = 8
"""A table of more columns than these is printed smaller."""


@dataclass(frozen=True)
class Table:
    """A table whose rows begin with a lock, or with other text where `of_locks` is false."""

    title: str
    heads: list                    # of all columns
    groups: list                   # [(heading or "", [[first column, cell, ...]])]
    caption: str = ""
    of_locks: bool = True
    folded: bool = False           # shown only when asked for

    @property
    def many(self):
        return len(self.heads) > MANY


def us(found):
    """A time in µs with its interval."""
    return words.NONE if found is None else signed(found)


def signed(found):
    """A figure that may be negative."""
    def one(number):
        return "−" + words.number(-number) if number < 0 else words.number(number)
    text = one(found["value"])
    dash = "–" if found["low"] is None or found["low"] >= 0 else " to "
    return text if found["low"] is None else (
        f"{text} ({one(found['low'])}{dash}{one(found['high'])})")


def spelt(found):
    """A ratio with its interval, to the thousandth: whether 1 is in it must be seen."""
    text = f"{found['value']:.{bench.DIGITS}f}"
    return text if found["low"] is None else (
        f"{text} ({found['low']:.{bench.DIGITS}f}–{found['high']:.{bench.DIGITS}f})")


def ratio(row):
    """The lock's pace over the floor's, with the words that its interval allows."""
    found = row["figures"].get("ratio_to_floor")
    if found is None:
        return words.NONE
    return spelt(found) + ("" if bench.resolved(found) else f"\n{UNRESOLVED}")


def beneath(text):
    """The same with its interval beneath, for a table that is wide."""
    return text.replace(" (", "\n(")


def plain(row, name):
    """A figure's median alone."""
    found = value(row, name)
    return words.NONE if found is None else words.number(found)


def tally(row, name):
    """A count, or a median of counts: 4, or 1.5."""
    found = value(row, name)
    return words.NONE if found is None else f"{found:g}"


def spell(row, name):
    """A median in µs with the unit that fits."""
    return words.duration(value(row, name))


def as_md(table):
    """A Table in Markdown; its groups become a first column's lines in bold."""
    rows = []
    for heading, lines in table.groups:
        if heading:
            rows.append([f"**{heading}**", *[""] * (len(table.heads) - 1)])
        for first, *cells in lines:
            rows.append([f"`{first}`" if table.of_locks else first, *(
                cell.replace("\n(", " (").replace("\n", ", ") for cell in cells)])
    return table_md([head.replace("\n", " ") for head in table.heads], rows,
                    range(1, len(table.heads)))
