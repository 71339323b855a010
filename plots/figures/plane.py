"""Safety against throughput in the simulator: a curve per lock, as its TTL is swept. Locks that the
measurement does not tell apart share a panel."""

import textwrap

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


def meet(one, other):
    """Whether the intervals of two figures have a point in common."""
    (low, high), (least, most) = bench.ends(one), bench.ends(other)
    return low <= most and least <= high


def alike(pairs, others):
    """Whether two curves have the same TTLs, and intervals that meet at each of them."""
    return [ttl for ttl, _ in pairs] == [ttl for ttl, _ in others] and all(
        meet(row["figures"][name], other["figures"][name])
        for (_, row), (_, other) in zip(pairs, others)
        for name in ("grants_per_s", "overlaps_per_1000"))


def groups(run):
    """[[lock, ...]]: each lock is with the first before it that it cannot be told apart from."""
    table, found = table_of(run), []
    points = {run.control(kind) for kind in POINTS}
    for lock in (name for name in table if name not in points):
        for group in found:
            if alike(table[group[0]], table[lock]):
                group.append(lock)
                break
        else:
            found.append([lock])
    return found


def faster(run):
    """{lock: rows} that are faster than the lock that is never wrong, their intervals apart."""
    table, best = table_of(run), run.control(load.NEVER_WRONG)
    bound = max((bench.ends(row["figures"]["grants_per_s"])[1] for _, row in table.get(best, [])),
                default=float("inf"))
    found = {lock: [row for _, row in pairs
                    if bench.ends(row["figures"]["grants_per_s"])[0] > bound]
             for lock, pairs in table.items() if lock in run.locks()}
    return {lock: rows for lock, rows in found.items() if rows}


def why_faster(run):
    """Why locks stand right of the lock that is never wrong; nothing where none does."""
    found = faster(run)
    if not found:
        return ""
    again = [row["name"] for row in run.algorithms if row.get("reentrant") and row["name"] in found]
    clean = [lock for lock, rows in found.items() if lock not in again
             and any(not bench.value(row, "overlaps_per_1000") for row in rows)]
    text = [f"`{run.control(load.NEVER_WRONG)}` waits for a holder that is paused and learns of a"
            " crash at once. Right of it stand locks that let others in beside a paused holder:"
            " what they gain are the overlaps."]
    if again:
        text.append(f"{words.names(again)} may be taken a second time by the client that has it;"
                    " some jobs do, and that counts as a grant.")
    if clean:
        text.append(f"{words.names(clean)} stands there also without an overlap.")
    return " ".join(text) + " "


def note(run):
    rows = run.bench.usual("sim/plane")
    return (f"Simulated, in virtual time: {words.plural(int(rows[0]['clients']), 'client')}, jobs"
            " of 10 to 200 ms, and in each run at most one pause (0.2 to 3 s) and one crash; only"
            " the TTL changes along a curve. To the right is faster, down is safer. A short TTL"
            " ends under a holder that is paused; a long one keeps all waiting for one that"
            f" crashed. {why_faster(run)}Locks without a TTL are points. Overlaps per 1,000 grants"
            f" are on an axis that is logarithmic down to {LEAST} and even from there to 0; 0 is"
            " what was seen, not a proof. Locks whose intervals meet at every TTL share a panel."
            " Grey: the locks of the other panels. Repetitions differ by their seed. "
            + bench.repetitions(rows))


ABOVE, BELOW, LEFT = ((0, 5), "center", "bottom"), ((6, -1), "left", "top"), ((-5, 0), "right",
                                                                             "center")


def label(axis, row, ttl, side):
    """Names a point beyond its interval, where its own curve does not go; what lies behind is
    covered."""
    figures = row["figures"]
    (left, right), (_, top) = (bench.ends(figures[name])
                               for name in ("grants_per_s", "overlaps_per_1000"))
    x, y = spot(row)
    at = {ABOVE: (x, top), BELOW: (right, y), LEFT: (left, y)}[side]
    offset, across, up = side
    axis.annotate(words.round_duration(ttl), at, xytext=offset, textcoords="offset points",
                  ha=across, va=up, fontsize=10, zorder=4,
                  bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.6})


def draw_lock(axis, pairs, colour):
    """A lock's own curve."""
    axis.plot(*zip(*(spot(row) for _, row in pairs)), color=colour, **SWEPT)
    for _, row in pairs:
        x, y = spot(row)
        axis.hlines(y, *bench.ends(row["figures"]["grants_per_s"]), color=colour, linewidth=1)
        axis.vlines(x, *bench.ends(row["figures"]["overlaps_per_1000"]), color=colour, linewidth=1)


def label_ends(axis, group):
    """Names the shortest, a middle and the longest TTL of a panel."""
    last = len(group[0]) - 1
    for index in sorted({0, len(group[0]) // 2, last}):
        ttl = group[0][index][0]
        rows = [pairs[index][1] for pairs in group]
        if ttl is None:
            continue
        high = max(rows, key=lambda row: bench.ends(row["figures"]["overlaps_per_1000"])[1])
        far = max(rows, key=lambda row: bench.ends(row["figures"]["grants_per_s"])[1])
        if index == 0 or spot(high)[1] < LEAST:
            label(axis, high, ttl, ABOVE)
        elif index == last:
            label(axis, min(rows, key=lambda row: bench.ends(row["figures"]["grants_per_s"])[0]),
                  ttl, LEFT)
        else:
            label(axis, far, ttl, BELOW)


def draw(run, width):
    table, panels = table_of(run), groups(run)
    if not panels:
        return None
    points = {run.control(kind): look for kind, look in POINTS.items()}
    spots = [spot(row) for pairs in table.values() for _, row in pairs]
    wide = width >= 600
    titles = ["\n".join(textwrap.wrap(", ".join(group), 36 if wide else 21)) for group in panels]
    lines = 1 + max(title.count("\n") for title in titles)
    figure, axes = style.grid(width, titles, body=170, head=10 + (16 if wide else 13) * lines,
                              top=26 if wide else 70, most=3)
    marks = [(name.replace("_", " "), {**look, "linestyle": "none"})
             for name, look in points.items() if name in table]
    style.legend(figure, [("one TTL each", SWEPT), *marks], 3 if wide else 2,
                 "upwards: overlaps per 1,000 grants")
    least, most = (end(x for x, _ in spots) for end in (min, max))
    for group, axis in zip(panels, axes.values()):
        axis.set_yscale("symlog", linthresh=LEAST, linscale=0.5)
        axis.set_ylim(-LEAST * 0.35, 2000)
        axis.set_yticks((0, 0.1, 1, 10, 100, 1000))
        axis.yaxis.set_minor_locator(NullLocator())
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,g}"))
        axis.set_xlim(least * 0.85, most * 1.08)
        axis.set_xlabel("grants per second" if wide else "grants/s", labelpad=2, fontsize=11)
        for other in table:
            if other not in group and other not in points:
                axis.plot(*zip(*(spot(row) for _, row in table[other])), color=style.LINE,
                          linewidth=1)
        for point, look in points.items():
            for _, row in table.get(point, []):
                axis.plot(*spot(row), color=style.MUTED, **look)
        for name in group:
            draw_lock(axis, table[name], style.algorithm_colour(run.index(name)))
        label_ends(axis, [table[name] for name in group])
    return figure
