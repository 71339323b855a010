"""What a lock costs wherever it runs: round trips to Redis, times the reader's round-trip time."""

import bench
import words
from cost_table import Table

TRIPS_US = (200, 1_000, 20_000)
"""Round-trip times that stand as examples: a rack, a region, another region."""
PLACES = ("same rack", "same region", "far away")


def of_lock(run):
    """{lock: commands for one grant, taken and given back, with nobody else there}."""
    rows = run.bench.of("live/uncontended") if run.bench else []
    found = {}
    for row in rows:
        trips = bench.value(row, "commands_per_grant")
        if trips is not None and row["lock"] in run.locks():
            found.setdefault(row["lock"], trips)
    return found


def table(run):
    """Round trips first, then what they come to; None where they were not measured."""
    found = of_lock(run)
    if not found:
        return None
    renews = {row["name"]: row["renews"] for row in run.algorithms}
    rows = [[lock, f"{trips:g}", *(words.round_duration(trips * us) for us in TRIPS_US),
             "one each renewal" if renews.get(lock) else words.NONE]
            for lock, trips in found.items()]
    heads = ["Lock", "Round trips", *(f"{place},\n{words.round_duration(us)} each"
                                      for place, us in zip(PLACES, TRIPS_US)),
             "While it is held"]
    return Table(
        "Round trips for one grant, times your round-trip time", heads, [("", rows)],
        "One grant is taken and given back while nobody else wants it; each command waits for its"
        " reply. Multiply by what `redis-cli --latency` says. Each try that is refused costs one"
        " more, or two where the lock looks at the value.")
