"""How long a client waits for a grant, one row per lock: closed loop beside open loop."""

import bench
import style
import words

NAME = "waits"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Waiting for a grant: median, slowest hundredth, longest"

MARKS = (("wait_p50_us", "median", {"marker": "o", "markersize": 5}),
         ("wait_p99_us", "99 % are no longer", {"marker": "s", "markersize": 5}),
         ("wait_max_us", "longest", {"marker": "|", "markersize": 8, "markeredgewidth": 1.8}))
CLOSED, OPEN = "closed loop", "open loop"
LEAST = 1
"""Waits under a microsecond stand there."""


def series(run):
    """[(what it is, {lock: row})] of the closed loop and of the open one."""
    if run.bench is None:
        return []
    pairs = ((CLOSED, run.bench.contended()[1]), (OPEN, run.bench.arrivals()[1]))
    return [pair for pair in pairs if pair[1]]


def points(row):
    """[(line of the row, figure, look)] of the figures that the row has."""
    found = [(line, row["figures"].get(name), look) for line, (name, _, look) in enumerate(MARKS)]
    return [point for point in found if point[1] is not None]


def note(run):
    clients, closed = run.bench.contended()
    rate, arriving = run.bench.arrivals()
    text = ["Of each lock three lines, each mark with its 95 % interval. Logarithmic axis; waits"
            " under 1 µs stand at 1 µs. A percentile beyond which no single wait lies is left out."]
    if closed:
        row = next(iter(closed.values()))
        text.append(f"Closed loop: {words.plural(clients, 'client')} on one key, each of"
                    " which wants it again as soon as it has left; a wait begins with its first"
                    " try.")
    if arriving:
        row = next(iter(arriving.values()))
        text.append(f"Open loop: {words.plural(int(row['clients']), 'client')} that"
                    f" together want the key {words.count(rate)} times a second whether or not it"
                    " keeps up; a wait begins when the client was to want it, even while it still"
                    " waited for the one before.")
    text.append(f"All {bench.where(row)}. A wait that the end of the run cut off counts as long as"
                " it was by then, so that none is longer than the run.")
    return " ".join([*text, bench.repetitions([*closed.values(), *arriving.values()])])


def draw_row(axis, y, row, colour, places):
    """A lock's waits, a line each from above, so that their intervals do not meet."""
    for line, figure, look in points(row):
        axis.hlines(y + places[line], *(max(end, LEAST) for end in bench.ends(figure)),
                    color=colour, linewidth=1.4)
        axis.plot(max(figure["value"], LEAST), y + places[line], color=colour, **look)


def draw(run, width):
    found = [(what, {lock: row for lock, row in rows.items() if points(row)})
             for what, rows in series(run)]
    found = [pair for pair in found if pair[1]]
    if not found:
        return None
    names = [a["name"] for a in run.algorithms if any(a["name"] in rows for _, rows in found)]
    wide = width >= 600
    figure, axes, places = style.strips(width, len(found), names, len(MARKS), top=30)
    style.legend(figure, [(word, {**look, "linestyle": "none"}) for _, word, look in MARKS], 3)
    every = [max(end, LEAST) for _, rows in found for row in rows.values()
             for _, one, _ in points(row) for end in bench.ends(one)]
    for axis, (what, rows) in zip(axes, found):
        axis.set_title(what)
        style.log_axis(axis.xaxis, min(every), max(every), words.round_duration,
                       ticks=6 if wide else 4)
        axis.set_xlabel("wait for a grant")
        for lock, row in rows.items():
            draw_row(axis, names.index(lock), row, style.algorithm_colour(run.index(lock)),
                     places)
    return figure
