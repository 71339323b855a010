"""Safety against throughput in the simulator: a curve per lock, as its TTL is swept."""

from matplotlib.ticker import FuncFormatter, NullLocator

import bench
import load
import style
import words

NAME = "plane"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Violations against throughput, as the TTL grows"

LEAST = 0.1
"""Overlaps per 1,000 grants below which the axis goes on evenly down to zero."""
SWEPT = {"marker": "o", "markersize": 4.5, "linewidth": 1.6}
POINTS = {load.GRANTS_ALWAYS: {"marker": "x", "markersize": 7, "markeredgewidth": 1.8},
          load.NEVER_WRONG: {"marker": "+", "markersize": 9, "markeredgewidth": 1.8}}


def table_of(run):
    """{lock: [(TTL in µs or None, row)]}, shortest TTL first."""
    table = {}
    for row in run.bench.usual("sim/plane") if run.bench else []:
        ttl = None if row["ttl"] == "none" else bench.us(row["ttl"])
        table.setdefault(row["lock"], []).append((ttl, row))
    return {lock: sorted(pairs, key=lambda pair: pair[0] or 0) for lock, pairs in table.items()}


def spot(row):
    """(grants per second, overlaps per 1,000 grants)."""
    return bench.value(row, "grants_per_s"), bench.value(row, "overlaps_per_1000")


def note(run):
    rows = run.bench.usual("sim/plane")
    return (f"Simulated, in virtual time: {words.plural(int(rows[0]['clients']), 'client')}, jobs"
            " of 10 to 200 ms, and in each run at most one pause (0.2 to 3 s) and one crash; only"
            " the TTL changes along a curve. To the right is faster, down is safer. A short TTL"
            " ends under a holder that is paused; a long one keeps all waiting for one that"
            " crashed. Locks without a TTL are points. Overlaps per 1,000 grants are on an axis"
            f" that is logarithmic down to {LEAST} and even from there to 0; 0 is what was seen,"
            " not a proof. Grey: the other locks. Repetitions differ by their seed. "
            + bench.repetitions(rows))


def label(axis, x, y, ttl, above):
    """Names a point: above it, or to its left, where its curve does not go."""
    axis.annotate(words.round_duration(ttl), (x, y), xytext=(0, 6) if above else (-6, 0),
                  textcoords="offset points", ha="center" if above else "right",
                  va="bottom" if above else "center", fontsize=10)


def draw_lock(axis, pairs, colour):
    """A lock's own curve, with its shortest, a middle and its longest TTL named."""
    spots = [spot(row) for _, row in pairs]
    axis.plot(*zip(*spots), color=colour, **SWEPT)
    for _, row in pairs:
        x, y = spot(row)
        axis.hlines(y, *bench.ends(row["figures"]["grants_per_s"]), color=colour, linewidth=1)
        axis.vlines(x, *bench.ends(row["figures"]["overlaps_per_1000"]), color=colour, linewidth=1)
    for index in {0, len(pairs) // 2, len(pairs) - 1}:
        if pairs[index][0] is not None:
            label(axis, *spots[index], pairs[index][0], index == 0 or spots[index][1] < LEAST)


def draw(run, width):
    table = table_of(run)
    points = {run.control(kind): look for kind, look in POINTS.items()}
    locks = [name for name in table if name not in points]
    if not locks:
        return None
    spots = [spot(row) for pairs in table.values() for _, row in pairs]
    wide = width >= 600
    figure, axes = style.grid(width, locks, body=150, top=26 if wide else 70)
    marks = [(name.replace("_", " "), {**look, "linestyle": "none"})
             for name, look in points.items() if name in table]
    style.legend(figure, [("one TTL each", SWEPT), *marks], 3 if wide else 2,
                 "upwards: overlaps per 1,000 grants")
    least, most = (end(x for x, _ in spots) for end in (min, max))
    for name, axis in axes.items():
        axis.set_yscale("symlog", linthresh=LEAST, linscale=0.5)
        axis.set_ylim(-LEAST * 0.35, 2000)
        axis.set_yticks((0, 0.1, 1, 10, 100, 1000))
        axis.yaxis.set_minor_locator(NullLocator())
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,g}"))
        axis.set_xlim(least * 0.85, most * 1.08)
        axis.set_xlabel("grants per second" if wide else "grants/s", labelpad=2, fontsize=11)
        for other in locks:
            if other != name:
                axis.plot(*zip(*(spot(row) for _, row in table[other])), color=style.LINE,
                          linewidth=1)
        for point, look in points.items():
            for _, row in table.get(point, []):
                axis.plot(*spot(row), color=style.MUTED, **look)
        draw_lock(axis, table[name],
                  style.algorithm_colour(run.index(name)))
    return figure
