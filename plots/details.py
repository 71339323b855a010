"""The cells behind the matrices, by algorithm: failures with their replay, then the rest."""

from dataclasses import dataclass

import load
import matrix
import words

INTERVALS = (
    "The run is the unit: grants of one run share its faults. So the share of runs that were"
    " violated has Wilson’s 95 % interval; of none, ≤ is its upper end. The interval of overlaps"
    " per 1,000 grants covers 95 % or more: it joins a bootstrap’s, which draws whole runs, with"
    " what the share of runs leaves open, so that it never reaches 0 where one was seen.")
RED = ("violated", "stuck")
FOUND = {
    "late_grants": "grants came after the validity had run out",
    "own_keys_deleted": "keys were deleted by a command of an earlier round of their own client",
    "others_keys_deleted": "keys were deleted by another client",
    "keys_left": "failed tries left a key behind until it ran out",
    "long_calls": "calls for the lock blocked longer than they promised",
    "deaths": "processes ended by themselves",
}
"""As harness/check/oracle.h; the others have columns or sentences of their own."""


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
                ("not seen", "not seen to fail"), ("unknown", "unknown"))
    return ", ".join(f"{verdicts.count(v)} {word}" for v, word in words_of if v in verdicts)


def size(hazard):
    """How large a fault is drawn: 20 to 300, ahead or back."""
    if "amount" not in hazard:
        return "not recorded in this run"
    amount = hazard["amount"]
    if amount is None:
        return words.NONE
    both = ", ahead or back" if amount["both_ways"] else ""
    return f"{amount['least_percent_of_ttl']} to {amount['most_percent_of_ttl']}{both}"


def claims(algorithm):
    """What the algorithm's file declares."""
    safe, broken = algorithm["safe_under"], algorithm["broken_by"]
    return (f"Declares to survive {words.names(safe) if safe else 'nothing'};"
            f" to break under {words.names(broken) if broken else 'nothing'}.")


def stuck(run, cell):
    """Runs stuck for ever, and those that had to wait for a TTL."""
    parts = [f"{words.count(cell['stuck'])} for ever"] if cell["stuck"] else []
    if matrix.waits_for_ttl(run, cell):
        parts.append(f"{words.count(cell['stuck_until_ttl'])} until TTL")
    return ", ".join(parts) or "0"


def notices(found):
    """[20 lost the lock while inside: 3 told, 17 never told, 2 late; 1 false alarm, ...]"""
    parts = []
    if losses := found.get("losses"):
        told = [f"{words.count(found[key])} {word}" for key, word in (
            ("told", "told"), ("never_told", "never told"), ("late", "late")) if found.get(key)]
        parts.append(f"{words.count(losses)} lost the lock while inside"
                     + (f": {', '.join(told)}" if told else ""))
    if alarms := found.get("false_alarms"):
        parts.append(f"{words.plural(alarms, 'false alarm')}: told of a loss that was none")
    return parts


def oracles(cell):
    """[36 of 10,020 grants came after the validity had run out, ...]: of each oracle that found
    something and that is told nowhere else. Where it is no verdict, also why."""
    parts = []
    for name, sentence in FOUND.items():
        one = cell.get("oracles", {}).get(name)
        if not one or not one["found"]:
            continue
        late = words.duration(cell.get("worst_lag_us"))
        column = f" (no verdict: time was real, and the machine up to {late} late)"
        parts.append(f"{words.count(one['found'])} of {words.count(one['of'])} {sentence}"
                     + (column if one["verdict"] is None else ""))
    return parts


def beside(run, cell):
    """What was counted beside the verdict; empty where there is nothing to tell."""
    parts = notices(cell.get("notices", {})) + oracles(cell)
    refusals = cell.get("refusals", {})
    if refusals.get("falsely"):
        parts.append(f"{words.plural(refusals['falsely'], 'false refusal')} (the lock was the"
                     f" caller’s own in {words.count(refusals['of_own'])}, nobody’s in"
                     f" {words.count(refusals['of_nobodys'])})")
    if matrix.waits_for_ttl(run, cell) and cell.get("longest_orphan_wait_us"):
        parts.append("orphaned for at most"
                     f" {words.duration(cell['longest_orphan_wait_us'])}")
    return "; ".join(parts)


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


def commands(group):
    """The commands that count the cells again."""
    return [cell["command"] for cell in group.red + group.calm if cell.get("command")]
