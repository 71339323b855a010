"""What differs between two runs where nothing has to be estimated: verdicts, thresholds, races.

Each of these three takes two Runs, and returns the object that `compare.py --json` has of it.
Changes stand worst first.
"""

from collections import Counter

import load
from answer_cells import CLEAN
from threshold_shape import TIMES
from thresholds import contains, parsed

EVIDENCE = ("runs", "grants", "overlaps", "lost_updates", "fence_inversions", "stuck",
            "overlaps_per_1000_grants")
GRAVITY = {"holds": 0, "not seen": 0, "not_applicable": 0, "unknown": 1, "violated": 3, "stuck": 3}
GRAVITY_OF_SET = {"harmless": 0, "harmless_briefly": 1, "not_searched": 2, "unknown": 2,
                  "not_minimal": 3, "minimal": 4}
GRAVITY_OF_PLAY = {"harmless": 0, "no_verdict": 1, "waits": 1, "kept_out": 1, "foreign_key": 2,
                   "violated": 3, "stuck": 3}
NOT_AS_EXPECTED = 4
"""Graver than any sum: a play that came out as its file expects is a known evil."""
REACH = ("clients", "rounds", "attempts", "most_faults", "lengths")
BOUNDS = (*REACH, *TIMES)
WITNESS = ("verdict", "steps", "least_us", "least_steps")
CELL, PLAY = ("world", "algorithm", "hazard"), ("race", "algorithm", "world")


def worst_first(changes, gravity):
    """Sorted by how much graver B is than A; the order of the files where that is the same."""
    return sorted(changes, key=lambda c: gravity(c["a"]) - gravity(c["b"]))


def lacking(rows, others, key="name"):
    """The names of rows that the other run has not."""
    known = {row[key] for row in others}
    return [row[key] for row in rows if row[key] not in known]


def cells_alone(run, other):
    """What only one run has; the cells of a lock or hazard that is named here are not."""
    locks = lacking(run.algorithms, other.algorithms)
    hazards = lacking(run.hazards, other.hazards)
    cells = [{**dict(zip(CELL, key)), "verdict": cell["verdict"]}
             for key, cell in run.cells.items()
             if key not in other.cells and key[1] not in locks and key[2] not in hazards]
    return {"locks": locks, "hazards": hazards, "cells": cells}


def evidence(cell):
    """The verdict of a cell and what it rests on; a cell that was not run has no counts."""
    return {"verdict": cell["verdict"], **{key: cell[key] for key in EVIDENCE if key in cell}}


def differ(one, other):
    """Whether two verdicts are not the same. That runs were too few for `holds` is no change."""
    return one != other and not {one, other} <= set(CLEAN)


def verdicts(a, b):
    both = [key for key in a.cells if key in b.cells]
    changed = [{**dict(zip(CELL, key)), "a": evidence(a.cells[key]), "b": evidence(b.cells[key])}
               for key in both if differ(a.cells[key]["verdict"], b.cells[key]["verdict"])]
    return {"compared": len(both),
            "changed": worst_first(changed, lambda side: GRAVITY[side["verdict"]]),
            "only_a": cells_alone(a, b), "only_b": cells_alone(b, a)}


def searches(run):
    """{(algorithm, goal, reach): row}; none in a run without thresholds.json."""
    return {(row["algorithm"], row["goal"], tuple(row[key] for key in REACH)): row
            for row in run.thresholds or []}


def other_times(row, other):
    """{time: of the row} where a search that reaches as far had another."""
    return {key: row[key] for key in TIMES if other is not None and row[key] != other[key]}


def is_compared(row, other):
    return other is not None and not other_times(row, other)


def sets_of(row):
    """{set of faults, sorted: what the search says of it}."""
    # Older runs have no brief searches.
    found = {state: [tuple(sorted(parsed(text))) for text in row.get(state, [])]
             for state in ("harmless", "harmless_briefly", "unknown")}
    table = {faults: {"state": state} for state, sets in found.items() for faults in sets}
    for least in row["minimal"]:
        table[tuple(sorted(parsed(least["faults"])))] = {
            "state": "minimal", **{key: least[key] for key in WITNESS}}
    return table


def looked_up(sets, faults):
    """What a search says of a set, also of one that it does not list."""
    if faults in sets:
        return sets[faults]
    broken = any(found["state"] == "minimal" and contains(faults, part)
                 for part, found in sets.items())
    return {"state": "not_minimal" if broken else "not_searched"}


def is_news(a, b):
    """Whether a set has a line. That one with a part which breaks the lock is harmless no more,
    or is so again, follows from the line of that part."""
    states = (a["state"], b["state"])
    return a != b and ("minimal" in states or "not_minimal" not in states)


def as_text(faults):
    """("crash", "crash", "pause") -> crash=2,pause=1."""
    return ",".join(f"{name}={n}" for name, n in Counter(faults).items()) or "none"


def changed_sets(row_a, row_b):
    """The news between two searches with the same bounds."""
    sets_a, sets_b = sets_of(row_a), sets_of(row_b)
    search = {key: row_a[key] for key in ("algorithm", "goal", *BOUNDS)}
    found = []
    for faults in {**sets_a, **sets_b}:
        a, b = looked_up(sets_a, faults), looked_up(sets_b, faults)
        if is_news(a, b):
            found.append({**search, "faults": as_text(faults), "a": a, "b": b})
    return found


def searches_alone(mine, others):
    """[{reach, "searches"}] that the other run lacks, each with its times if these alone differ."""
    table = {}
    for key, row in mine.items():
        if not is_compared(row, others.get(key)):
            table.setdefault(key[2], []).append({
                "algorithm": key[0], "goal": key[1], **other_times(row, others.get(key))})
    return [{**dict(zip(REACH, reach)), "searches": found} for reach, found in table.items()]


def thresholds(a, b):
    """Only searches with equal bounds are compared: a proof is about its bounds alone."""
    mine, others = searches(a), searches(b)
    both = [key for key in mine if is_compared(mine[key], others.get(key))]
    changed = [change for key in both for change in changed_sets(mine[key], others[key])]
    return {"compared": len(both),
            "changed": worst_first(changed, lambda side: GRAVITY_OF_SET[side["state"]]),
            "only_a": searches_alone(mine, others), "only_b": searches_alone(others, mine)}


def plays(run):
    """{(race, algorithm, world): outcome}."""
    return {(race["name"], row["algorithm"], row["world"]):
            {key: row[key] for key in ("sum", "ok", "observed")}
            for race in run.races for row in race["outcomes"]}


def plays_alone(run, other):
    """What only one run has; the plays of a race that is named here are not."""
    names, others = lacking(run.races, other.races), plays(other)
    return {"races": names, "plays": [
        {**dict(zip(PLAY, key)), "sum": row["sum"]} for key, row in plays(run).items()
        if key not in others and key[0] not in names]}


def races(a, b):
    mine, others = plays(a), plays(b)
    both = [key for key in mine if key in others]
    changed = [{**dict(zip(PLAY, key)), "a": mine[key], "b": others[key]} for key in both
               if any(mine[key][what] != others[key][what] for what in ("sum", "ok"))]
    return {"compared": len(both), "changed": worst_first(changed, lambda side: (
        GRAVITY_OF_PLAY[side["sum"]] + (0 if side["ok"] else NOT_AS_EXPECTED))),
            "only_a": plays_alone(a, b), "only_b": plays_alone(b, a)}
