"""Fencing tokens: what they are, and what a resource that checks them lost in the run, beside the
same resource under a lock without them."""

import words
from answer import main_world
from answer_cells import decided

LINES = (
    "A lease can end while its holder is still at work. After a pause no client can know whether"
    " its own has ended.",
    "So let the resource decide. Each grant draws a fencing token, a number above that of every"
    " grant before it.",
    "The job shows its token with each read and each write. The resource keeps the highest that it"
    " has seen, and refuses every lower one.",
    "Two clients may still be inside at once, so the matrix still counts an overlap. But the older"
    " one can do no more harm: as soon as the newer one has shown its token, the older is refused.",
    "Compare and write in one atomic step: `UPDATE account SET balance = ?, fence = ? WHERE id = ?"
    " AND fence <= ?`, and see whether a row was changed.",
    "Show it when you read, too. Otherwise an old write can land between a newer job's read and its"
    " write, and is lost.",
    "Draw it in the same script that takes the lock. A client that draws first and locks later can"
    " hold the lock with an older token than the client before it.",
    "The counter must never go back. Kept in a Redis that forgets, it draws numbers again that were"
    " shown before.",
    "A random token, as in `set_nx_lua`, is no fencing token: nobody can tell which of two is"
    " newer.",
    "What cannot compare tokens (an e-mail, a payment without an idempotency key) cannot be"
    " protected this way.",
)


FORGETFUL = {"restart", "restart_snapshot", "evict", "failover"}
FORGOTTEN = ", where Redis forgets the counter that the tokens are drawn from."


FAR_MORE = 2
"""So many times as often refused as overlapped."""


def counter_went_back(run):
    """The hazards under which mostly rightful holders were refused."""
    return [hazard for hazard, overlaps, refused, _, _ in rows(run)
            if hazard in FORGETFUL and refused > FAR_MORE * overlaps]


def refused_rightful(run):
    """Why under some hazards more was refused than overlapped; "" where that was not so."""
    more = counter_went_back(run)
    return more and (f"Under {words.names(more)} far more was refused than overlapped: the counter"
                     " began again there, so that rightful holders were refused until their tokens"
                     " had passed the highest that the resource had seen.") or ""


KEY_ALONE = (" `evict` takes the lock's own key here, never the counter, which a real Redis may"
             " evict as well: then it would draw numbers again that were shown before.")


def evicts_the_key_alone(run, hazards):
    """Whether `evict` is among the hazards, and strikes the lock's own key alone in this run."""
    return "evict" in hazards and any(
        h["name"] == "evict" and "the lock's key" in h["meaning"] for h in run.hazards)


def fenced(run):
    """The first lock whose grants carry fencing tokens, or None."""
    return next((row["name"] for row in run.algorithms if row["fences"]), None)


def twin(run, name):
    """The last lock that claims the same and has no tokens, or None."""
    claims = {row["name"]: (set(row["safe_under"]), set(row["broken_by"]), row["renews"])
              for row in run.algorithms}
    return next((row["name"] for row in reversed(run.algorithms)
                 if not row["fences"] and claims[row["name"]] == claims[name]), None)


def rows(run):
    """[(hazard, overlaps, refused, lost with tokens, lost without)] where two were inside."""
    name, world = fenced(run), main_world(run)
    if name is None:
        return []
    other = twin(run, name)
    without = {c["hazard"]: c for c in decided(run, world, other)} if other else {}
    found = []
    for cell in decided(run, world, name):
        beside = without.get(cell["hazard"])
        if cell["overlaps"] or cell.get("denied"):
            found.append((cell["hazard"], cell["overlaps"], cell.get("denied", 0),
                          cell["lost_updates"], beside["lost_updates"] if beside else None))
    return found


def safe_hazards(run):
    """Those under which two were inside, and the resource lost nothing."""
    return [hazard for hazard, overlaps, _, lost, _ in rows(run)
            if overlaps and not lost and hazard not in counter_went_back(run)]


def lossy_hazards(run):
    return [hazard for hazard, _, _, lost, _ in rows(run) if lost]


def sentence(run):
    """What the run shows, or None."""
    safe, lossy = safe_hazards(run), lossy_hazards(run)
    if not safe:
        return None
    text = (f"Two holders were inside at once under {words.names(safe)} with `{fenced(run)}`, too,"
            " but the resource refused the older one and lost no update.")
    if lossy:
        text += f" It lost updates under {words.names(lossy)}"
        text += FORGOTTEN if set(lossy) <= FORGETFUL else "."
    if forgot := [hazard for hazard in counter_went_back(run) if hazard not in lossy]:
        text += (f" Under {words.names(forgot)} it lost none, but Redis may forget the counter"
                 " there too, and then it refuses the rightful holder.")
    return text + (KEY_ALONE if evicts_the_key_alone(run, safe) else "")
