"""Jain's index of fairness, one row per lock, one line for each number of clients."""

import bench
import style
import words
from figures.throughput import MARKS, numbers

NAME = "fairness"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Fairness, by number of clients"

LEAST = {"marker": "|", "markersize": 9, "markeredgewidth": 1.4, "color": style.MUTED}


def rows_of(run):
    """Rows on one key that have the index."""
    usual = run.bench.usual("live/contended") if run.bench else []
    return [r for r in usual if bench.value(r, "jain") is not None]


def note(run):
    rows = rows_of(run)
    clients = words.listing(words.count(n) for n in numbers(rows))
    return (f"Of each lock, from above: {clients} clients. Jain's index of the grants that each"
            " client got of one key in one run of the benchmark (closed loop, the key held"
            f" {bench.spoken(rows[0]['hold'])}, {bench.where(rows[0])}): 1 where all got the same,"
            " 1/clients (grey stroke) where one got everything. A run is short, so that a lock may"
            " be fair"
            f" in the long run and not here. {bench.repetitions(rows)}")


def draw(run, width):
    rows = rows_of(run)
    if not rows:
        return None
    names = [a["name"] for a in run.algorithms if any(r["lock"] == a["name"] for r in rows)]
    clients = numbers(rows)
    figure, (axis,), places = style.strips(width, 1, names, len(clients), head=4, top=26)
    style.legend(figure, [(words.plural(n, "client"), {"marker": mark, "linestyle": "none"})
                          for n, mark in zip(clients, MARKS)], 6)
    axis.set_xlim(0, 1.02)
    axis.set_xlabel("Jain’s index")
    for row in rows:
        n = int(row["clients"])
        at = clients.index(n)
        y, colour = names.index(row["lock"]) + places[at], style.algorithm_colour(
            run.index(row["lock"]))
        axis.plot(1 / n, y, **LEAST)
        axis.hlines(y, *bench.ends(row["figures"]["jain"]), color=colour, linewidth=1.4)
        axis.plot(bench.value(row, "jain"), y, MARKS[at], color=colour, markersize=5)
    return figure
