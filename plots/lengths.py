"""How long jobs, faults and time-outs are in searches, in words; where locks differ, each."""

import words


def of_key(run, key):
    """1.2 s; 150 ms (200 ms for `a` and `b`, 300 ms for `c`): that of most locks first; nothing for
    what no search had. A lock that has none, as one without a TTL, is left out."""
    locks = {}
    for row in run.thresholds:
        if row.get(key):
            locks.setdefault(row[key], {})[row["algorithm"]] = None
    if not locks:
        return ""
    usual, *others = sorted(locks, key=lambda us: (-len(locks[us]), us))
    apart = ", ".join(f"{words.round_duration(us)} for {words.names(locks[us])}"
                      for us in sorted(others))
    return words.round_duration(usual) + (f" ({apart})" if apart else "")


def all_of(run, keys):
    """TTL 1.2 s, job 300 ms, ...: those that are equal together, without what no search had."""
    named = {}
    for key, what in keys:
        named.setdefault(of_key(run, key), []).append(what)
    return ", ".join(f"{words.listing(what)} {said}" for said, what in named.items() if said)
