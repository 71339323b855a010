"""How long a client waits for a grant, against a real Redis: median, tail and longest."""

from matplotlib.lines import Line2D

import style
import words
from .throughput import by_clients, log_axis, measured, panel_title

NAME = "waits"
SECTION = "cost"
TITLE = "Waiting for a grant against a real Redis"
NOTE = ("From the first try to the grant. A short line is a steady lock; a long one lets some"
        " clients wait far longer than others. Waits under 1 µs stand at 1 µs.")

MARKS = (("p50", "median", "o", 8, True), ("p99", "99 %", "D", 5, True),
         ("p999", "99.9 %", "o", 6, False), ("max", "longest", "|", 12, True))
"""Field of wait_us, word, marker, size in px, filled."""


def waits(row):
    """{field: µs, at least 1} of what the row has."""
    found = (row or {}).get("wait_us") or {}
    return {field: max(found[field], 1) for field, *_ in MARKS if found.get(field) is not None}


def mark(colour, marker, size, filled):
    """Line2D properties of one kind of mark."""
    return {"color": colour, "marker": marker, "markersize": size, "linestyle": "none",
            "markeredgewidth": 1.6, "fillstyle": "full" if filled else "none"}


def draw(run, width):
    groups, algorithms = by_clients(run), measured(run)
    values = [v for _, rows in groups for row in rows.values() for v in waits(row).values()]
    if not values:
        return None
    figure, axes = style.panels(width, len(groups), [name for _, name in algorithms], top=28)
    handles = [Line2D([], [], label=word, **mark(style.MUTED, *look))
               for _, word, *look in MARKS]
    figure.legend(handles=handles, loc="upper left", ncols=4, bbox_to_anchor=(0, 1),
                  borderaxespad=0, borderpad=0, columnspacing=1.2, handletextpad=0.2)
    for axis, (group, rows) in zip(axes, groups):
        log_axis(axis, min(values), max(values), words.round_duration)
        axis.set_title(panel_title(group, rows))
        axis.set_xlabel("wait")
        for y, (index, name) in enumerate(algorithms):
            found, colour = waits(rows.get(name)), style.algorithm_colour(index)
            if found:
                axis.hlines(y, min(found.values()), max(found.values()), color=colour,
                            linewidth=1.5, alpha=0.6)
            for field, _, *look in MARKS:
                if field in found:
                    axis.plot(found[field], y, **mark(colour, *look))
    return figure
