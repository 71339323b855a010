"""Jain's index of fairness against the number of clients, a panel per lock."""

import bench
import style
import words

NAME = "fairness"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Fairness against the number of clients"

SHARE = {"marker": "o", "markersize": 5, "linewidth": 1.8}
LEAST = {"linewidth": 1.2, "dashes": (3, 2)}


def rows_of(run):
    """Rows on one key that have the index."""
    usual = run.bench.usual("live/contended") if run.bench else []
    return [r for r in usual if bench.value(r, "jain") is not None]


def note(run):
    rows = rows_of(run)
    return ("Jain's index of the grants that each client got of one key in one run of the"
            " benchmark (closed loop, the key held"
            f" {bench.spoken(rows[0]['hold'])}, {bench.where(rows[0])}): 1 where all got the same,"
            " 1/clients (dashed) where one got everything. A run is short, so that a lock may"
            " be fair"
            f" in the long run and not here. {bench.repetitions(rows)}")


def draw(run, width):
    table = bench.by_clients(rows_of(run))
    if not table:
        return None
    numbers = sorted({n for pairs in table.values() for n, _ in pairs})
    figure, axes = style.grid(width, list(table), body=92, top=26)
    style.legend(figure, [("Jain's index", SHARE), ("one client gets everything", LEAST)], 2)
    for name, axis in axes.items():
        colour = style.algorithm_colour(run.index(name))
        style.log_axis(axis.xaxis, numbers[0], numbers[-1], words.count)
        axis.set_xticks(numbers if len(numbers) < 5 else numbers[::2])
        axis.set_ylim(0, 1.08)
        axis.set_yticks((0, 0.5, 1), ("0", "0.5", "1"))
        axis.set_xlabel("clients", labelpad=2, fontsize=11)
        axis.plot(numbers, [1 / n for n in numbers], color=style.MUTED, **LEAST)
        axis.plot([n for n, _ in table[name]], [bench.value(r, "jain") for _, r in table[name]],
                  color=colour, **SHARE)
        for n, row in table[name]:
            axis.vlines(n, *bench.ends(row["figures"]["jain"]), color=colour, linewidth=1.4)
    return figure
