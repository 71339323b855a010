"""How long a client waits for a grant: the whole spectrum, closed loop beside open loop."""

import math

import bench
import style
import words

NAME = "waits"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Waiting for a grant: from the shortest tenth to the longest"

SPECTRUM = (("p10", 0.1), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95),
            ("p99", 0.99), ("p999", 0.999))
LONGEST = 3.8
"""Where the longest wait stands on an axis on which each step to the right is a tenth as many."""
TICKS = ((0.5, "50"), (0.9, "90"), (0.99, "99"), (0.999, "99.9"))
CLOSED = {"marker": "o", "markersize": 4, "linewidth": 1.6}
OPEN = {"marker": "s", "markersize": 4.5, "linewidth": 1.2, "dashes": (4, 2),
        "markerfacecolor": "none"}


def place(share):
    return -math.log10(1 - share)


def series(run):
    """[({lock: row}, marks)] of the closed loop and of the open one."""
    if run.bench is None:
        return []
    return [(run.bench.contended()[1], CLOSED), (run.bench.arrivals()[1], OPEN)]


def points(row):
    """[(place, µs, at least 1)] of the percentiles that the row has, then of its longest wait."""
    found = [(place(share), bench.value(row, f"wait_{name}_us")) for name, share in SPECTRUM]
    found.append((LONGEST, bench.value(row, "wait_max_us")))
    return [(x, max(us, 1)) for x, us in found if us is not None]


def note(run):
    clients, closed = run.bench.contended()
    rate, arriving = run.bench.arrivals()
    text = ["Share of waits in percent that are no longer; steps to the right are a tenth as many."
            " A percentile beyond which no single wait lies is left out. Waits under 1 µs stand at"
            " 1 µs."]
    if closed:
        row = next(iter(closed.values()))
        text.append(f"Circles: closed loop, {words.plural(clients, 'client')} on one key, each of"
                    " which wants it again as soon as it has left; a wait begins with its first"
                    " try.")
    if arriving:
        row = next(iter(arriving.values()))
        text.append(f"Squares: open loop, {words.plural(int(row['clients']), 'client')} that"
                    f" together want the key {words.count(rate)} times a second whether or not it"
                    " keeps up; a wait begins when the client was to want it, even while it still"
                    " waited for the one before.")
    text.append(f"All {bench.where(row)}. A wait that the end of the run cut off counts as long as"
                " it was by then, so that none is longer than the run.")
    return " ".join([*text, bench.medians([*closed.values(), *arriving.values()]) + "."])


def draw(run, width):
    found = series(run)
    names = [a["name"] for a in run.algorithms if any(points(rows.get(a["name"]))
                                                      for rows, _ in found)]
    waits = [us for rows, _ in found for row in rows.values() for _, us in points(row)]
    if not waits:
        return None
    figure, axes = style.grid(width, names, top=26 if width >= 600 else 48, left=52)
    style.legend(figure, [("closed loop", CLOSED), ("open loop", OPEN)], 2,
                 "upwards: wait for a grant")
    ticks = TICKS if width >= 600 else TICKS[:-1]
    for name, axis in axes.items():
        colour = style.algorithm_colour(run.index(name))
        axis.set_xlim(0, LONGEST + 0.15)
        axis.set_xticks([*(place(share) for share, _ in ticks), LONGEST],
                        [*(word for _, word in ticks), "max"])
        axis.set_xlabel("% of waits", labelpad=2, fontsize=11)
        style.log_axis(axis.yaxis, min(waits), max(waits), words.round_duration, ticks=5)
        for rows, look in found:
            line = points(rows.get(name))
            axis.plot([x for x, _ in line], [us for _, us in line], color=colour, **look)
    return figure
