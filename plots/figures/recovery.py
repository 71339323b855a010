"""From a holder's crash to the next grant, against the TTL."""

import bench
import style
import words

NAME = "recovery"
SECTION = "cost"
DATA = "bench.csv"
TITLE = "After a holder's crash: how long until the next grant"
PATIENCE = 5
"""In TTLs: who has not got the lock by then never does."""
MOST = 0.75
"""Of the crashes: what more were recovered from is called all. Some crashes end their run."""


def rows_of(run):
    """Rows in which a holder did crash."""
    found = run.bench.usual("live/recovery") if run.bench else []
    return [r for r in found if bench.value(r, "crashes")]


def outcome(row):
    """How many crashes were recovered from: "all", "some" or "never"."""
    recovered, crashes = bench.value(row, "recovered") or 0, bench.value(row, "crashes")
    return "never" if not recovered else "all" if recovered > MOST * crashes else "some"


def never(run):
    """Names of the locks after whose crash nobody ever got the lock."""
    return [r["lock"] for r in rows_of(run) if outcome(r) == "never"]


def note(run):
    rows, lost = rows_of(run), never(run)
    some = (" “k of n”: so few of the crashes were followed by a grant."
            if any(outcome(r) == "some" for r in rows) else "")
    return (f"Groups of {words.plural(int(rows[0]['clients']), 'client')} with a key each,"
            f" {bench.where(rows[0])}; one client crashes while it is inside, the others try again"
            f" about every {bench.spoken(rows[0]['retry'])}. Dot: the median crash, with its"
            f" interval; stroke:"
            " the longest; dashed: the TTL of locks that have one. A crash that ended its group's"
            f" run is not counted.{some} Never: no grant for {PATIENCE} TTLs"
            + (f", as with {words.names(lost)}" if lost else ", which no lock showed")
            + f". Logarithmic axis. {bench.repetitions(rows)}")


def draw(run, width):
    rows = rows_of(run)
    if not rows:
        return None
    names = [a["name"] for a in run.algorithms if any(r["lock"] == a["name"] for r in rows)]
    ttls = sorted({bench.us(r["ttl"]) for r in rows if r["ttl"] != "none"})
    times = [v for r in rows for name in ("recovery_p50_us", "recovery_max_us")
             if (v := bench.value(r, name))]
    figure, (axis,) = style.panels(width, 1, names, head=26, right=90 if width >= 600 else 62)
    reach = [*times, *ttls] or [1]
    style.log_axis(axis.xaxis, max(1, min(reach)), max(reach), words.round_duration,
                   ticks=6 if width >= 600 else 3)
    axis.set_xlabel("from the crash to the next grant")
    for ttl in ttls:
        axis.axvline(ttl, color=style.MUTED, linewidth=1.2, dashes=(3, 3))
        axis.text(ttl, -0.62, f"TTL {words.round_duration(ttl)}", ha="center", va="bottom",
                  fontsize=11, color=style.MUTED)
    for row in rows:
        y = names.index(row["lock"])
        colour = style.algorithm_colour(run.index(row["lock"]))
        end = {"x": 1.01, "y": y, "va": "center", "transform": axis.get_yaxis_transform()}
        if outcome(row) == "never":
            axis.text(**end, s="never", fontweight="semibold")
            continue
        median, longest = row["figures"]["recovery_p50_us"], bench.value(row, "recovery_max_us")
        low, high = (max(1, v) for v in bench.ends(median))
        axis.hlines(y, low, max(high, longest), color=colour, linewidth=1.4)
        axis.plot(max(1, median["value"]), y, "o", color=colour, markersize=6)
        axis.plot(max(1, longest), y, "|", color=colour, markersize=11, markeredgewidth=1.8)
        said = words.duration(median["value"])
        if outcome(row) == "some":
            said += (f", {words.number(bench.value(row, 'recovered'))} of"
                     f" {words.number(bench.value(row, 'crashes'))}")
        axis.text(**end, s=said, fontsize=11.5, color=style.MUTED)
    return figure
