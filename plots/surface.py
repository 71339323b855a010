"""How often each lock is violated as its TTL and the length of pauses vary, and what Jepsen saw
of etcd's lock. The rows are those of surface.json."""

import bench
import load
import shape as s
import words
from cost_table import Table

SHAPE = s.record({"surface": s.list_of(s.record({
    "algorithm": s.name, "ttl_us": s.maybe(s.count), "pause_length_us": s.count,
    "pause_every_us": s.count, "clients": s.count,
    "verdict": s.one_of("holds", "violated", "stuck", "unknown"), "runs": s.count,
    "grants": s.count, "overlaps": s.count, "overlaps_per_1000_grants": bench.figure_open,
    "writes": s.count, "erased_writes": s.count, "erased_per_1000_writes": bench.figure_open,
    "replay": s.text}))})
ABSENT = "No surface was measured in this run."
JEPSEN = "https://jepsen.io/analyses/etcd-3.4.3"
JEPSEN_TTL_US = 2_000_000
JEPSEN_LOST = 18
"""Percent of acknowledged updates, as Jepsen published it."""
CAVEATS = (
    "Jepsen’s figure is beside ours for its order of magnitude, not as a rival. It is of etcd’s"
    " lock, not of one on Redis; the servers of a cluster were paused there, here the clients, one"
    " at a time; how long the pauses were is not said there, so ours are swept. etcd’s lock renews"
    " its lease in the background, so the locks with a watchdog are the ones to hold it against."
    " And etcd 3.4.3 had a bug, mended since, that made it worse.")


def percent(row):
    """Writes of which nothing is left in the end, in percent, or None where none was made."""
    return row["erased_per_1000_writes"]["value"] / 10 if row["writes"] else None


def table_of(run, lock):
    """{(TTL in µs or None, length of the pauses in µs): row}."""
    return {(row["ttl_us"], row["pause_length_us"]): row
            for row in run.surface if row["algorithm"] == lock}


def swept(run):
    """The locks under test that have a TTL to sweep."""
    return [name for name in run.locks()
            if any(ttl is not None for ttl, _ in table_of(run, name))]


def axes(run):
    """(TTLs, lengths of pauses), both in µs, shortest first."""
    return (sorted({row["ttl_us"] for row in run.surface if row["ttl_us"] is not None}),
            sorted({row["pause_length_us"] for row in run.surface}))


def intro(run):
    """The experiment in words."""
    row = run.surface[0]
    grants = min(row["grants"] for row in run.surface)
    return (f"{words.plural(row['clients'], 'client')} in the simulator add to one set, in jobs of"
            " 0 to 2 s under the lock: read the set, work, write it back. Every"
            f" {words.round_duration(row['pause_every_us'])} one of them, drawn at random, is"
            " paused. A holder that was paused for longer than its lease lasts writes back what it"
            " read, and whatever others have written since is erased. Counted are the writes of"
            f" which nothing is left in the end; each number rests on {words.count(grants)} grants"
            " or more. The workload is that of Jepsen’s set test of etcd’s lock.")


def share(row):
    """3.1 (2.1–4.2): percent with its interval."""
    if row is None or percent(row) is None:
        return words.NONE
    found = {key: None if value is None else min(value / 10, 100)
             for key, value in row["erased_per_1000_writes"].items()}
    if row["erased_writes"] == 0:
        return "0" if found["high"] is None else f"0 (≤ {words.number(found['high'])})"
    return words.interval(found)


def beside_jepsen(run):
    """The row of pauses at Jepsen's TTL, of each lock and of Jepsen's."""
    _, pauses = axes(run)
    locks = [row["name"] for row in run.algorithms]
    rows = []
    for name in locks:
        table = table_of(run, name)
        found = [table.get((JEPSEN_TTL_US, pause), table.get((None, pause))) for pause in pauses]
        if any(found):
            rows.append([name, *map(share, found)])
    heads = ["lock", *(f"pauses of\n{words.round_duration(pause)}" for pause in pauses)]
    control = [row for row in rows if row[0] in load.CONTROLS]
    tested = [row for row in rows if row[0] not in load.CONTROLS]
    return Table(
        "Writes erased at a TTL of 2 s, in percent (95 % interval)", heads,
        [("", tested), ("Controls", control)],
        f"etcd’s lock in Jepsen’s test, TTL 2 s, five clients, pauses every 5 s: about"
        f" {JEPSEN_LOST} % of acknowledged updates lost. A lock without a TTL has the same row"
        " whatever the TTL.")


def replay(run):
    """The command of one point, that of the middle; the others differ by TTL, pause and lock."""
    rows = [row for row in run.surface if row["ttl_us"] == JEPSEN_TTL_US
            and row["algorithm"] not in load.CONTROLS and row["overlaps"]]
    return max(rows, key=lambda row: row["erased_writes"])["replay"] if rows else None
