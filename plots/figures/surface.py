"""Writes that pauses erase, over TTL and length of the pauses: one panel for each lock. Of the jobs
that were run, the shortest: what is lost there is the pauses' doing."""

from matplotlib.patches import Rectangle

import style
import surface
import words

NAME = "surface"
SECTION = "surface"
DATA = "surface.csv"
TITLE = "Writes erased, in percent, by TTL and length of the pauses"
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""Percentages that a scale of colours may show below its end."""


def most(run, longest):
    """The greatest percentage of a figure, where its scale ends."""
    found = [surface.percent(row) or 0 for lock in surface.swept(run, longest)
             for row in surface.table_of(run, lock, longest).values()]
    return max(found, default=0)


def scale(end):
    """What the scale of colours shows: 0, some steps, and the end of the data."""
    steps = [step for step in STEPS if step <= 0.7 * end]
    return [0, *steps[-3:], *([end] if end else [])]


def open_zero(rows):
    """The highest percentage that is left open where nothing was seen, or None."""
    return max((row["erased_per_1000_writes"]["high"] / 10 for row in rows
                if row["erased_writes"] == 0 and row["erased_per_1000_writes"]["high"]),
               default=None)


def note_of(run, longest):
    rows = surface.rows_of(run, longest)
    runs = sorted({row["runs"] for row in rows})
    n = words.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    grants = round(rows[0]["grants"] / rows[0]["runs"])
    bound = open_zero([row for row in rows if row["writes"]])
    zero = "" if bound is None else f", which leaves up to {words.number(bound)} % open for a 0"
    return (f"{surface.jobs_words(longest).capitalize()}. Each square is n = {n} of {grants}"
            f" grants, its number the percentage, beneath it the 95 % interval{zero} (on a narrow"
            " screen: in the table below). Across: the lock’s TTL; upwards: how long each pause"
            " is, 0 for none. The colours end at the greatest number of this figure. A lock without"
            f" a TTL is not here: nothing expires under its holder. {surface.seeds(run)}").strip()


def job_us(run):
    """The longest job of this figure."""
    return surface.kinds(run)[0]


def note(run):
    return note_of(run, job_us(run))


def label(percent):
    """12.3 -> 12; 1.23 -> 1.2; 0 -> 0; what would be rounded to 0.0 -> <0.1."""
    if not percent:
        return "0"
    if percent < 0.05:
        return "<0.1"
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"


def strength(percent, end):
    """How much of the colour a square has: by the root, so that small numbers differ."""
    return 0.04 + 0.5 * (percent / end if end else 0) ** 0.5


def square(axis, x, y, percent, end, size, beneath=""):
    axis.add_patch(Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, linewidth=0,
                             facecolor=style.HEAT, alpha=strength(percent, end)))
    axis.text(x, y + (0.16 if beneath else 0), label(percent), ha="center", va="center",
              fontsize=size, color=style.INK if percent else style.MUTED)
    if beneath:
        axis.text(x, y - 0.23, beneath, ha="center", va="center", fontsize=8.5)


def interval(row):
    """2.1–4.2, of a square in which something was seen; in others the note says it."""
    low, high = (row["erased_per_1000_writes"][end] for end in ("low", "high"))
    if not row["erased_writes"] or high is None:
        return ""
    return f"{label(low / 10)}–{label(min(high / 10, 100))}"


def draw_lock(axis, table, ttls, pauses, end, wide):
    for x, ttl in enumerate(ttls):
        for y, pause in enumerate(pauses):
            row = table.get((ttl, pause))
            percent = surface.percent(row) if row else None
            if percent is not None:
                square(axis, x, y, percent, end, 11 if wide else 8.5, interval(row) if wide else "")


def draw_scale(figure, width, end):
    """The scale of colours, above the panels."""
    height, steps = figure.get_figheight() * 72, scale(end)
    axis = figure.add_axes((0.01, 1 - 26 / height, 40 * len(steps) / width, 24 / height))
    axis.set_xlim(-0.5, len(steps) - 0.5)
    axis.set_ylim(-0.5, 0.5)
    axis.axis("off")
    for x, percent in enumerate(steps):
        square(axis, x, 0, percent, end, 11)
    figure.text(0.01 + (8 + 40 * len(steps)) / width, 1 - 14 / height, "% of writes erased",
                color=style.MUTED, va="center")


def draw_of(run, width, longest):
    locks = surface.swept(run, longest)
    if not locks:
        return None
    ttls, pauses = surface.axes(run, longest)
    wide = width >= 600
    end = most(run, longest)
    figure, panels = style.grid(width, locks, body=(33 if wide else 22) * len(pauses), top=40,
                                most=3)
    draw_scale(figure, width, end)
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
        draw_lock(axis, surface.table_of(run, name, longest), ttls, pauses, end, wide)
    return figure


def draw(run, width):
    return draw_of(run, width, job_us(run)) if run.surface else None
