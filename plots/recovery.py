"""From a holder's crash to the next grant, in sentences and a table; a figure would show the TTL
and nothing else.
"""

import bench
import words
from bench import value
from cost_table import Table

PATIENCE = 5
"""In TTLs: who has not got the lock by then never does."""
MOST = 0.75
"""Of the crashes: what more were recovered from is called all. Some crashes end their run."""
LATE = 1.1
"""In TTLs: a median up to here is the TTL's doing, and the next try's."""


def rows_of(run):
    """Rows in which a holder did crash."""
    found = run.bench.usual("live/recovery") if run.bench else []
    return [r for r in found if value(r, "crashes")]


def outcome(row):
    """How many crashes were recovered from: "all", "some" or "never"."""
    recovered, crashes = value(row, "recovered") or 0, value(row, "crashes")
    return "never" if not recovered else "all" if recovered > MOST * crashes else "some"


def median(row):
    return value(row, "recovery_p50_us")


def kind(row):
    """How the next grant came: "never", "some", or, where it did, "free", "ttl" or "late"."""
    came = outcome(row)
    if came != "all":
        return came
    if row["ttl"] == "none" or median(row) < 0.5 * bench.us(row["ttl"]):
        return "free"
    return "ttl" if median(row) <= LATE * bench.us(row["ttl"]) else "late"


def reach(times):
    """200 ms; 200 to 202 ms."""
    ends = list(dict.fromkeys(words.duration(us) for us in (min(times), max(times))))
    return " to ".join(ends)


def said(rows, form, times=()):
    """A sentence on the locks of one kind, or nothing where there is none."""
    if not rows:
        return []
    who = words.names(row["lock"] for row in rows)
    return [form.format(who=who, times=reach(times) if times else "")]


def sentences(run):
    """What came after a crash, a sentence for each kind of lock."""
    rows = rows_of(run)
    if not rows:
        return []
    first = rows[0]
    kinds = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    ttls = words.listing(dict.fromkeys(bench.spoken(r["ttl"]) for r in rows if r["ttl"] != "none"))
    waited = kinds.get("ttl", [])
    text = [f"Groups of {words.plural(int(first['clients']), 'client')} with a key each,"
            f" {bench.where(first)}; one client crashes while it is inside, the others try again"
            f" about every {bench.spoken(first['retry'])}. A crash that ended its group’s run is"
            " not counted."]
    if waited:
        longest = max(waited, key=lambda row: value(row, "recovery_max_us"))
        text.append(
            f"The next client had to wait for the TTL ({ttls}), and hardly longer, with"
            f" {words.names(row['lock'] for row in waited)}: in the median"
            f" {reach([median(row) for row in waited])}, at the longest"
            f" {words.duration(value(longest, 'recovery_max_us'))} (`{longest['lock']}`).")
    late = kinds.get("late", [])
    text += said(late, "Longer than the TTL: {who}, in the median {times}.", [*map(median, late)])
    text += said(kinds.get("some"), "Only some crashes were followed by a grant: {who}.")
    text += said(kinds.get("never"), f"Never, that is for {PATIENCE} TTLs: {{who}}.")
    free = kinds.get("free", [])
    text += said(free, "Without waiting for a TTL: {who}, in the median {times}.",
                 [*map(median, free)])
    return [" ".join(text)]


def table(run):
    """Every lock with its intervals."""
    rows = rows_of(run)
    if not rows:
        return None

    def time(row, name):
        found = row["figures"].get(name)
        if found is None:
            return words.NONE
        ends = "" if found["low"] is None else (
            f"\n({words.duration(found['low'])}–{words.duration(found['high'])})")
        return words.duration(found["value"]) + ends

    return Table(
        "From a crash to the next grant, lock by lock",
        ["Lock", "TTL", "Median", "Longest", "Crashes", "Followed by\na grant"],
        [("", [[r["lock"], words.NONE if r["ttl"] == "none" else bench.spoken(r["ttl"]),
                time(r, "recovery_p50_us"), time(r, "recovery_max_us"),
                words.number(value(r, "crashes")), words.number(value(r, "recovered") or 0)]
               for r in rows])],
        bench.repetitions(rows), folded=True)
