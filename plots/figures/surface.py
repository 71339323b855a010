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
SCALE = (0, 1, 5, 20, 50, 100)
"""Percentages that the scale of colours shows."""


def note_of(run, job_us):
    rows = surface.rows_of(run, job_us)
    runs = sorted({row["runs"] for row in rows})
    n = words.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    grants = round(rows[0]["grants"] / rows[0]["runs"])
    return (f"{surface.jobs_words(job_us).capitalize()}. Each square is n = {n} of {grants} grants,"
            " its number the percentage. Across: the lock’s TTL; upwards: how long each pause is, 0"
            " for none. A lock without a TTL is not here: nothing expires under its holder.")


def note(run):
    return note_of(run, surface.kinds(run)[0])


def label(percent):
    """12.3 -> 12; 1.23 -> 1.2; 0 -> 0; what would be rounded to 0.0 -> <0.1."""
    if not percent:
        return "0"
    if percent < 0.05:
        return "<0.1"
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"


def strength(percent):
    """How much of the colour a square has: by the root, so that small numbers differ."""
    return 0.04 + 0.5 * (percent / 100) ** 0.5


def square(axis, x, y, percent, size):
    axis.add_patch(Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, linewidth=0,
                             facecolor=style.HEAT, alpha=strength(percent)))
    axis.text(x, y, label(percent), ha="center", va="center", fontsize=size,
              color=style.INK if percent else style.MUTED)


def draw_lock(axis, table, ttls, pauses, size):
    for x, ttl in enumerate(ttls):
        for y, pause in enumerate(pauses):
            row = table.get((ttl, pause))
            percent = surface.percent(row) if row else None
            if percent is not None:
                square(axis, x, y, percent, size)


def draw_scale(figure, width):
    """The scale of colours, above the panels."""
    height = figure.get_figheight() * 72
    axis = figure.add_axes((0.01, 1 - 26 / height, 240 / width, 24 / height))
    axis.set_xlim(-0.5, len(SCALE) - 0.5)
    axis.set_ylim(-0.5, 0.5)
    axis.axis("off")
    for x, percent in enumerate(SCALE):
        square(axis, x, 0, percent, 11)
    figure.text(0.01 + 248 / width, 1 - 14 / height, "% of writes erased", color=style.MUTED,
                va="center")


def draw_of(run, width, job_us):
    locks = surface.swept(run, job_us)
    if not locks:
        return None
    ttls, pauses = surface.axes(run, job_us)
    wide = width >= 600
    figure, panels = style.grid(width, locks, body=25 * len(pauses) + 25 if wide else
                                20 * len(pauses) + 20, top=40)
    draw_scale(figure, width)
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
        draw_lock(axis, surface.table_of(run, name, job_us), ttls, pauses, 11 if wide else 8.5)
    return figure


def draw(run, width):
    return draw_of(run, width, surface.kinds(run)[0]) if run.surface else None
