"""What a lock costs one client when nobody else wants it, as tables; beside it single commands."""

from statistics import median

import bench
import words
from bench import value
from cost_table import UNRESOLVED, Table, beneath, plain, ratio, us

HEADS = {"same": "one processor", "two": "a processor each", "free": "kernel’s choice"}


def alone_cell(row):
    if row is None:
        return words.NONE
    found = row["figures"].get("ratio_to_floor")
    floor = "" if found is None else "\n" + (
        f"{found['value']:.{bench.DIGITS}f} × floor" if bench.resolved(found) else UNRESOLVED)
    return us(row["time_us"]) + floor


def alone_places(data):
    """[(transport, placement)] that were measured, those of the main transport first."""
    main = data.transport()
    seen = {(r["over"], r["cpus"]) for r in data.of("live/uncontended")}
    return sorted(seen, key=lambda p: (p[0] != main, bench.PLACEMENTS.index(p[1])))


def faster(data):
    """A sentence on locks whose pace is above their floor's, where that is resolved; or nothing."""
    found = {}
    for row in data.of("live/uncontended"):
        ratio_ = row["figures"].get("ratio_to_floor")
        if ratio_ and bench.resolved(ratio_) and ratio_["value"] > 1:
            found.setdefault(row["lock"], []).append(f"{ratio_['value']:.{bench.DIGITS}f}")
    if not found:
        return ""
    named = words.listing(f"`{lock}` ({words.listing(ratios)})" for lock, ratios in found.items())
    return (f"Faster than their floor: {named}. The floor writes its commands with hiredis, a lock"
            " writes its own with fewer instructions; how much of the difference that explains was"
            " not measured. ")


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
        " the rest. " + faster(data) + bench.repetitions(data.of("live/uncontended")))


def split_table(data):
    rows = data.of("live/uncontended", over=data.transport())
    parts = ("network_us", "server_us", "harness_us", "lock_us")
    groups = []
    for place in bench.PLACEMENTS:
        lines = [[r["lock"], beneath(us(r["time_us"])), ratio(r),
                  *(beneath(us(r["figures"].get(name))) for name in parts),
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
        if not (rate := value(row, "commands_per_s")):
            continue
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
        " SET NX PX is refused while its key is there; EVALSHA is the script that gives a lock"
        " back and finds none.", of_locks=False)
