"""What searches say of the cells that hold: within which bounds no schedule fails.

`proved` alone decides whether a square is drawn as a proof.
"""

import words
from words import together


def bounds(row):
    """3 clients; 2 clients in 2 rounds."""
    rounds = together(f"{row['rounds']} rounds")
    return (together(words.plural(row["clients"], "client"))
            + (f" in {rounds}" if row["rounds"] > 1 else ""))


def widest(reaches):
    """Of [(clients, rounds, ...)] those that no other outdoes, most clients first."""
    return sorted((mine for mine in reaches if not any(
        other != mine and all(a >= b for a, b in zip(other, mine)) for other in reaches)),
        reverse=True)


def tells(row):
    """Whether a search says what it exercised. One that does not may have exercised nothing."""
    return "coverage" in row and "searches" in row


def silent(run):
    """Whether locks were searched, but no search says what it exercised: an older run."""
    return bool(run.thresholds) and not any(map(tells, run.thresholds))


def proved(run, cell):
    """The bounds, in words, within which every schedule of the lock with one such fault was
    searched and none breaks exclusion or leaves the lock behind; nothing if there are none."""
    if cell["world"] != "sim" or cell["verdict"] != "holds":
        return ""
    faults = "none" if cell["hazard"] == "contention" else f"{cell['hazard']}=1"
    goals = {}
    for row in run.thresholds or []:
        if not tells(row) or row["algorithm"] != cell["algorithm"]:
            continue
        if faults in row["harmless"]:
            reaches = tuple((one["clients"], one["rounds"]) for one in row["searches"])
            goals.setdefault(reaches, set()).add(row["goal"])
    both = {reach for reaches, found in goals.items() if found == {"exclusion", "progress"}
            for reach in reaches}
    return " and of ".join(bounds({"clients": clients, "rounds": rounds})
                           for clients, rounds in widest(both))
