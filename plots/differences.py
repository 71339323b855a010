"""What differs measurably between two runs: rates of violation, and what the locks cost.

Each of these two takes two Runs, and returns the object that `compare.py --json` has of it. The
greatest difference stands first; what is not resolved is counted.
"""

import math

import mover
import words

CHANCE = 0.05
"""So many of all 95 % intervals miss what they are of, though nothing has changed."""
NOT_PACE = ("floor_per_s", "offered_per_s")
"""Rates that are not the lock's: the floor's, and the one at which an open loop asks."""
RATIO = "ratio_to_floor"
SAME = ("command", "runs", "grants", "overlaps", "lost_updates", "fence_inversions", "stuck",
        "stuck_until_ttl", "violated_runs", "overlaps_per_1000_grants", "throughput_per_s")
"""What is equal to the last digit where two cells are the same runs."""


def as_printed(found):
    """An interval whose ends are what a reader sees of them: 1.0003 is printed as 1.00."""
    return {key: value if value is None or value <= 0 else
            float(words.number(value).replace(",", "")) for key, value in found.items()}


def is_resolved(row):
    return (mover.apart(as_printed(row["ratio"]), 1) if "ratio" in row
            else mover.apart(row["difference"], 0))


def weighed(rows, size):
    """Those that are resolved, the greatest first, and how many are not."""
    found = sorted(filter(is_resolved, rows), key=size, reverse=True)
    return {"compared": len(rows), "resolved": found, "unresolved": len(rows) - len(found),
            "by_chance": round(CHANCE * len(rows), 2)}


def same_runs(one, other):
    """Whether two cells are the same runs, so that to compare them says nothing: in the simulator a
    command, which has the seed, gives the same runs each time."""
    return (one["world"] == "sim" and bool(one.get("command"))
            and all(one.get(key) == other.get(key) for key in SAME))


def rates(a, b):
    """Overlaps per 1,000 grants of the cells that have such a rate in both runs, but for those that
    are the same runs."""
    rows, same = [], 0
    for key in (key for key in a.cells if key in b.cells):
        pair = [run.cells[key].get("overlaps_per_1000_grants") for run in (a, b)]
        if None in pair:
            continue
        if same_runs(a.cells[key], b.cells[key]):
            same += 1
        else:
            rows.append({**dict(zip(("world", "algorithm", "hazard"), key)), "a": pair[0],
                         "b": pair[1], "difference": mover.difference(*pair)})
    return {**weighed(rows, lambda row: abs(row["difference"]["value"])), "same_runs": same}


def figures_of(row):
    """{name: figure} of what is compared of a row: its pace, and that over the floor's.

    time_us is 1,000,000 over the rate, where a row has one; to compare both would say all twice.
    One client's pace is told as a time, as elsewhere."""
    pace = {name: found for name, found in row["figures"].items()
            if name.endswith("_per_s") and name not in NOT_PACE}
    if not pace or row["suite"] == "live/uncontended":
        pace = {"time_us": row["time_us"]} if "time_us" in row else {}
    figures = pace | {name: found for name, found in row["figures"].items() if name == RATIO}
    return {name: {key: found[key] for key in ("value", "low", "high")}
            for name, found in figures.items()}


def by_name(run):
    """{name: figures} of the rows of bench.json; none in a run without it."""
    return {row["name"]: figures_of(row) for row in run.bench.rows} if run.bench else {}


def has_interval(found):
    return found["low"] is not None and found["value"] > 0


def compared(name, figure, a, b):
    row = {"name": name, "figure": figure, "a": a, "b": b}
    if figure == RATIO:
        return {**row, "difference": mover.difference(a, b)}
    return {**row, "ratio": mover.ratio(a, b)}


def troubles(run):
    """[{"name", "error"}] of the rows that did not come to their end."""
    return [{"name": row["name"], "error": row["error"]}
            for row in (run.bench.errors if run.bench else [])]


def lacking(run, other):
    """The names of the rows, whatever came of them, that the other run has not."""
    mine, others = ({**by_name(one), **{row["name"]: None for row in troubles(one)}}
                    for one in (run, other))
    return [name for name in mine if name not in others]


def size(row):
    """How much a cost changed, the same for twice as for half."""
    return abs(math.log(row["b"]["value"] / row["a"]["value"]))


def costs(a, b):
    """Pace (as a ratio) and ratio to the floor (as a difference) of rows with equal names."""
    mine, others = by_name(a), by_name(b)
    pairs = [(name, figure, found, others[name][figure]) for name in mine if name in others
             for figure, found in mine[name].items() if figure in others[name]]
    whole = [pair for pair in pairs if has_interval(pair[2]) and has_interval(pair[3])]
    return {**weighed([compared(*pair) for pair in whole], size),
            "without_interval": len(pairs) - len(whole),
            "errors": {"a": troubles(a), "b": troubles(b)},
            "only_a": lacking(a, b), "only_b": lacking(b, a)}
