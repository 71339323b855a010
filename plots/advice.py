"""The answer first: which lock to use, when, with which TTL, and what no lease can do. Each
sentence follows from the cells, searches and surfaces of the run; one whose data are missing is
left out.

Each line is (heading, text); names of code are in `backquotes`.
"""

from dataclasses import dataclass

import layers
import libraries
import surface
import tokens
import words
from answer import main_world, missing
from answer_cells import broken_by_all, decided, is_too_small, withstood
from words import together

QUESTION = "Which Redis lock should you use, and what can it not do?"
TOKENS = ("give each grant a growing number, a fencing token, and let the resource refuse every"
          " number below one that it has seen")
LEASE_FAULTS = ("pause", "stall")
LATE_REPLIES = ("delay_reply",)


def row_of(run, name):
    return next(row for row in run.algorithms if row["name"] == name)


def without_deadlock(run, world):
    """The Standings of the locks that nobody can leave taken for ever, best first."""
    return [one for _, one in layers.ranking(run, world) if not one.deadlocks]


def simple(run, world):
    """The best of those that do not renew, or None."""
    return next((one for one in without_deadlock(run, world)
                 if not row_of(run, one.name)["renews"]), None)


def layer_words(one):
    """all network faults, all client clock faults, 3 of 5 client faults"""
    parts = sorted(((held_, of, layer) for layer, (held_, of) in one.layers.items() if of),
                   key=lambda part: -part[0] / part[1])
    def said(held_, of):
        if 0 < held_ < of:
            return f"{held_} of {of}"
        return "no" if not held_ else {1: "the", 2: "both"}.get(of, f"all {of}")
    return words.listing(f"{said(held_, of)} {layer} faults" for held_, of, layer in parts)


def use(run, world):
    """The best lock, and how far it gets."""
    found = without_deadlock(run, world)
    if not found:
        return None
    best = found[0]
    row = row_of(run, best.name)
    summary = row.get("summary") or row["label"]
    like = libraries.work_like(run, best.name)
    known = f" ({words.listing(like)} work{'s' if len(like) == 1 else ''} like it)" if like else ""
    return "Use", (f"`{best.name}`{known}. {summary.rstrip('.')}. It held under"
                   f" {layer_words(best)}.")


def short_jobs(run, world):
    """The best without a background task, and what it lacks."""
    found, plain = without_deadlock(run, world), simple(run, world)
    if plain is None or plain is found[0]:
        return None
    more = [h for h in plain.broken if h not in found[0].broken]
    text = f"`{plain.name}` needs no background task"
    if more == ["slow_job"]:
        text += ", and does as well while every job ends before the TTL"
    elif more:
        text += f", but also breaks under {words.names(more)}"
    return "For short jobs", text + "."


def least_pause(run, name):
    """(shortest pause, TTL) in µs with which a search broke the lock, or None."""
    found = [(item["least_us"], row["ttl_us"]) for row in run.thresholds or []
             if row["algorithm"] == name and row["goal"] == "exclusion"
             for item in row["minimal"] if item["faults"] == "pause=1" and item["least_us"]]
    return min(found, default=None)


def from_ttl(run, name):
    """[(length of the pauses, least TTL from which no write was lost)] of a surface."""
    found = []
    rows = [row for row in surface.main_rows(run) if row["algorithm"] == name and row["ttl_us"]]
    for pause in sorted({row["pause_length_us"] for row in rows if row["pause_length_us"]}):
        line = sorted((r for r in rows if r["pause_length_us"] == pause),
                      key=lambda r: r["ttl_us"])
        bad = [r["ttl_us"] for r in line if r["erased_writes"]]
        good = [r["ttl_us"] for r in line if r["ttl_us"] > max(bad, default=0)]
        if bad and good:
            found.append((pause, good[0]))
    return found


def ttl(run, world):
    """How long the lease must be."""
    found = without_deadlock(run, world)
    if not found:
        return None
    best = found[0].name
    text = ["Longer than the longest pause of a client (GC, VM, swap) plus one renewal interval,"
            " and, without renewal, plus the longest job."]
    if points := from_ttl(run, best)[-2:]:
        text.append(f"In our runs `{best}` lost no write with " + words.listing(
            f"pauses of {together(words.round_duration(pause))} from a TTL of"
            f" {together(words.round_duration(least))} on" for pause, least in points) + ".")
    elif least := least_pause(run, best):
        text.append(f"With a TTL of {together(words.round_duration(least[1]))} a pause of"
                    f" {words.ms(least[0])} broke `{best}`.")
    text.append("After a crash the others wait until the TTL has passed.")
    return "TTL", " ".join(text)


def no_lease(run, world):
    """What no lock with a lease survived."""
    broken = broken_by_all(run, world)
    if not broken:
        return None
    pauses = [h for h in broken if h in LEASE_FAULTS]
    late = [h for h in broken if h in LATE_REPLIES]
    rest = [h for h in broken if h not in LEASE_FAULTS + LATE_REPLIES]
    parts = [f"a pause longer than the lease ({words.names(pauses)})"] if pauses else []
    parts += [f"a Redis that forgets the key ({words.names(rest)})"] if rest else []
    text = []
    if parts:
        text.append(f"survive {' or '.join(parts)}: every lock with a TTL broke. If two holders at"
                    f" once do real harm, {TOKENS}.")
    if late:
        text.append(f"A late reply ({words.names(late)}) broke every lock with a TTL too, and need"
                    " not: count the lease from before the command is sent, and give up a grant"
                    " that comes too late.")
    return "No lease can", " ".join(text)


def some(names, most=3):
    """`crash`, `retry` and 4 more."""
    rest = [f"{len(names) - most} more"] if len(names) > most else []
    return words.listing([f"`{name}`" for name in names[:most]] + rest)


def at_the_resource(run, _world):
    """What fencing tokens saved."""
    found = tokens.sentence(run)
    return found and ("With fencing tokens", found)


LEAST_HELD = 1 / 4
"""Of the hazards that it faced: a lock that withstood fewer is not to be used, either."""


def withstood_share(one):
    """(hazards that a lock withstood, hazards that it faced), over all layers."""
    return tuple(map(sum, zip(*one.layers.values())))


def avoid(run, world):
    """The locks that break by themselves, those that somebody can leave taken for ever, and those
    that withstood hardly a fault."""
    parts = []
    for _, one in layers.ranking(run, world):
        held_, of = withstood_share(one)
        if one.breaks_by_itself:
            parts.append(f"`{one.name}` (it breaks though nothing goes wrong)")
        elif one.deadlocks:
            parts.append(f"`{one.name}` ({some(one.deadlocks)} can leave it taken for ever)")
        elif held_ < LEAST_HELD * of:
            parts.append(f"`{one.name}` (it withstood {held_} of {words.plural(of, 'fault')})")
    return ("Do not use", words.listing(parts) + ".") if parts else None


def is_early(run, world):
    """Whether too little was run to say which lock is best."""
    return not run.manifest["complete"] and bool(missing(run, world))


def answer(run):
    """The lines, most important first."""
    world = main_world(run)
    if not run.ran(world) and world in run.left_out():
        lines = [("Not known from this run", "It left out the campaigns, whose cells say which lock"
                  " withstands what.")]
    elif is_early(run, world):
        cells = words.plural(len(missing(run, world)), "cell")
        lines = [("Not known yet", f"{cells} of the matrix below are still missing, and the lock"
                  " that is best so far may break in one of them."), avoid(run, world)]
    elif is_too_small(run, world):
        lines = [("Not known from this run", "Its cells have too few runs to say that a lock holds."
                  " Right would be `./locklab suite` without --runs.")]
    else:
        lines = [part(run, world) for part in (use, short_jobs, ttl, no_lease, at_the_resource,
                                               avoid)]
    return [line for line in lines if line] or [
        ("Not known yet", "No lock came to a verdict in this run.")]


@dataclass(frozen=True)
class Need:
    """A row of the table of needs: what a lock must have held under, and what to change."""

    text: str
    requires: tuple
    change: str
    reentrant: bool = False
    tokens: bool = False   # it is enough that a resource that checks tokens loses nothing


NEEDS = (
    Need("work is not done twice, though an occasional second run does no harm; jobs end well"
         " before the TTL",
         ("contention", "crash", "lose_request", "lose_reply", "delay_request", "retry"),
         "a new random token for each grant; TTL at least twice the longest job; release by the"
         " script that compares the token, never by a bare DEL"),
    Need("the same, with jobs of unknown length",
         ("contention", "slow_job", "crash", "lose_request", "lose_reply", "delay_request",
          "retry"),
         "renew every third of the TTL; stop the job when a renewal says that the key is not yours;"
         " bound how long a job may renew"),
    Need("the holder takes the lock again (re-entrant)",
         ("contention", "slow_job", "crash", "lose_request", "lose_reply"),
         "send lock and unlock over one connection, so that a late command cannot count twice; give"
         " up the connection after a time-out", reentrant=True),
    Need("hosts whose clocks are wrong", ("contention", "crash", "clock_offset", "clock_jump"),
         "leave time to the server (PX, PEXPIRE); never write a deadline into the value"),
    Need("no harm is done even where two writers overlap", ("pause",),
         "fencing tokens: " + TOKENS, tokens=True),
    Need("nothing is lost when Redis restarts, fails over or runs out of memory",
         ("restart", "evict"),
         "a store with consensus (etcd, ZooKeeper), also for fencing tokens. If it must be"
         " Redis: appendfsync always, noeviction, and stay down longer than the TTL"),
)


def serves(run, world, need):
    """The lock for a need, the simplest that is good enough, or None."""
    if need.tokens and set(need.requires) <= set(tokens.safe_hazards(run)):
        return next((one for one in without_deadlock(run, world)
                     if one.name == tokens.fenced(run)), None)
    good = []
    for one in without_deadlock(run, world):
        cells = {c["hazard"]: c for c in decided(run, world, one.name)}
        faced = [cells[h] for h in need.requires if h in cells]
        if len(faced) == len(need.requires) and all(map(withstood, faced))\
                and run.has_ttl(one.name)\
                and (row_of(run, one.name)["reentrant"] or not need.reentrant):
            good.append(one)
    plain = [one for one in good if not row_of(run, one.name)["renews"]]
    return (plain or good or [None])[0]


def needs(run):
    """[(you need, use, and change this)], as text."""
    world = main_world(run)
    if is_early(run, world) or is_too_small(run, world)\
            or not any(decided(run, world, name) for name in run.locks()):
        return []
    rows = []
    for need in NEEDS:
        found = serves(run, world, need)
        rows.append((need.text, f"`{found.name}`" if found else "none of these alone",
                     need.change))
    return rows


