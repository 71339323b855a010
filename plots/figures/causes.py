"""Why each lock was violated: the share of each cause, one panel per world."""

from matplotlib.patches import Rectangle

import load
import style
import words

NAME = "causes"
SECTION = "causes"
DATA = "cells.csv"
TITLE = "What let a second client in"
NOTE = ("Each row is all violations of one lock under all hazards, split by the cause that its"
        " history shows, in percent; n is how many. A dot is less than half a percent.")
WORLD_NAMES = {"sim": "Simulator", "live": "Real Redis"}


def note(run):
    del run
    return NOTE


def totals(run, world):
    """{algorithm: {cause: violations}} over all hazards, algorithms with none left out."""
    table = {}
    for algorithm in run.algorithms:
        sums = {}
        for cell in run.row(world, algorithm["name"]):
            for cause, n in cell.get("causes", {}).items():
                sums[cause] = sums.get(cause, 0) + n
        if any(sums.values()):
            table[algorithm["name"]] = sums
    return table


def draw_row(axis, y, sums, causes, size):
    """One lock: a square per cause, its shade and numeral the share of the row."""
    total = sum(sums.values())
    for x, cause in enumerate(causes):
        share = sums.get(cause, 0) / total
        axis.add_patch(Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, linewidth=0,
                                 facecolor=style.HEAT, alpha=0.06 + 0.5 * share))
        if sums.get(cause):
            axis.text(x, y, f"{100 * share:.0f}" if share >= 0.005 else "·", ha="center",
                      va="center", fontsize=size)
    axis.text(len(causes) - 0.3, y, words.count(total),
              va="center", fontsize=size, color=style.MUTED)


def draw(run, width):
    tables = {world: totals(run, world) for world in load.WORLDS}
    tables = {world: table for world, table in tables.items() if table}
    if not tables:
        return None
    names = [a["name"] for a in run.algorithms if any(a["name"] in t for t in tables.values())]
    seen = {cause for table in tables.values() for sums in table.values()
            for cause, n in sums.items() if n}
    causes = [c for c in run.causes() if c in seen]
    size = 12 if width >= 600 else 9.5
    figure, axes = style.panels(width, len(tables), names, head=154, foot=24, right=4)
    for axis, (world, table) in zip(axes, tables.items()):
        axis.set_xlim(-0.5, len(causes) + 1.6)
        axis.grid(False)
        axis.spines["bottom"].set_visible(False)
        axis.xaxis.tick_top()
        axis.set_xticks(range(len(causes) + 1), [*(c.replace("_", " ") for c in causes), "n"],
                        rotation=90, fontsize=size)
        axis.tick_params(length=0)
        axis.set_title(WORLD_NAMES[world] + ", % of the row", pad=124)
        for y, name in enumerate(names):
            if name in table:
                draw_row(axis, y, table[name], causes, size)
    return figure
