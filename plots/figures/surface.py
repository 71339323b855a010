"""Writes that pauses erase, over TTL and length of the pauses: one panel for each lock."""

from matplotlib.patches import Rectangle

import style
import surface
import words

NAME = "surface"
SECTION = "surface"
DATA = "surface.csv"
TITLE = "Writes erased, in percent, by TTL and length of the pauses"


def note(run):
    runs = sorted({row["runs"] for row in run.surface})
    n = words.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    grants = round(run.surface[0]["grants"] / run.surface[0]["runs"])
    return (f"Each square is n = {n} of {grants} grants, its number the percentage, and its colour"
            " the stronger the more. An empty square is 0, of which the data give the upper bound."
            " Across: the lock’s TTL; upwards: how long each pause is. A lock without a TTL is not"
            " here: nothing expires under its holder.")


def label(percent):
    """12.3 -> 12; 1.23 -> 1.2; 0 -> nothing."""
    if not percent:
        return ""
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"


def draw_lock(axis, table, ttls, pauses, size):
    for x, ttl in enumerate(ttls):
        for y, pause in enumerate(pauses):
            row = table.get((ttl, pause))
            percent = surface.percent(row) if row else None
            if percent is None:
                continue
            axis.add_patch(Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, linewidth=0,
                                     facecolor=style.HEAT,
                                     alpha=0.04 + 0.5 * (percent / 100) ** 0.5))
            axis.text(x, y, label(percent), ha="center", va="center", fontsize=size)


def draw(run, width):
    locks = surface.swept(run)
    if not locks:
        return None
    ttls, pauses = surface.axes(run)
    wide = width >= 600
    figure, panels = style.grid(width, locks, body=150 if wide else 120)
    for name, axis in panels.items():
        axis.grid(False)
        axis.set_xlim(-0.5, len(ttls) - 0.5)
        axis.set_ylim(-0.5, len(pauses) - 0.5)
        axis.spines["bottom"].set_visible(False)
        axis.tick_params(length=0)
        axis.set_xticks(range(len(ttls)), [f"{ttl / 1e6:g}" for ttl in ttls])
        axis.set_yticks(range(len(pauses)), [f"{pause / 1e6:g}" for pause in pauses])
        axis.set_xlabel("TTL, s", labelpad=2, fontsize=11)
        axis.set_ylabel("pause, s", labelpad=2, fontsize=11)
        draw_lock(axis, surface.table_of(run, name), ttls, pauses, 11 if wide else 8.5)
    return figure
