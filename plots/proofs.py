"""What searches say of the cells that hold: within which bounds no schedule fails."""

import words
from words import together


def bounds(row):
    """3 clients; 2 clients in 2 rounds."""
    rounds = together(f"{row['rounds']} rounds")
    return (together(words.plural(row["clients"], "client"))
            + (f" in {rounds}" if row["rounds"] > 1 else ""))


def proved(run, cell):
    """The bounds, in words, within which every schedule of the lock with one such fault was
    searched and none breaks exclusion or leaves the lock behind; nothing if there are none."""
    if cell["world"] != "sim" or cell["verdict"] != "holds":
        return ""
    faults = "none" if cell["hazard"] == "contention" else f"{cell['hazard']}=1"
    goals = {}
    for row in run.thresholds or []:
        if row["algorithm"] == cell["algorithm"] and faults in row["harmless"]:
            goals.setdefault((bounds(row), row["attempts"]), set()).add(row["goal"])
    found = dict.fromkeys(who for (who, _), both in goals.items()
                          if both == {"exclusion", "progress"})
    return " or ".join(found)
