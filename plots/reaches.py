"""How far searches went (clients, rounds, tries, faults): which outdoes which, and in words."""

import words
from words import together


def bounds(row):
    """3 clients; 2 clients in 2 rounds."""
    rounds = together(f"{row['rounds']} rounds")
    return (together(words.plural(row["clients"], "client"))
            + (f" in {rounds}" if row["rounds"] > 1 else ""))


def goes_as_far(one, other):
    """Whether a search, as a tuple of its bounds, has at least those of another."""
    return all(a >= b for a, b in zip(one, other))


def widest(bounds_of_all):
    """Of [(clients, rounds, ...)] those that no other outdoes, most clients first."""
    return sorted((mine for mine in bounds_of_all if not any(
        other != mine and goes_as_far(other, mine) for other in bounds_of_all)), reverse=True)


def searches(row):
    """[(clients, rounds, tries)] that a row of thresholds.json rests on; one in older runs."""
    return [(one["clients"], one["rounds"], one["attempts"])
            for one in row.get("searches") or [row]]


def in_words(bounds_of_all, usual=0):
    """3 clients and 2 clients in 2 rounds (2 tries): tries are named where they are fewer."""
    usual = usual or max((tries for _, _, tries in bounds_of_all), default=0)
    return words.listing(bounds({"clients": clients, "rounds": rounds})
                         + (f" ({words.plural(tries, 'try', 'tries')})" if tries < usual else "")
                         for clients, rounds, tries in widest(bounds_of_all))


def of_row(row):
    """What a row of thresholds.json is known by."""
    return row["clients"], row["rounds"], row["most_faults"]


def all_of(run):
    """The widest bounds that were searched, most clients first."""
    return sorted(widest({of_row(row) for row in run.thresholds}),
                  key=lambda r: (-r[0], r[1], r[2]))


def name_of(run, mine, usual=1):
    """2 clients in 2 rounds and 3 clients: the searches that all locks had."""
    of_reach = [row for row in run.thresholds if of_row(row) == mine]
    tries = {}
    for row in of_reach:
        most = {(clients, rounds): n for clients, rounds, n in sorted(searches(row))}
        for key, n in most.items():
            tries.setdefault(key, []).append(n)
    return in_words({(*key, max(found)) for key, found in tries.items()
                     if len(found) == len(of_reach)}, usual)


def in_silence(run):
    """{tries in a search in which a server hangs or a link is cut: its locks}, where these are
    fewer than in the lock's other searches."""
    found = {}
    for row in run.thresholds:
        tries = row.get("attempts_in_silence", 0)
        if 0 < tries < row["attempts"]:
            found.setdefault(tries, {})[row["algorithm"]] = None
    return found
