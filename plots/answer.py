"""The run in figures, worked out from its cells. Nothing here is known beforehand.

Each line is (heading, text); names of code are in `backquotes`.
"""

from collections import Counter

import agreement
import bench
import declared
import load
import proofs
import words
from answer_cells import contradicts, decided, held
from matrix import WORLD_NAMES


def main_world(run):
    """The world that the answer speaks of: the simulator, unless only the live one was run."""
    return "live" if run.ran("live") and not run.ran("sim") else "sim"


def contradictions(run):
    """[(cell, why)] of cells that must not be trusted."""
    return [(cell, why) for cell in run.cells.values() if (why := contradicts(cell))]


MOST_UNTRUSTED = 10


def untrusted(run):
    """[how many cells cannot be trusted, each of the first of them, how many more]; or nothing."""
    found = contradictions(run)
    if not found:
        return []
    lines = [f"`{cell['algorithm']}`, `{cell['hazard']}`, {WORLD_NAMES[cell['world']]}: {why}"
             for cell, why in found[:MOST_UNTRUSTED]]
    more = len(found) - len(lines)
    return [f"{words.plural(len(found), 'cell')} cannot be trusted:", *lines,
            *([f"and {more} more"] if more else [])]


def missing(run, world):
    """(algorithm, hazard) pairs that the world can make and that have no cell."""
    return [(a["name"], h["name"]) for a in run.algorithms for h in run.hazards
            if (world == "sim" or h["live"]) and (world, a["name"], h["name"]) not in run.cells]


def kept_claims(run, world):
    """(locks that declare to survive something, those of them that did, what the rest lack).

    A lock keeps its claims if every hazard of its `safe_under` was run and held, or cannot
    meet it in this world.
    """
    claiming, kept, lacking = [], [], []
    live = {h["name"]: h["live"] for h in run.hazards}
    for row in run.algorithms:
        if row["control"] or not row["safe_under"]:
            continue
        claiming.append(row["name"])
        short = []
        for hazard in row["safe_under"]:
            cell = run.cells.get((world, row["name"], hazard))
            beyond = world == "live" and not live.get(hazard, True)
            if beyond or (cell and (held(cell) or cell["verdict"] == "not_applicable")):
                continue
            short.append(hazard)
        (lacking.append((row["name"], short)) if short else kept.append(row["name"]))
    return claiming, kept, lacking


def what_held(run, world):
    claiming, kept, lacking = kept_claims(run, world)
    text = []
    if claiming:
        text.append(f"{len(kept)} of {words.plural(len(claiming), 'lock')} kept mutual exclusion,"
                    " and left nobody stuck for ever, under every hazard that they declare to"
                    " survive")
        if lacking:
            parts = [f"`{name}` ({words.names(short)})" for name, short in lacking[:4]]
            rest = [f"{len(lacking) - 4} more"] if len(lacking) > 4 else []
            text.append("; not shown for " + words.listing(parts + rest))
        text.append(".")
    return "What held", "".join(text)


def what_broke(run, world):
    broken, faced = Counter(), Counter()
    cells = [c for name in run.locks() for c in decided(run, world, name)]
    for cell in cells:
        faced[cell["hazard"]] += 1
        broken[cell["hazard"]] += cell["verdict"] == "violated"
    red = sum(broken.values())
    if not red:
        return "What broke", f"No lock was violated in the {len(cells)} cells that were decided."
    share = {h["name"]: broken[h["name"]] / faced[h["name"]] for h in run.hazards
             if faced[h["name"]]}
    worst = [name for name in share if share[name] == max(share.values())]
    text = (f"{red} of {words.plural(len(cells), 'cell')} are violated. Hardest: "
            + words.listing(f"`{h}` (violated {broken[h]} of {faced[h]} locks)" for h in worst))
    mild = [name for name in share if not broken[name]]
    return "What broke", text + (f". No lock was violated under {words.names(mild)}." if mild
                                 else ". Every hazard that came to a verdict violated some lock.")


def who_stuck(run, world):
    where = {}
    for name in run.locks():
        hazards = [c["hazard"] for c in decided(run, world, name) if c["stuck"]]
        if hazards:
            where[name] = hazards
    if not where:
        return "Stuck for ever", "No lock left a client stuck for ever."
    parts = [f"`{name}` ({words.names(h) if len(h) <= 3 else f'{len(h)} hazards'})"
             for name, h in where.items()]
    return "Stuck for ever", f"Clients deadlocked under {words.listing(parts)}."


def span_of(rows, locks, worth):
    """Which of the locks have the least and the most of something in their row, with both."""
    pairs = sorted((worth(row), name) for name, row in rows.items()
                   if name in locks and worth(row))
    return (pairs[0], pairs[-1]) if pairs else None


def alone(run):
    """What one client takes, where it and the server share a processor if that was measured."""
    data = run.bench
    rows = data.of("live/uncontended", over=data.transport())
    place = next((p for p in bench.PLACEMENTS if any(r["cpus"] == p for r in rows)), None)
    rows = {r["lock"]: r for r in rows if r["cpus"] == place}
    ends = span_of(rows, run.locks(), lambda r: r["time_us"]["value"])
    if not ends:
        return None
    (least, fast), (most, slow) = ends
    text = (f"One client alone, with the server {bench.PLACED[place]}: from {words.number(least)}"
            f" (`{fast}`) to {words.number(most)} µs (`{slow}`) per grant")
    ratios = [r["figures"]["ratio_to_floor"] for name, r in rows.items()
              if name in run.locks() and "ratio_to_floor" in r["figures"]]
    apart = sum(map(bench.resolved, ratios))
    if ratios:
        text += (f"; {apart} of {words.plural(len(ratios), 'lock')} differ measurably from their"
                 " bare commands")
    return text


def together(run):
    """What the clients of the contended table get."""
    clients, rows = run.bench.contended()
    ends = span_of(rows, run.locks(), lambda r: bench.value(r, "grants_per_s"))
    if not ends:
        return None
    (least, slow), (most, fast) = ends
    hold = bench.spoken(next(iter(rows.values()))["hold"])
    return (f"{words.plural(clients, 'client')} on one key, held {hold}: from"
            f" {words.number(least)} (`{slow}`) to {words.number(most)} grants/s (`{fast}`)")


def cost(run):
    parts = [part for part in (alone(run), together(run)) if part] if run.bench else []
    return ("Cost", ". ".join(parts) + ".") if parts else None


def controls(run, world):
    """Whether the experiment itself can be trusted."""
    parts = []
    bare, oracle = map(run.control, load.CONTROLS)
    if cells := decided(run, world, bare):
        caught = sum(c["verdict"] == "violated" for c in cells)
        parts.append(f"`{bare}`, which the checkers must catch, was caught in"
                     f" {caught} of {words.plural(len(cells), 'cell')}")
    if cells := decided(run, world, oracle):
        grants, bad = sum(c["grants"] for c in cells), sum(not held(c) for c in cells)
        parts.append(f"`{oracle}`, which they must not flag, "
                     + (f"failed in {bad} of {len(cells)} cells" if bad else
                        f"held in all {len(cells)} cells ({words.count(grants)} grants)"))
    return "; ".join(parts) or None


def trust(run, world):
    """Why the rest may be believed: the worlds agree, and the controls came out as they must."""
    found = controls(run, world)
    lines = [f"{found}." if found else "", declared.sentence(run), agreement.sentence(run)]
    return ("Trust", " ".join(filter(None, lines))) if any(lines) else None


def amount(run, world):
    """How much was run in one world."""
    cells = [c for (w, *_), c in run.cells.items()
             if w == world and c["verdict"] != "not_applicable"]
    runs, grants = (sum(c[field] for c in cells) for field in ("runs", "grants"))
    return (f"{words.plural(len(cells), 'cell')}, {words.plural(runs, 'run')}"
            f" and {words.plural(grants, 'grant')}")


def scope(run, world):
    """What the answer rests on, and what it does not say."""
    if not run.ran(world):
        return "No cell was run."
    proofs_too = (" H∀ says more: a search tried every schedule within its bounds as well."
                  ) if any(proofs.proved(run, cell) for cell in run.cells.values()) else ""
    return (f"The verdicts are those of the {WORLD_NAMES[world]}: {amount(run, world)}. An h was"
            " not seen to fail in these runs, which bounds how often it can fail and proves"
            f" nothing.{proofs_too}")


def answer(run):
    """The lines, most important first."""
    world = main_world(run)
    cells = [what_held(run, world), what_broke(run, world), who_stuck(run, world)]
    lines = [*(cells if run.ran(world) else []), cost(run), trust(run, world)]
    return [(head, text.strip()) for head, text in filter(None, lines)]
