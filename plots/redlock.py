"""Redlock and its forms, which are in no matrix: what breaks them, and the argument about them of
2016, claim by claim. The claims are those of argument_claims.json, in our words; `shown_by`,
`refuted_by` and `wrong` are as in claims.py.
"""

import json
from dataclasses import replace
from pathlib import Path

import claims
import matrix
import words
from answer import main_world
from answer_cells import broken_by_all, faced, withstood

FILE = Path(__file__).parent / "argument_claims.json"
ON_ONE = "set_nx_lua"
"""The lock on one server that Redlock is set beside: both release with their token."""


def known():
    """{"authors": {key: its text}, "claims": [...]}"""
    return json.loads(FILE.read_text(encoding="utf-8"))


def is_told(run):
    """Whether the page has this part."""
    return run.others is not None and bool(run.others.races or run.others.cells)


def played(run):
    """The run with all its races, those of Redlock too."""
    return replace(run, races=[*run.races, *(run.others.races if run.others else [])])


def by_author(run):
    """[(author, [claim])] of the claims of which a race was played, in the order of the file."""
    facts, everything = known(), played(run)
    table = []
    for key, author in facts["authors"].items():
        found = [claim for claim in facts["claims"]
                 if claim["by"] == key and claims.races_of(everything, claim)]
        if found:
            table.append((author, found))
    return table


def intro(run):
    """How many claims there are, and how many of each verdict."""
    everything = played(run)
    found = [claims.verdict(everything, claim) for _, rows in by_author(run) for claim in rows]
    return (f"{words.plural(len(found), 'claim')} of both sides and of the page that describes"
            f" Redlock, each played step by step: {claims.tally(found)}.")


def hazards(run):
    """The faults that some form was run under, in the order of the table of faults."""
    had = {hazard for _, _, hazard in run.others.cells}
    return [row for row in run.hazards if row["name"] in had]


def squares(run):
    """[(algorithm row, [Square of each of hazards()])]"""
    return [(row, [matrix.square(run.others, "sim", row["name"], hazard)
                   for hazard in hazards(run)]) for row in run.others.algorithms
            if any(name == row["name"] for _, name, _ in run.others.cells)]


def beside_one(run):
    """What broke redlock, and what it withstood that breaks the lock on one server; "" where one of
    them was not run."""
    main = main_world(run)
    if run.others is None or main is None:
        return ""
    several, one = ({cell["hazard"]: withstood(cell) for cell in faced(*where)} for where in (
        (run.others, "sim", "redlock"), (run, main, ON_ONE)))
    broke = [h["name"] for h in run.hazards if several.get(h["name"]) is False]
    lost = [name for name, held in one.items() if not held]
    if not broke or not lost:
        return ""
    every = [name for name in broke if name in broken_by_all(run, main)]
    better = [name for name in lost if several.get(name)]
    other = [name for name in lost if name not in several]
    found = f"`redlock` on three servers broke here under {words.names(broke)}"
    found += f"; every lease broke under {words.names(every)}." if every else "."
    found += (f" It withstood {words.names(better)}, which broke `{ON_ONE}` on one server."
              if better else f" It withstood nothing that broke `{ON_ONE}` on one server.")
    return found + (f" It was not put to {words.names(other)}, which broke `{ON_ONE}`."
                    if other else "")


def table_md(run):
    """The same as a Markdown table."""
    heads = [hazard["name"].replace("_", "<br>") for hazard in hazards(run)]
    rows = [[f"`{row['name']}`", *map(matrix.square_md, found)] for row, found in squares(run)]
    return matrix.table_md(["form", *heads], rows)
