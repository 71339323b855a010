"""What safety costs: overlaps under faults against the speed and the waits without them. A number
stands for each lock, that of its row in the table."""

import price
import style
import words

NAME = "price"
SECTION = "price"
DATA = "price.json"
TITLE = "Overlaps under faults, against what the lock costs without them"

AXES = {"grants per second": price.speed, "wait, p99": lambda row: row["calm"]["wait_us_p99"]}
SPOT = {"marker": "o", "markersize": 15, "markeredgewidth": 1.2, "linestyle": "none"}
FILLED, HOLLOW = {"markerfacecolor": style.LINE}, {"markerfacecolor": style.PAPER}


def note(run):
    found = price.rows(run)
    return ("Downwards is safer; on the left, to the right is faster; on the right, to the left"
            " is. Both lower axes are logarithmic. Upright lines are 95 % intervals. The numbers"
            f" are those of the {words.plural(len(found), 'row')} of the table. A hollow"
            " mark: in some runs the lock also stayed taken for ever. 0 is what was seen, not a"
            " proof.")


def look(row):
    """How a row is drawn."""
    edge = {"markeredgecolor": style.HEAT if row["struck"]["stuck_runs"] else style.INK}
    return {**SPOT, **edge, **(HOLLOW if row["struck"]["stuck_runs"] else FILLED)}


def draw(run, width):
    found = price.rows(run)
    if not found:
        return None
    wide = width >= 600
    figure, axes = style.grid(width, list(AXES), body=300 if wide else 240, head=26, foot=48,
                              top=24 if wide else 44, most=2)
    style.legend(figure, [("taken for ever in some runs", {**SPOT, "markersize": 8,
                           "markeredgecolor": style.HEAT, **HOLLOW})], 1,
                 "upwards: overlaps per 1,000 grants")
    top = max(1, *(price.per_1000(row)["high"] or price.per_1000(row)["value"] for row in found))
    for (_, value), axis in zip(AXES.items(), axes.values()):
        spots = [max(value(row), 1) for row in found]
        formatter = style.short_number if value is price.speed else words.round_duration
        style.log_axis(axis.xaxis, min(spots), max(spots), formatter, 4)
        axis.set_ylim(-0.06 * top, 1.06 * top)
        for number, (row, x) in enumerate(zip(found, spots), 1):
            y = price.per_1000(row)
            if y["high"] is not None:
                axis.vlines(x, y["low"], y["high"], color=style.MUTED, linewidth=1)
            axis.plot(x, y["value"], **look(row))
            axis.annotate(str(number), (x, y["value"]), ha="center", va="center", fontsize=9.5,
                          zorder=4)
    return figure
