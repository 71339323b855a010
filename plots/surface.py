"""How often each lock is violated as its TTL and the length of pauses vary, and what Jepsen saw
of etcd's lock. The rows are those of surface.json."""

import re

import bench
import intervals
import shape as s
import words
from cost_table import Table

SHAPE = s.record({"surface": s.list_of(s.record({
    "algorithm": s.name, "ttl_us": s.maybe(s.count), "pause_length_us": s.count,
    "pause_every_us": s.count, "clients": s.count,
    "verdict": s.one_of("holds", "not seen", "violated", "stuck", "unknown"), "runs": s.count,
    "grants": s.count, "overlaps": s.count, "overlaps_per_1000_grants": bench.figure_open,
    "writes": s.count, "erased_writes": s.count, "erased_per_1000_writes": bench.figure_open,
    "replay": s.text}, {"longest_job_us": s.count}))})
ABSENT = "No surface was measured in this run."
JEPSEN = "https://jepsen.io/analyses/etcd-3.4.3"
JEPSEN_TTL_US = 2_000_000
JEPSEN_JOB_US = 2_000_000
JEPSEN_LOST = 18
"""Percent of acknowledged updates, as Jepsen published it."""
CAVEATS = (
    "Jepsen’s figure gives an order of magnitude; it is no rival. It is of etcd’s lock, not of one"
    " on Redis. There the servers of a cluster were paused, here the clients, one at a time. How"
    " long those pauses were is not published, so ours are swept. etcd’s lock renews its lease in"
    " the background: compare it with the locks that have a watchdog. And etcd 3.4.3 had a bug,"
    " fixed since, that made it worse.")


def longest_job(row):
    """Jobs last from nothing up to this; older runs have Jepsen's alone."""
    return row.get("longest_job_us", JEPSEN_JOB_US)


def kinds(run):
    """The longest jobs that were run, shortest first: each is a surface of its own."""
    return sorted({longest_job(row) for row in run.surface})


def rows_of(run, job_us):
    return [row for row in run.surface if longest_job(row) == job_us]


def main_rows(run):
    """Those whose jobs are shortest: what goes wrong there is the pauses' doing."""
    found = kinds(run)
    return rows_of(run, found[0]) if found else []


def confounded(rows):
    """Whether some jobs outlast the smallest TTL, so that pauses alone are not to blame."""
    ttls = [row["ttl_us"] for row in rows if row["ttl_us"]]
    return bool(ttls) and max(map(longest_job, rows)) >= min(ttls)


def percent(row):
    """Writes of which nothing is left in the end, in percent, or None where none was made."""
    return row["erased_per_1000_writes"]["value"] / 10 if row["writes"] else None


def table_of(run, lock, job_us):
    """{(TTL in µs or None, length of the pauses in µs): row} of one surface."""
    return {(row["ttl_us"], row["pause_length_us"]): row
            for row in rows_of(run, job_us) if row["algorithm"] == lock}


def swept(run, job_us):
    """The locks under test that have a TTL to sweep."""
    return [name for name in run.locks()
            if any(ttl is not None for ttl, _ in table_of(run, name, job_us))]


def axes(run, job_us):
    """(TTLs, lengths of pauses), both in µs, shortest first."""
    rows = rows_of(run, job_us)
    return (sorted({row["ttl_us"] for row in rows if row["ttl_us"] is not None}),
            sorted({row["pause_length_us"] for row in rows}))


def jobs_words(job_us):
    return f"jobs of 0 to {words.together(words.round_duration(job_us))}"


def intro(run):
    """The experiment in words."""
    row = next((r for r in run.surface if r["pause_length_us"]), run.surface[0])
    grants = min(row["grants"] for row in run.surface)
    return (f"{words.plural(row['clients'], 'client')} in the simulator add to one set under the"
            f" lock, in {' or '.join(map(jobs_words, kinds(run)))}: read the set, work, write it"
            f" back. Every {words.round_duration(row['pause_every_us'])} one of them, drawn at"
            " random, is paused. A holder that was paused for longer than its lease lasts writes"
            " back what it read, and erases whatever others have written since. Counted are the"
            f" writes of which nothing is left in the end. Each number rests on"
            f" {words.count(grants)} grants or more. The workload is that of Jepsen’s set test of"
            " etcd’s lock.")


def blame(run):
    """What is the pauses' doing, and what the jobs' own."""
    texts = []
    for job in kinds(run):
        rows = rows_of(run, job)
        calm = [row for row in rows if not row["pause_length_us"] and row["ttl_us"]]
        lost = sorted({row["ttl_us"] for row in calm if row["erased_writes"]})
        if not calm:
            if confounded(rows):
                texts.append(f"With {jobs_words(job)} some outlast the smaller TTLs by themselves,"
                             " so part of what is lost there is not the pauses’ doing. The row"
                             " without pauses, and shorter jobs, are not in this run.")
        elif lost:
            texts.append(f"With {jobs_words(job)}, and no pauses at all, writes are lost at TTLs"
                         f" of {words.listing(words.round_duration(us) for us in lost)}: there"
                         " the jobs outlast the lease by themselves.")
        else:
            texts.append(f"With {jobs_words(job)} nothing is lost without pauses: every loss there"
                         " is the pauses’ doing.")
    return " ".join(texts)


def alike(run):
    """Why locks have the same numbers everywhere, or nothing where no two have."""
    if len(seeds_of(run)) > 1:
        return ""
    groups = {}
    for name in run.locks():
        points = tuple((longest_job(r), r["ttl_us"], r["pause_length_us"], r["grants"],
                        r["erased_writes"], r["overlaps"])
                       for r in run.surface if r["algorithm"] == name)
        if any(point[-1] for point in points):
            groups.setdefault(points, []).append(name)
    same = [names for names in groups.values() if len(names) > 1]
    if not same:
        return ""
    found = words.listing(words.names(names) for names in same)
    return (f"{found} show the same numbers everywhere. They send as many commands at the same"
            " moments, and all points use one seed, so that the same pauses meet the same jobs:"
            " this is one experiment, not two that agree.")


def share(row):
    """3.1 (2.1–4.2): percent with its interval."""
    if row is None or percent(row) is None:
        return words.NONE
    if row["erased_writes"] == 0:
        return "0"
    return words.interval({key: None if value is None else min(value / 10, 100)
                           for key, value in row["erased_per_1000_writes"].items()})


def seeds_of(run):
    return sorted({int(n) for row in run.surface
                   for n in re.findall(r"--seed (\d+)", row["replay"])})


def seeds(run):
    """What the squares have in common, as far as their commands name a seed."""
    found = seeds_of(run)
    if not found:
        return ""
    if len(found) == 1:
        return (f"All squares have seed {found[0]}: the same pauses meet the same jobs. What"
                " another seed would change, only the intervals say.")
    own = len(found) == len(run.surface)
    return (f"{'Each square has a seed of its own' if own else 'The squares have seeds'},"
            f" {found[0]} to {found[-1]}: other pauses meet other jobs, so that squares that agree"
            " are experiments that agree.")


def squares(run, job_us):
    """Every square of one surface with its interval, a group of rows for each lock."""
    ttls, pauses = axes(run, job_us)
    groups = []
    for lock in swept(run, job_us):
        table = table_of(run, lock, job_us)
        groups.append((lock, [[words.round_duration(pause) if pause else "none",
                               *(share(table.get((ttl, pause))).replace(" (", "\n(")
                                 for ttl in ttls)] for pause in reversed(pauses)]))
    heads = ["Pause", *(f"TTL\n{words.round_duration(ttl)}" for ttl in ttls)]
    return Table(f"In numbers: writes erased, in percent (95 % interval), {jobs_words(job_us)}",
                 heads, groups, of_locks=False, folded=True)


def beside_jepsen(run):
    """The row of pauses at Jepsen's TTL and with its jobs, of each lock and of Jepsen's."""
    job_us = max(kinds(run))
    _, pauses = axes(run, job_us)
    locks = [row["name"] for row in run.algorithms]
    rows = []
    for name in locks:
        table = table_of(run, name, job_us)
        found = [table.get((JEPSEN_TTL_US, pause), table.get((None, pause))) for pause in pauses]
        if any(found):
            rows.append([name, *map(share, found)])
    heads = ["lock", *(f"pauses of\n{words.round_duration(pause)}" if pause else "no\npauses"
                       for pause in pauses)]
    least = min(row["runs"] for row in rows_of(run, job_us))
    control = [row for row in rows if row[0] not in run.locks()]
    tested = [row for row in rows if row[0] in run.locks()]
    return Table(
        f"Writes erased at a TTL of 2 s, {jobs_words(job_us)}, in percent (95 % interval)", heads,
        [("", tested), ("Controls", control)],
        "The interval joins a bootstrap’s over runs with what the share of runs leaves open, and"
        f" covers 95 % or more. 0 means: in none of {least} runs, so at 95 % in at most"
        f" {words.number(100 * intervals.share(0, least)['high'])} % of runs."
        f" etcd’s lock in Jepsen’s test, TTL 2 s, five clients, pauses every 5 s: about"
        f" {JEPSEN_LOST} % of acknowledged updates lost. A lock without a TTL has the same row"
        " whatever the TTL.")


def replay(run):
    """The command of one point, that of the middle; the others differ by TTL, pause and lock."""
    rows = [row for row in main_rows(run) if row["ttl_us"] == JEPSEN_TTL_US
            and row["algorithm"] in run.locks() and row["overlaps"]]
    return max(rows, key=lambda row: row["erased_writes"])["replay"] if rows else None
