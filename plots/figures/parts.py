"""What a grant takes when nobody else wants the lock, split into its parts, a panel per placement.

A part comes of a subtraction and may be negative. It then stands left of zero, so that nothing of
the others is hidden.
"""

from matplotlib.patches import Patch

import bench
import load
import style

NAME = "parts"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "One client, nobody else: what a grant takes"

PARTS = (("network_us", "network", 0.22), ("server_us", "server", 0.5),
         ("harness_us", "harness", 1), ("lock_us", "lock (its colour)", None))
"""Figure, word, how dark; None is the lock's own colour."""
HATCH = "////"


def rows_of(run):
    """Rows over the main transport."""
    return run.bench.of("live/uncontended", over=run.bench.transport()) if run.bench else []


def note(run):
    rows = rows_of(run)
    return (f"Microseconds per grant (take and give back), over {bench.TRANSPORTS[rows[0]['over']]}"
            " with blocking calls; each panel has its own scale. Network: the round trips, as PING"
            " takes them. Server: what the floor, bare hiredis sending the same commands, takes"
            f" beyond those. Harness: a grant of `{run.control(load.GRANTS_ALWAYS)}` in the same"
            " loop. Lock: the rest, in the"
            " lock's colour. The parts are differences of measurements: where noise makes one"
            " negative it is hatched left of zero, and the others reach as far beyond the whole."
            " Each is a median of its own, so that the sum can miss the whole a little. The"
            " upright stroke is the whole, with its interval. Controls that send no command have"
            f" the whole alone. {bench.repetitions(rows)}")


def draw_row(axis, y, row, colour):
    """One lock: parts above zero to the right, those below to the left, and the whole."""
    ends = {1: 0, -1: 0}
    for name, _, alpha in PARTS:
        us = bench.value(row, name)
        if not us:
            continue
        side = 1 if us > 0 else -1
        fill = {"color": colour if alpha is None else style.INK, "alpha": alpha or 1}
        if us < 0:
            fill = {"facecolor": "none", "edgecolor": fill["color"], "hatch": HATCH}
        axis.barh(y, us, left=ends[side], height=0.62, linewidth=0 if us > 0 else 0.8, **fill)
        ends[side] += us
    whole = row["time_us"]
    axis.vlines(whole["value"], y - 0.42, y + 0.42, color=style.INK, linewidth=1.8)
    axis.hlines(y, *bench.ends(whole), color=style.INK, linewidth=1.2)


def draw(run, width):
    rows = rows_of(run)
    if not rows:
        return None
    places = [p for p in bench.PLACEMENTS if any(r["cpus"] == p for r in rows)]
    names = [a["name"] for a in run.algorithms if any(r["lock"] == a["name"] for r in rows)]
    wide = width >= 600
    figure, axes = style.panels(width, len(places), names, top=28 if wide else 50)
    handles = [Patch(label=word, alpha=alpha or 1, linewidth=0,
                     facecolor=style.INK if alpha else style.HEAT) for _, word, alpha in PARTS]
    handles.append(Patch(label="negative", facecolor="none", edgecolor=style.INK, hatch=HATCH,
                         linewidth=0.8))
    figure.legend(handles=handles, loc="upper left", ncols=5 if wide else 3, bbox_to_anchor=(0, 1),
                  borderaxespad=0, borderpad=0, columnspacing=1, handletextpad=0.4,
                  handlelength=1.2)
    for axis, place in zip(axes, places):
        axis.set_title({"same": "one processor", "two": "a processor each",
                        "free": "kernel's choice"}[place])
        axis.set_xlabel("µs per grant")
        axis.axvline(0, color=style.MUTED, linewidth=0.8)
        for row in rows:
            if row["cpus"] == place:
                index = run.index(row["lock"])
                draw_row(axis, names.index(row["lock"]), row, style.algorithm_colour(index))
    return figure
