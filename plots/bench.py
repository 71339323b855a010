"""The rows of bench.json: what they must look like, and which of them are spoken of.

A figure is {"value", "low", "high"}: the median of the repetitions with its 95 % interval, both
ends null below six repetitions, and "values", one for each of them. Times end in _us, rates in
_per_s.
"""

import re
from collections import Counter
from dataclasses import dataclass

import shape as s
import words

PLACEMENTS = ("same", "two", "free")
PLACED = {"same": "on one processor", "two": "on a processor each",
          "free": "wherever the kernel puts them"}
"""Where client and server run, after "client and server"."""
TRANSPORTS = {"unix": "a unix socket", "tcp": "TCP"}
USUAL_CLIENTS = 8
FEW = 6
"""Fewer repetitions than these have no 95 % interval."""
DIGITS = 3
"""Of a ratio, behind the point."""
INTERRUPTED = "interrupted"
"""The error of a benchmark that the user stopped; its repetitions before that are whole."""
UNITS_US = {"us": 1, "ms": 1_000, "s": 1_000_000, "min": 60_000_000}


def figure(value, where):
    """A median with both ends of its interval, or with neither."""
    s.record({"value": s.real, "low": s.maybe(s.real), "high": s.maybe(s.real)},
             {"values": s.list_of(s.real)})(value, where)
    low, high = value["low"], value["high"]
    fits = (low is None) == (high is None) and (low is None or low <= value["value"] <= high)
    s.need(fits, value, where, "a value between low and high, or with both of them null")


def figure_open(value, where):
    """A rate whose interval may be open above: then `high` is null."""
    s.record({"value": s.number, "low": s.number, "high": s.maybe(s.number)})(value, where)


def clients(value, where):
    fits = isinstance(value, str) and re.fullmatch(r"[1-9]\d{0,6}", value)
    s.need(fits, value, where, 'a number of clients in quotes, as "8"')


def duration(value, where):
    fits = isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?(us|ms|s|min)", value)
    s.need(fits, value, where, 'a duration, as "500us"')


def ttl(value, where):
    if value != "none":
        duration(value, where)


LOCK = {"lock": s.name}
PLACE = {"over": s.one_of(*TRANSPORTS), "cpus": s.one_of(*PLACEMENTS)}
CLIENTS = {"clients": clients}
PARTS = {
    "live/uncontended": {**LOCK, **PLACE},
    "live/distinct": {**LOCK, **PLACE, **CLIENTS},
    "live/contended": {**LOCK, **PLACE, **CLIENTS, "hold": duration, "think": duration,
                       "wait": s.one_of("fixed", "jitter", "exponential"), "retry": duration},
    "live/arrivals": {**LOCK, **PLACE, **CLIENTS, "rate": clients, "hold": duration},
    "live/recovery": {**LOCK, **PLACE, **CLIENTS, "ttl": ttl, "retry": duration},
    "live/clients": {**LOCK, **PLACE, **CLIENTS},
    "live/proxy": {"over": s.one_of(*TRANSPORTS), **CLIENTS},
    "live/redis_benchmark": {**PLACE, **CLIENTS, "command": s.name},
    "sim/plane": {**LOCK, **CLIENTS, "ttl": ttl, "faults": s.faults},
}
"""What tells the rows of a suite apart. Rows of other suites are not shown."""


def row(value, where):
    """A row that came to its end has figures; one with an error need not."""
    s.record({"name": s.text, "suite": s.text, "repetitions": s.count, "error": s.maybe(s.text)},
             {"figures": s.map_of(figure), "time_us": figure})(value, where)
    s.record(PARTS.get(value["suite"], {}))(value, where)
    if value["error"] is None:
        s.record({"figures": s.anything, "time_us": s.anything})(value, where)


SHAPE = s.record({"rows": s.list_of(row), "noise": s.list_of(s.text)})


def us(text):
    """A duration of a row's name in microseconds: "500us" -> 500."""
    number, unit = re.fullmatch(r"([\d.]+)(\D+)", text).groups()
    return float(number) * UNITS_US[unit]


def spoken(text):
    """A duration of a row's name as a reader wants it: "500us" -> 500 µs, on one line."""
    return words.together(words.round_duration(us(text)))


def where(row):
    """Over a unix socket, client and server on a processor each."""
    return f"over {TRANSPORTS[row['over']]}, client and server {PLACED[row['cpus']]}"


def medians(rows):
    """What every median rests on."""
    least, most = min(r["repetitions"] for r in rows), max(r["repetitions"] for r in rows)
    n = words.plural(most, "repetition") if least == most else f"{least} to {most} repetitions"
    return f"Medians of n = {n}"


def repetitions(rows):
    """The same, and whether there are intervals."""
    numbers = [r["repetitions"] for r in rows]
    few = " (none below six)" if min(numbers) < FEW <= max(numbers) else ""
    return medians(rows) + (f", with their 95 % intervals{few}." if max(numbers) >= FEW else
                            ": too few for an interval, which takes six.")


def value(row, name):
    """A figure's median, or None where the row has no such figure."""
    found = row["figures"].get(name) if row else None
    return None if found is None else found["value"]


def ends(found):
    """(low, high) of a figure; its value where it has no interval."""
    middle = found["value"]
    return (middle, middle) if found["low"] is None else (found["low"], found["high"])


def resolved(ratio):
    """Whether the interval of a ratio leaves 1 out as it is printed, to the thousandth; without an
    interval nothing is resolved."""
    if ratio["low"] is None:
        return False
    return round(ratio["low"], DIGITS) > 1 or round(ratio["high"], DIGITS) < 1


def setting(row):
    """What tells rows of a suite apart, but the lock and what is swept."""
    return tuple((key, row[key]) for key in sorted(PARTS[row["suite"]])
                 if key not in ("lock", "clients", "ttl", "rate"))


def readable(row):
    """Whether figures are read from a row. What survived any other error is not representative."""
    return "figures" in row and row["error"] in (None, INTERRUPTED)


@dataclass(frozen=True)
class Bench:
    """What a run measured, its locks in the registry's order."""

    rows: list     # from which figures are read
    errors: list   # rows that say why they have none, or fewer repetitions than the others
    noise: list    # sentences on what disturbed the measurement

    def of(self, suite, **parts):
        """The rows of one suite that have these parts."""
        return [r for r in self.rows if r["suite"] == suite
                and all(r[key] == part for key, part in parts.items())]

    def usual(self, suite):
        """The rows of the setting that most rows of the suite have; of equal ones the first."""
        rows = self.of(suite)
        most = Counter(map(setting, rows)).most_common(1)
        return [r for r in rows if setting(r) == most[0][0]]

    def transport(self):
        """The transport of the main tables: the unix socket, unless there was only TCP."""
        over = {r["over"] for r in self.rows if "over" in r}
        return "tcp" if over == {"tcp"} else "unix"

    def contended(self):
        """(clients, {lock: row}): with 8 clients, or the most that there are up to 8."""
        rows = self.usual("live/contended")
        numbers = {int(r["clients"]) for r in rows}
        most = max((n for n in numbers if n <= USUAL_CLIENTS), default=min(numbers, default=0))
        return most, {r["lock"]: r for r in rows if int(r["clients"]) == most}

    def arrivals(self):
        """(rate, {lock: row}) of the open loop, at the middle one of its rates."""
        rows = self.usual("live/arrivals")
        rates = sorted({int(r["rate"]) for r in rows})
        rate = rates[(len(rates) - 1) // 2] if rates else 0
        return rate, {r["lock"]: r for r in rows if int(r["rate"]) == rate}


def by_clients(rows):
    """{lock: [(clients, row)]}, fewest clients first."""
    table = {}
    for one in rows:
        table.setdefault(one["lock"], []).append((int(one["clients"]), one))
    return {lock: sorted(pairs, key=lambda pair: pair[0]) for lock, pairs in table.items()}
