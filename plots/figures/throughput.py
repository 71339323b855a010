"""What each lock adds to its bare commands, for each number of clients: own keys, and one key."""

import bench
import load
import style
import words

NAME = "throughput"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "Pace against that of the bare commands, by number of clients"

MARKS = "osD^vP"
"""Of the numbers of clients, fewest first."""
OWN, ONE = "a key each", "all want one key"


def own_keys(run):
    """Rows over the main transport."""
    return run.bench.of("live/distinct", over=run.bench.transport())


def series(run):
    """[(what it is, its rows)] of the suites that the run has."""
    if run.bench is None:
        return []
    pairs = ((OWN, own_keys(run)), (ONE, run.bench.usual("live/contended")))
    return [pair for pair in pairs if pair[1]]


def ratios(run):
    """[(lock, clients, ratio to the floor)] of every row that has a floor."""
    return [(row["lock"], int(row["clients"]), row["figures"]["ratio_to_floor"])
            for _, rows in series(run) for row in rows if "ratio_to_floor" in row["figures"]]


def numbers(rows):
    """The numbers of clients, fewest first."""
    return sorted({int(row["clients"]) for row in rows})


def resolved(run):
    """How many of the comparisons leave 1 out, and what chance alone would show."""
    found = [ratio for *_, ratio in ratios(run) if ratio["low"] is not None]
    if not found:
        return ""
    some = sum(map(bench.resolved, found))
    return (f" Of {words.plural(len(found), 'comparison')} with a floor {words.count(some)}"
            f" {'is' if some == 1 else 'are'} resolved; where nothing differs, chance alone shows"
            f" about {words.number(len(found) / 20)}.")


def note(run):
    found = series(run)
    text = [f"The lock’s grants per second over those of its floor, {bench.where(found[0][1][0])}."
            " The line is 1: as fast as the bare commands; left of it the lock is slower. Filled:"
            " the 95 % interval leaves 1 out; hollow and grey: no difference resolved."
            + resolved(run)]
    for what, rows in found:
        clients = words.listing(words.count(n) for n in numbers(rows))
        text.append(f"{what.capitalize()}: {clients} clients.")
        if what == OWN:
            text.append("They do nothing but take and give back; the floor is as many connections"
                        " of hiredis on libuv that send the same commands without the lock.")
        else:
            text.append(f"They hold it {bench.spoken(rows[0]['hold'])}; the floor is one bare"
                        " client that takes, holds and gives back by itself, so that nothing is"
                        " ever handed over.")
            if bare := run.control(load.GRANTS_ALWAYS):
                text.append(f"`{bare}` lets all clients in at once.")
    rows = [row for _, rows in found for row in rows]
    return " ".join([*text, "Locks without commands have no"
                     " floor.", bench.repetitions(rows)])


def draw_row(axis, y, row, colour, mark):
    """One lock with one number of clients: the ratio, if it has one, and its grants per second."""
    if ratio := row["figures"].get("ratio_to_floor"):
        shown = bench.resolved(ratio)
        look = colour if shown else style.MUTED
        axis.hlines(y, *bench.ends(ratio), color=look, linewidth=1.4)
        axis.plot(ratio["value"], y, mark, color=look, markersize=5,
                  markerfacecolor=look if shown else "none")
    per_s = style.short_number(bench.value(row, "grants_per_s"))
    axis.text(1, y, f"{row['clients']}: {per_s}", ha="right", va="center", fontsize=10,
              color=style.MUTED, transform=axis.get_yaxis_transform())


def draw(run, width):
    found = series(run)
    every = [end for *_, ratio in ratios(run) for end in bench.ends(ratio)]
    if not every:
        return None
    locks = {row["lock"] for _, rows in found for row in rows}
    names = [a["name"] for a in run.algorithms if a["name"] in locks]
    parts = max(len(numbers(rows)) for _, rows in found)
    figure, axes, places = style.strips(width, len(found), names, parts)
    figure.text(0.01, 1, "at the right: number of clients, and grants per second", va="top",
                color=style.MUTED)
    low, high = min([*every, 1]), max([*every, 1])
    for axis, (what, rows) in zip(axes, found):
        axis.set_title(what)
        axis.set_xlim(low - 0.05 * (high - low), high + 0.4 * (high - low))
        axis.axvline(1, color=style.INK, linewidth=1)
        axis.set_xlabel("× floor")
        of_number = dict(zip(numbers(rows), zip(places, MARKS)))
        for row in rows:
            place, mark = of_number[int(row["clients"])]
            draw_row(axis, names.index(row["lock"]) + place, row,
                     style.algorithm_colour(run.index(row["lock"])), mark)
    return figure
