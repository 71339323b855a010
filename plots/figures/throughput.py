"""Grants per second against the number of clients, a panel per lock: own keys and one key."""

import bench
import load
import style

NAME = "throughput"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Throughput against the number of clients"

OWN = {"marker": "o", "markersize": 5, "linewidth": 1.8}
ONE = {"marker": "s", "markersize": 5, "linewidth": 1.8, "markerfacecolor": "none"}
FLOOR = {"linewidth": 1.2, "dashes": (3, 2), "color": style.MUTED}
OWN_FLOOR, ONE_FLOOR = {**FLOOR, "marker": "."}, {**FLOOR, "marker": "x", "markersize": 5}


def own_keys(run):
    """Rows over the main transport."""
    return run.bench.of("live/distinct", over=run.bench.transport())


def series(run):
    """[(rows of one suite, marks of the lock, marks of its floor)]."""
    if run.bench is None:
        return []
    pairs = ((own_keys(run), OWN, OWN_FLOOR), (run.bench.usual("live/contended"), ONE, ONE_FLOOR))
    return [pair for pair in pairs if pair[0]]


def note(run):
    own, one = own_keys(run), run.bench.usual("live/contended")
    text = [f"Grants per second, {bench.where((own + one)[0])}; both axes are logarithmic."]
    if own:
        text.append("Circles: each client of one process has a key of its own and does nothing but"
                    " take and give back; dots: their floor, as many connections of hiredis on"
                    " libuv that send the same commands without the lock.")
    if one:
        text.append("Squares: all clients want one key and hold it"
                    f" {bench.spoken(one[0]['hold'])};"
                    " crosses: their floor, one bare client that takes, holds and gives back by"
                    " itself, so that nothing is ever handed over.")
        if bare := run.control(load.GRANTS_ALWAYS):
            text.append(f"`{bare}` lets all clients in at once.")
    return " ".join([*text, bench.repetitions(own + one)
                     + " Locks without commands have no floor. A point without a bar has an"
                       " interval smaller than its mark, or none."])


def curve(axis, pairs, name, look, colour):
    """Medians of one figure over clients, with their intervals; what is zero is not drawn."""
    points = [(x, row["figures"][name]) for x, row in pairs
              if bench.value(row, name) and bench.ends(row["figures"][name])[0] > 0]
    if points:
        axis.plot([x for x, _ in points], [y["value"] for _, y in points],
                  **{"color": colour, **look})
    for x, y in points:
        axis.vlines(x, *bench.ends(y), color=colour, linewidth=1.4)


def draw(run, width):
    found = [(bench.by_clients(rows), *looks) for rows, *looks in series(run)]
    names = [a["name"] for a in run.algorithms if any(a["name"] in table for table, *_ in found)]
    every = [(x, v) for table, *_ in found for pairs in table.values() for x, row in pairs
             for name in ("grants_per_s", "floor_per_s") if (v := bench.value(row, name))]
    if not every:
        return None
    wide = width >= 600
    figure, axes = style.grid(width, names, top=26 if wide else 70)
    rows = [("own keys", OWN), ("its floor", OWN_FLOOR), ("one key", ONE), ("its floor", ONE_FLOOR)]
    style.legend(figure, rows, 4 if wide else 2, "upwards: grants per second")
    for name, axis in axes.items():
        colour = style.algorithm_colour(run.index(name))
        style.log_axis(axis.xaxis, min(x for x, _ in every), max(x for x, _ in every), style.short,
                       ticks=4)
        style.log_axis(axis.yaxis, min(v for _, v in every), max(v for _, v in every), style.short,
                       ticks=5)
        axis.set_xlabel("clients", labelpad=2, fontsize=11)
        for table, look, floor in found:
            curve(axis, table.get(name, []), "floor_per_s", floor, style.MUTED)
            curve(axis, table.get(name, []), "grants_per_s", look, colour)
    return figure
