"""The cells behind the matrices, by algorithm: failures with their replay, then the rest."""

from dataclasses import dataclass

import load
import words

RED = ("violated", "stuck")


@dataclass(frozen=True)
class Group:
    """One algorithm's cells that were run, in hazard order, simulator first."""

    index: int        # row in the registry
    algorithm: dict
    red: list         # violated and stuck cells
    calm: list        # cells that hold, or are unknown


def groups(run):
    """A Group for each algorithm, in the registry's order."""
    result = []
    for index, algorithm in enumerate(run.algorithms):
        cells = [c for world in load.WORLDS for c in run.row(world, algorithm["name"])
                 if c["verdict"] != "not_applicable"]
        red = [c for c in cells if c["verdict"] in RED]
        result.append(Group(index, algorithm, red, [c for c in cells if c not in red]))
    return result


def tally(group):
    """7 violated, 1 stuck, 20 hold: over both worlds."""
    verdicts = [c["verdict"] for c in group.red + group.calm]
    words_of = (("violated", "violated"), ("stuck", "stuck for ever"), ("holds", "held"),
                ("unknown", "unknown"))
    return ", ".join(f"{verdicts.count(v)} {word}" for v, word in words_of if v in verdicts)


def claims(algorithm):
    """What the algorithm's file declares."""
    safe, broken = algorithm["safe_under"], algorithm["broken_by"]
    return (f"Declares to survive {words.names(safe) if safe else 'nothing'};"
            f" to break under {words.names(broken) if broken else 'nothing'}.")


def stuck(cell):
    """Runs stuck for ever, and those that had to wait for a TTL."""
    parts = [f"{words.count(cell['stuck'])} for ever"] if cell["stuck"] else []
    if cell["stuck_until_ttl"]:
        parts.append(f"{words.count(cell['stuck_until_ttl'])} until TTL")
    return ", ".join(parts) or "0"


def replay(run, cell):
    """(the command that shows a failure again or None, and why there is none)."""
    if not cell.get("replay"):
        return None, "no trace was kept"
    if cell.get("witness") and not run.has(cell["witness"]):
        return None, "its trace was left out of this folder"
    return cell["replay"], ""


def replays(run, group):
    """[(cell, command)] of the failures that can be shown again."""
    found = ((cell, replay(run, cell)[0]) for cell in group.red)
    return [(cell, command) for cell, command in found if command]
