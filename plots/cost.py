"""What the locks cost, as tables and sentences for the page and for Markdown.

Text has names of code in `backquotes`. A cell is text; what follows a line break in it is said
more quietly.
"""

from collections import Counter
from dataclasses import dataclass, field
from statistics import median

import bench
import words
from bench import value
from matrix import table_md

HEADS = {"same": "one processor", "two": "a processor each", "free": "kernel’s choice"}
UNRESOLVED = "no difference resolved"
INTRO = (
    "The same code of each lock against a real Redis, with nothing going wrong unless a crash is"
    " named. Figures are medians of repetitions, in brackets their 95 % intervals, which take six"
    " of them.",
    "Every repetition also measures a floor: bare hiredis sends the commands that the lock sends"
    " for a grant, without the lock. × floor is the lock’s pace over that of its floor in the same"
    " repetition, so that a machine that changes its speed changes both: below 1 the lock is"
    " slower. Where the interval has 1 in it, or there is none, no difference is resolved.")
ABSENT = "No cost was measured in this run."


@dataclass(frozen=True)
class Table:
    """A table whose rows begin with a lock, or with other text where `of_locks` is false."""

    title: str
    heads: list                    # of all columns
    groups: list                   # [(heading or "", [[first column, cell, ...]])]
    caption: str = ""
    of_locks: bool = True
    folded: bool = False           # shown only when asked for


@dataclass(frozen=True)
class Part:
    """A piece of the section: a heading, then what stands under it, or why nothing does."""

    title: str
    texts: list = field(default_factory=list)
    items: list = field(default_factory=list)   # Tables, and names of figures


def us(found):
    """A time in µs with its interval."""
    return words.NONE if found is None else signed(found)


def signed(found):
    """A figure that may be negative."""
    def one(number):
        return "−" + words.number(-number) if number < 0 else words.number(number)
    text = one(found["value"])
    return text if found["low"] is None else f"{text} ({one(found['low'])}–{one(found['high'])})"


def ratio(row):
    """The lock's pace over the floor's, with the words that its interval allows."""
    found = row["figures"].get("ratio_to_floor")
    if found is None:
        return words.NONE
    return words.interval(found) + ("" if bench.resolved(found) else f"\n{UNRESOLVED}")


def plain(row, name):
    """A figure's median alone."""
    found = value(row, name)
    return words.NONE if found is None else words.number(found)


def tally(row, name):
    """A count, or a median of counts: 4, or 1.5."""
    found = value(row, name)
    return words.NONE if found is None else f"{found:g}"


def spell(row, name):
    """A median in µs with the unit that fits."""
    return words.duration(value(row, name))


def alone_cell(row):
    if row is None:
        return words.NONE
    found = row["figures"].get("ratio_to_floor")
    floor = "" if found is None else "\n" + (
        f"{words.number(found['value'])} × floor" if bench.resolved(found) else UNRESOLVED)
    return us(row["time_us"]) + floor


def alone_places(data):
    """[(transport, placement)] that were measured, those of the main transport first."""
    main = data.transport()
    seen = {(r["over"], r["cpus"]) for r in data.of("live/uncontended")}
    return sorted(seen, key=lambda p: (p[0] != main, bench.PLACEMENTS.index(p[1])))


def alone_table(data):
    places = alone_places(data)
    rows = {}
    for row in data.of("live/uncontended"):
        rows.setdefault(row["lock"], {})[row["over"], row["cpus"]] = row
    return Table(
        "µs per grant, by where client and server run",
        ["Lock", *(f"{'Unix socket' if over == 'unix' else 'TCP'},\n{HEADS[cpus]}"
                   for over, cpus in places)],
        [("", [[lock, *(alone_cell(of.get(place)) for place in places)]
               for lock, of in rows.items()])],
        "Take and give back, nothing in between; blocking calls, as most programs use hiredis."
        " Beneath, the lock’s pace over that of its floor. Compare within a column: two processors"
        " must wake each other for each command, which on a virtual machine costs more than all"
        " the rest. " + bench.repetitions(data.of("live/uncontended")))


def split_table(data):
    rows = data.of("live/uncontended", over=data.transport())
    parts = ("network_us", "server_us", "harness_us", "lock_us")
    groups = []
    for place in bench.PLACEMENTS:
        lines = [[r["lock"], us(r["time_us"]), ratio(r),
                  *(us(r["figures"].get(name)) for name in parts),
                  plain(r, "commands_per_grant"), plain(r, "client_cpu_us"),
                  plain(r, "server_cpu_us")] for r in rows if r["cpus"] == place]
        if lines:
            groups.append((f"Client and server {bench.PLACED[place]}", lines))
    return Table(
        f"The parts of a grant over {bench.TRANSPORTS[data.transport()]}, and its processor time",
        ["Lock", "µs per\ngrant", "× floor", "Network\nµs", "Server\nµs", "Harness\nµs",
         "Lock\nµs", "Commands", "Client\nCPU µs", "Server\nCPU µs"], groups,
        "Each part is the median of its own differences, so that parts need not add up to the"
        " median whole, and noise can make one negative.", folded=True)


def orientation(data):
    """PING and redis-benchmark; None where neither was measured."""
    lines = []
    for place in bench.PLACEMENTS:
        pings = [v for r in data.of("live/uncontended", over=data.transport(), cpus=place)
                 if (v := value(r, "ping_us"))]
        if pings:
            lines.append(["PING, bare hiredis, blocking", "1", bench.PLACED[place],
                          words.number(median(pings)), words.number(1e6 / median(pings))])
    for row in data.of("live/redis_benchmark"):
        rate = value(row, "commands_per_s")
        lines.append([f"redis-benchmark: {row['command'].replace('_', ' ').upper()}",
                      row["clients"], bench.PLACED[row["cpus"]], words.number(1e6 / rate),
                      words.interval(row["figures"]["commands_per_s"])])
    if not lines:
        return None
    return Table(
        "For orientation: single commands",
        ["Command", "Clients", "Client and server", "µs per\ncommand", "Commands/s"],
        [("", lines)],
        "No lock is in these. µs per command is the time divided by all commands of all clients."
        " SET NX PX is refused while its key is there; EVAL is the script that gives a lock back"
        " and finds none.", of_locks=False)


CONTENDED = (("Hand-over\np50", spell, "hand_over_p50_us"), ("Wait\np50", spell, "wait_p50_us"),
             ("p99", spell, "wait_p99_us"), ("longest", spell, "wait_max_us"),
             ("Jain", plain, "jain"), ("Clients\nwithout", tally, "clients_without_a_grant"),
             ("Commands\nper grant", plain, "commands_per_grant"),
             ("Client\nCPU µs", plain, "client_cpu_us"),
             ("Server\nCPU µs", plain, "server_cpu_us"),
             ("Overlaps\nper 1,000", plain, "overlaps_per_1000"))
PACE = ["Grants/s", "× floor"]


def contended_cells(row):
    return [words.interval(row["figures"].get("grants_per_s")), ratio(row),
            *(show(row, name) for _, show, name in CONTENDED)]


def where(row):
    """over a unix socket, client and server on a processor each"""
    return (f"over {bench.TRANSPORTS[row['over']]}, client and server {bench.PLACED[row['cpus']]}")


def policy(row):
    """jitter, about every 1 ms"""
    return f"{row['wait']}, about every {bench.spoken(row['retry'])}"


def contended_table(data):
    clients, rows = data.contended()
    row = next(iter(rows.values()))
    think = bench.us(row["think"])
    pause = f"thinks for {bench.spoken(row['think'])}" if think else "does not think"
    return Table(
        f"{words.plural(clients, 'client')}, one key",
        ["Lock", *PACE, *(head for head, *_ in CONTENDED)],
        [("", [[lock, *contended_cells(r)] for lock, r in rows.items()])],
        f"Closed loop {where(row)}: each client holds the key {bench.spoken(row['hold'])}, {pause}"
        f" and wants it again; a refused client tries again"
        f" ({policy(row)}), unless its lock has a way to wait of its own. The floor is one bare"
        " client that takes, holds and gives back by itself. Hand-over: from a holder’s leaving"
        " to the next grant, if somebody waited. Waits are from the first try; one that the end"
        " of the run cut off counts as long as it was by then, and a percentile beyond which no"
        " wait lies is left out. Jain is 1 where all clients got the same, 1/clients where one"
        " got everything. Clients without: that never got a grant. CPU is per grant. "
        + bench.repetitions(list(rows.values())))


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
                       [[r["lock"], words.interval(r["figures"].get("grants_per_s")),
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
                     else f"{words.number(without)} of them got no grant")
        found.append(
            f"{words.plural(int(row['clients']), 'client')} in one process, each with a key of its"
            f" own (`{row['lock']}`): {words.interval(row['figures']['bytes_per_client'])} bytes of"
            f" heap each, without the kernel’s buffers of its socket; {everybody}."
            f" {bench.repetitions([row])}")
    return found


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

    def part(title, there, absent, make):
        found.append(Part(title, items=[i for i in make() if i is not None]) if there
                     else Part(title, texts=[absent]))

    part("One client, nobody else", data.of("live/uncontended"),
         "What one client takes for a grant was not measured in this run.",
         lambda: [alone_table(data), "parts", split_table(data), orientation(data)])
    part("Many clients, one key", data.of("live/contended"),
         "Clients that contend for one key were not measured in this run.",
         lambda: [contended_table(data), policies(data), articles(data)])
    part("More clients", data.of("live/distinct") or data.of("live/contended"),
         "Throughput against the number of clients was not measured in this run.",
         lambda: ["throughput", "fairness"])
    part("Waits", data.of("live/arrivals") or data.of("live/contended"),
         "Waits for a grant were not measured in this run.",
         lambda: ["waits", open_loop(data) if data.of("live/arrivals") else None])
    part("After a crash", data.of("live/recovery"),
         "Recovery from a crash was not measured in this run.", lambda: ["recovery"])
    part("Safety against throughput", data.of("sim/plane"),
         "Violations against throughput were not simulated in this run.", lambda: ["plane"])
    many = many_clients(data)
    found.append(Part("Memory", texts=many or [
        "The memory of many clients was not measured in this run."]))
    return found


def as_md(table):
    """A Table in Markdown; its groups become a first column's lines in bold."""
    rows = []
    for heading, lines in table.groups:
        if heading:
            rows.append([f"**{heading}**", *[""] * (len(table.heads) - 1)])
        rows += [[f"`{line[0]}`" if table.of_locks else line[0],
                  *(cell.replace("\n", ", ") for cell in line[1:])] for line in lines]
    return table_md([head.replace("\n", " ") for head in table.heads], rows,
                    range(1, len(table.heads)))
