"""Grants per second against a real Redis, one panel per number of clients."""

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

import style
import words

NAME = "throughput"
SECTION = "cost"
TITLE = "Throughput against a real Redis"
NOTE = ("Dot: grants per second; bar: its 95 % interval, often narrower than the dot. Dashed: no"
        " lock at all. Logarithmic axis: equal steps are equal factors.")


def log_axis(axis, low, high, formatter):
    """A logarithmic x axis over low..high with few, plain tick labels."""
    axis.set_xscale("log")
    axis.set_xlim(low / 1.4, high * 1.4)
    decades = high / low
    subs = (1, 2, 5) if decades < 30 else (1, 3) if decades < 100 else (1,)
    axis.xaxis.set_major_locator(LogLocator(subs=subs, numticks=6 if decades >= 1e4 else 12))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: formatter(value)))


def short(value):
    """20000 -> 20k."""
    for factor, unit in ((1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:g}"


def by_clients(run):
    """[((clients, placement), {algorithm: row})] of `throughput`, fewest clients first."""
    groups = {}
    for row in run.throughput:
        groups.setdefault((row["clients"], row["placement"]), {})[row["algorithm"]] = row
    return sorted(groups.items())


def measured(run):
    """(index in the registry, name) of each algorithm that has a throughput row."""
    having = {row["algorithm"] for row in run.throughput}
    return [(i, a["name"]) for i, a in enumerate(run.algorithms) if a["name"] in having]


def panel_title(group, rows):
    """Clients, and n: the fewest grants behind any mark of the panel."""
    clients, placement = group
    where = "" if placement == "free" else f", {placement}"
    least = min(row["grants"] for row in rows.values())
    return f"{words.plural(clients, 'client')}{where}, n ≥ {words.count(least)}"


def bar(rate):
    """(low, high) of an interval, its value where it has none; never zero for a log axis."""
    value = rate["value"]
    return rate["low"] or value, rate["high"] or value


def draw(run, width):
    groups, algorithms = by_clients(run), measured(run)
    if not groups:
        return None
    spans = [bar(row["throughput_per_s"]) for _, rows in groups for row in rows.values()]
    low = min((low for low, _ in spans if low), default=1)
    high = max([low, *(high for _, high in spans)])
    figure, axes = style.panels(width, len(groups), [name for _, name in algorithms])
    for axis, (group, rows) in zip(axes, groups):
        log_axis(axis, low, high, short)
        axis.set_title(panel_title(group, rows))
        axis.set_xlabel("grants per second")
        if "no_lock" in rows:
            axis.axvline(rows["no_lock"]["throughput_per_s"]["value"], color=style.MUTED,
                         linewidth=1, dashes=(3, 3))
        for y, (index, name) in enumerate(algorithms):
            rate = rows.get(name, {}).get("throughput_per_s")
            if rate and rate["value"]:
                colour = style.algorithm_colour(index)
                axis.hlines(y, *bar(rate), color=colour, linewidth=2)
                axis.plot(rate["value"], y, "o", color=colour, markersize=5.5)
    return figure
