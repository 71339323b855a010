"""What searches say of the cells that hold: within which bounds no schedule fails.

`proved` alone decides whether a square is drawn as a proof.
"""

import reaches


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
            goals.setdefault(tuple(reaches.searches(row)), set()).add(row["goal"])
    return reaches.in_words({one for all_of_them, found in goals.items()
                             if found == {"exclusion", "progress"} for one in all_of_them})
