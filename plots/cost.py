"""What the locks cost, as tables and sentences for the page and for Markdown.

Text has names of code in `backquotes`.
"""

from collections import Counter
from dataclasses import dataclass, field

import bench
import recovery
import round_trips
import words
from bench import value
from cost_alone import alone_table, orientation, split_table
from cost_table import Table, beneath, plain, ratio, spell, tally

INTRO = (
    "The same code of each lock against a real Redis, with nothing going wrong unless a crash is"
    " named. Figures are medians of repetitions, in brackets their 95 % intervals, which take six"
    " of them.",
    "Every repetition also measures a floor: bare hiredis sends the commands that the lock sends"
    " for a grant, without the lock. × floor is the lock’s pace over that of its floor in the same"
    " repetition, so that a machine that changes its speed changes both: below 1 the lock is"
    " slower. Where the interval has 1 in it, or there is none, no difference is resolved.",
    "A 95 % interval misses one time in twenty. Where ten locks are compared, chance alone shows a"
    " difference in about two tables of five: trust one that a second run shows again.")
ABSENT = "No cost was measured in this run."
NOT_EACH = ("bench.csv and bench.json have the median and the interval of each row, and no single"
            " repetition. `./locklab bench --json` measures again and has every repetition in it.")
EACH = ("Medians and intervals rest on these values, in the order in which they were measured."
        " bench.csv and bench.json have those of every figure, as `values`.")


@dataclass(frozen=True)
class Section:
    """A piece of the section: a heading, then what stands under it, or why nothing does."""

    title: str
    texts: list = field(default_factory=list)
    items: list = field(default_factory=list)   # Tables, and names of figures


CONTENDED = (("Hand-over\np50", spell, "hand_over_p50_us"), ("Wait\np50", spell, "wait_p50_us"),
             ("p99", spell, "wait_p99_us"), ("longest", spell, "wait_max_us"),
             ("Jain", plain, "jain"), ("Clients\nwithout", tally, "clients_without_a_grant"),
             ("Commands\nper grant", plain, "commands_per_grant"),
             ("Client\nCPU µs", plain, "client_cpu_us"),
             ("Server\nCPU µs", plain, "server_cpu_us"))
PACE = ["Grants/s", "× floor"]


def pace(row):
    """Grants per second."""
    return beneath(words.interval(row["figures"].get("grants_per_s")))


def contended_cells(row):
    return [pace(row), ratio(row), *(show(row, name) for _, show, name in CONTENDED)]


def overlaps(rows, locks):
    """A sentence on those of the locks that let two clients in."""
    found = [f"`{row['lock']}` ({words.number(n)})" for row in rows
             if row["lock"] in locks and (n := value(row, "overlaps_per_1000"))]
    return (f"Overlaps per 1,000 grants: {words.listing(found)}." if found
            else "No lock under test let two clients in.")


def policy(row):
    """jitter, about every 1 ms"""
    return f"{row['wait']}, about every {bench.spoken(row['retry'])}"


def contended_table(data, locks):
    clients, rows = data.contended()
    row = next(iter(rows.values()))
    think = bench.us(row["think"])
    pause = f"thinks for {bench.spoken(row['think'])}" if think else "does not think"
    return Table(
        f"{words.plural(clients, 'client')}, one key",
        ["Lock", *PACE, *(head for head, *_ in CONTENDED)],
        [("", [[lock, *contended_cells(r)] for lock, r in rows.items()])],
        f"Closed loop {bench.where(row)}: each client holds the key {bench.spoken(row['hold'])},"
        f" {pause} and wants it again; a refused client tries again ({policy(row)}), unless"
        f" its lock has a way to wait of its own. The floor is one bare"
        " client that takes, holds and gives back by itself. Hand-over: from a holder’s leaving"
        " to the next grant, if somebody waited. Waits are from the first try; one that the end"
        " of the run cut off counts as long as it was by then, and a percentile beyond which no"
        " wait lies is left out. Jain is 1 where all clients got the same, 1/clients where one"
        " got everything. Clients without: that never got a grant. CPU is per grant."
        f" {overlaps(rows.values(), locks)} " + bench.repetitions(list(rows.values())))


def policies(data):
    """The lock under which ways to wait were compared, or None if there were fewer than two."""
    clients, rows = data.contended()
    usual = next(iter(rows.values()))
    same = ("over", "cpus", "hold", "think", "retry")
    found = [r for r in data.of("live/contended") if all(r[k] == usual[k] for k in same)]
    number = Counter((r["lock"], r["clients"]) for r in found).most_common(1)
    (lock, many), ways = number[0]
    if ways < 2:
        return None
    return Table(
        f"Ways to wait, `{lock}`, {words.plural(int(many), 'client')}",
        ["Wait", *PACE, *(head for head, *_ in CONTENDED)],
        [("", [[r["wait"], *contended_cells(r)] for r in found
               if (r["lock"], r["clients"]) == (lock, many)])],
        f"Everything else as above, with a delay of {bench.spoken(usual['retry'])}. Fixed: always"
        " the delay. Jitter: 0.5 to 1.5 delays. Exponential: from half a delay to one that"
        " doubles with each try, up to 64 delays. All drawn evenly.", of_locks=False)


def articles(data):
    """Rows with the delay of the lock's own article, or None."""
    rows = [r for r in data.of("live/contended") if r["hold"] != data.usual(
        "live/contended")[0]["hold"]]
    if not rows:
        return None
    return Table(
        "With the delay of the lock’s own article",
        ["Lock", "Clients", "Hold", "Delay", *PACE, *(head for head, *_ in CONTENDED)],
        [("", [[r["lock"], r["clients"], bench.spoken(r["hold"]), bench.spoken(r["retry"]),
                *contended_cells(r)] for r in rows])], folded=True)


def open_loop(data):
    rows = data.usual("live/arrivals")
    groups = []
    for rate in sorted({int(r["rate"]) for r in rows}):
        own = [r for r in rows if int(r["rate"]) == rate]
        groups.append((f"{words.count(rate)} times a second, "
                       + words.plural(int(own[0]["clients"]), "client"),
                       [[r["lock"], pace(r),
                         *(show(r, name) for _, show, name in CONTENDED[:9])] for r in own]))
    return Table(
        "Open loop: wanted at a fixed rate", ["Lock", "Grants/s", *(h for h, *_ in CONTENDED[:9])],
        groups, f"Together the clients want the key so often, whether or not it keeps up; it is"
        f" held {bench.spoken(rows[0]['hold'])}. A wait begins when the client was to want the"
        " key. " + bench.repetitions(rows), folded=True)


def many_clients(data):
    """A sentence for each row of live/clients."""
    found = []
    for row in data.of("live/clients"):
        without = value(row, "clients_without_a_grant")
        everybody = ("all of them got their grants" if not without
                     else f"{without:g} of them got no grant")
        found.append(
            f"{words.plural(int(row['clients']), 'client')} in one process, each with a key of its"
            f" own (`{row['lock']}`): {words.interval(row['figures']['bytes_per_client'])} bytes of"
            f" heap each, without the kernel’s buffers of its socket; {everybody}."
            f" {bench.repetitions([row])}")
    return found


def unfinished(data):
    """3 benchmarks did not come to the end:"""
    return f"{words.plural(len(data.errors), 'benchmark')} did not come to the end:"


def troubles(data):
    """A sentence for each error of a suite: how many benchmarks, and which."""
    table = {}
    for row in data.errors:
        table.setdefault((row["suite"], row["error"]), []).append(row["name"])
    return [f"{suite}, {words.names(names) if len(names) < 3 else f'{len(names)} benchmarks'}:"
            f" {error}" for (suite, error), names in table.items()]


def parts(run):
    """The section, part by part, in its order."""
    data, found = run.bench, []

    def part(title, there, absent, make, texts=()):
        found.append(Section(title, list(texts), [i for i in make() if i is not None]) if there
                     else Section(title, texts=[absent]))

    if trips := round_trips.table(run):
        found.append(Section("What carries over: round trips", items=[trips]))
    part("One client, nobody else, on our machine", data.of("live/uncontended"),
         "What one client takes for a grant was not measured in this run.",
         lambda: [alone_table(data), "parts", split_table(data), orientation(data)])
    part("Many clients, one key", data.of("live/contended"),
         "Clients that contend for one key were not measured in this run.",
         lambda: [contended_table(data, run.locks()), policies(data), articles(data)])
    part("More clients", data.of("live/distinct") or data.of("live/contended"),
         "Throughput against the number of clients was not measured in this run.",
         lambda: ["throughput", "fairness"])
    part("Waits", data.of("live/arrivals") or data.of("live/contended"),
         "Waits for a grant were not measured in this run.",
         lambda: ["waits", open_loop(data) if data.of("live/arrivals") else None])
    part("After a crash", data.of("live/recovery"),
         "Recovery from a crash was not measured in this run.", lambda: [recovery.table(run)],
         recovery.sentences(run))
    part("Safety against throughput", data.of("sim/plane"),
         "Violations against throughput were not simulated in this run.", lambda: ["plane"])
    many = many_clients(data)
    found.append(Section("Memory", texts=many or [
        "The memory of many clients was not measured in this run."]))
    table = each_repetition(data)
    found.append(Section("Each repetition", [EACH if table else NOT_EACH],
                         [table] if table else []))
    return found


def each_repetition(data):
    """What was measured of each row: the values of which the time is a median."""
    groups = {}
    for row in data.rows:
        values = row.get("time_us", {}).get("values")
        if values:
            name = row["name"].removeprefix(row["suite"]).lstrip("/")
            groups.setdefault(row["suite"], []).append(
                [name, ", ".join(map(words.number, values))])
    return Table("µs of each repetition, row by row", ["Row", "µs"], list(groups.items()),
                 of_locks=False, folded=True) if groups else None
