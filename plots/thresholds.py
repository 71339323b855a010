"""The least that breaks each lock, and what was searched to its end and does not: as data for the
page and for Markdown. A set of faults is a tuple of names; one that strikes twice is there twice.
"""

import functools
from collections import Counter
from dataclasses import dataclass
from urllib.parse import quote

import lengths
import reaches
import words
from matrix import LETTERS, table_md
from words import ms, together

GOALS = {"exclusion": "Mutual exclusion: broken by", "progress": "Progress: stuck for ever by"}
ASKED = {"exclusion": "mutual exclusion", "progress": "progress"}
BROKEN = {"exclusion": "violated", "progress": "stuck"}
MEANINGS = {"violated": "two clients can be inside at once",
            "stuck": "the lock can be left behind so that nobody ever gets it",
            "holds": "nothing that was searched breaks it",
            "unknown": "a search did not come to its end", "not_run": "not searched"}
FIXED = (("ttl_us", "TTL"), ("command_timeout_us", "time-out of a command"),
         ("patient_timeout_us", "time-out where replies may be late"),
         ("clock_us", "error of a clock"), ("wait_us", "wait between two tries"))
VARIED = (("job_us", "job"), ("slow_job_us", "slow job"), ("pause_us", "pause or stall"),
          ("delay_us", "delay of a request"), ("reply_delay_us", "delay of a reply"))
SIZES = {1: ("single fault", "any single fault"), 2: ("pair", "any two faults")}
UNFINISHED = "not all searched:"
TIMES = {1: "", 2: " twice"}


@functools.cache
def parsed(text):
    """pause=1,crash=2 -> ("pause", "crash", "crash"); none -> ()."""
    pairs = [part.split("=") for part in text.split(",")] if text != "none" else []
    return tuple(name for name, n in pairs for _ in range(int(n)))


def contains(faults, part):
    return all(faults.count(name) >= part.count(name) for name in part)


def in_words(faults):
    """`slow_job` + `stall`; `crash` twice; no fault at all."""
    return " + ".join(f"`{name}`" + TIMES.get(n, f" {n} times")
                      for name, n in Counter(faults).items()) or "no fault at all"


def size_name(size):
    return SIZES.get(size, (f"set of {size} faults", f"any {size} faults"))


@dataclass(frozen=True)
class Least:
    """A set of faults that breaks a lock, and of which no part does."""

    row: dict       # the search's
    found: dict     # of the row's `minimal`

    @property
    def faults(self):
        return parsed(self.found["faults"])

    @property
    def anchor(self):
        return "-".join(("least", self.row["algorithm"], self.row["goal"],
                         ".".join(self.faults) or "none"))

    @property
    def name(self):
        return in_words(self.faults)

    @property
    def search(self):
        """The clients and rounds of the search that found it; in older runs, of its row."""
        return {key: self.found.get(key, self.row[key]) for key in ("clients", "rounds")}

    @property
    def facts(self):
        """What follows its name: from 901 ms, 9 steps."""
        least, rounds = self.found["least_us"], self.search["rounds"]
        return ("" if least is None else f" from {ms(least)}")\
            + f", {together(words.plural(self.found['steps'], 'step'))}"\
            + (f", {together(f'{rounds} rounds')}" if rounds > 1 else "")

    @property
    def at_least(self):
        """Of the bisection: 901 ms (7 steps), or nothing."""
        if self.found["least_us"] is None:
            return words.NONE
        return f"{ms(self.found['least_us'])} ({words.plural(self.found['least_steps'], 'step')})"


@dataclass(frozen=True)
class Cell:
    """One lock, one question."""

    goal: str
    sets: list      # of Least, the smaller ones first
    verdict: str    # a key of MEANINGS
    rest: str       # what is known of all other sets
    unknown: str    # sets of which nothing is known, with the bounds of the search


def rows_of(run, algorithm, goal):
    """The searches of one question: most clients first, then fewest rounds and faults."""
    rows = [r for r in run.thresholds if (r["algorithm"], r["goal"]) == (algorithm, goal)]
    return sorted(rows, key=lambda r: (-r["clients"], r["rounds"], r["most_faults"]))


def minimal(rows):
    """The sets that break it; what one search breaks, the next does not tell again."""
    first = {}
    for row in rows:
        for item in (Least(row, found) for found in row["minimal"]):
            first.setdefault(tuple(sorted(item.faults)), item)
    sets = [item for key, item in first.items()
            if not any(other != key and contains(key, other) for other in first)]
    return sorted(sets, key=lambda item: len(item.faults))


def farthest(rows):
    """The searches that no other outdoes."""
    having = {reaches.of_row(row)[:2]: row for row in rows}
    return [having[mine] for mine in reaches.widest(having)]


def exhausted(run, rows, size, sets):
    """{the searches that went farthest: number of sets of this size that these exhausted}, but for
    those of which a part breaks the lock."""
    having = {}
    for row in rows:
        for faults in (tuple(sorted(parsed(text))) for text in row["harmless"]):
            if len(faults) == size and not any(contains(faults, item.faults) for item in sets):
                having.setdefault(faults, []).append(row)
    searched = Counter(tuple(reaches.of_row(row) for row in farthest(of_set))
                       for of_set in having.values())
    names = Counter()
    for far, count in searched.items():
        names[words.listing(reaches.name_of(run, mine) for mine in far)] += count
    return names.most_common()


def rest(run, rows, sets):
    """no other single fault (3 clients, 8 exhausted), no pair of those (2 clients, 36)."""
    parts = []
    if any(not item.faults for item in sets):
        return ""
    for size in range(1, max(row["most_faults"] for row in rows) + 1):
        is_open = any(len(parsed(f)) == size for row in rows
                      for f in {*row["unknown"]} - {*nowhere(run)})
        if counts := exhausted(run, rows, size, sets):
            word = "" if parts else " exhausted"
            known = "; ".join(f"{who}, {n}{word}" for who, n in counts)
            other = "other " if any(len(item.faults) == size for item in sets) else ""
            parts.append(f"no {other}{size_name(size)[0]}{' of those' if size > 1 else ''}"
                         f"{' that was searched to its end' if is_open else ''}"
                         f" ({known})")
    done = {reaches.of_row(row) for row in rows if row["complete"]}
    lacking = [f"{UNFINISHED} {reach_under(run, r)}" for r in reaches.all_of(run)
               if not any(reaches.goes_as_far(other, r) for other in done)]
    return "; ".join([", ".join(parts)] * bool(parts) + lacking)


def nowhere(run):
    """The sets of several faults that no search of any lock took, or brought to its end."""
    open_ones = {f for row in run.thresholds for f in row["unknown"] if len(parsed(f)) > 1}
    return sorted(open_ones.difference(*(row["harmless"] for row in run.thresholds), *(
        [found["faults"] for found in row["minimal"]] for row in run.thresholds)))


def unknown(run, rows, sets):
    """`pause` (3 clients); `crash` + `evict` (2 clients): the least of them. Of more faults than
    these nothing is known, either."""
    found = []
    for row in rows:
        open_ones = [parsed(f) for f in sorted({*row["unknown"]} - {*nowhere(run)})]
        names = [in_words(f) for f in open_ones
                 if not any(contains(f, item.faults) for item in sets)
                 and not any(f != part and contains(f, part) for part in open_ones)]
        if names:
            found.append(f"{words.listing(names)} ({reaches.name_of(run, reaches.of_row(row))})")
    return "; ".join(found)


def cell(run, algorithm, goal):
    rows = rows_of(run, algorithm, goal)
    if not rows:
        return Cell(goal, [], "not_run", "not searched", "")
    sets = minimal(rows)
    open_ones = unknown(run, rows, sets)
    whole = not open_ones and all(row["complete"] for row in rows)
    verdict = BROKEN[goal] if sets else "holds" if whole else "unknown"
    return Cell(goal, sets, verdict, rest(run, rows, sets), open_ones)


def table(run):
    """[(algorithm row, [Cell of each goal])]."""
    return [(row, [cell(run, row["name"], goal) for goal in GOALS]) for row in run.algorithms]


def of_lock(run, algorithm):
    """Every Least of one lock, for the rows that the table leads to."""
    return [item for goal in GOALS for item in cell(run, algorithm, goal).sets]\
        if run.thresholds else []


def reach_under(run, mine, usual=1):
    """2 clients in 2 rounds (2 tries) under any single fault."""
    return f"{reaches.name_of(run, mine, usual)} under {size_name(mine[2])[1]}"


def intro(run):
    """Two sentences: what is exhausted, and what a proof of it means."""
    most = {r: max(row["attempts"] for row in run.thresholds if reaches.of_row(row) == r)
            for r in reaches.all_of(run)}
    tries = max(most.values())
    who = words.listing(reach_under(run, r, tries) for r in most)
    if any(UNFINISHED in shown.rest for _, cells in table(run) for shown in cells):
        who += ", where a row does not say otherwise"
    fewer = {}
    for row in run.thresholds:
        lacking = most.get(reaches.of_row(row), 0) - row["attempts"]
        if lacking > 0:
            fewer.setdefault(lacking, {})[row["algorithm"]] = None
    less = "".join(f", with {words.names(fewer[n])} up to {n} {'try' if n == 1 else 'tries'} sooner"
                   for n in sorted(fewer))
    silent = "".join(f" With {words.names(names)} a round has at most"
                     f" {words.plural(n, 'try', 'tries')} where a server hangs or a link is cut."
                     for n, names in sorted(reaches.in_silence(run).items()))
    if all(row["lengths"] == "any" for row in run.thresholds):
        times = ("Jobs and faults may end at any time up to these limits:"
                 f" {lengths.all_of(run, VARIED)}. Everything else has a fixed length:"
                 f" {lengths.all_of(run, FIXED)}")
    else:
        times = f"Every time has one length ({lengths.all_of(run, FIXED + VARIED)})"
    return (f"Every order of the steps, and every moment at which a fault can strike, was searched"
            f" to the end for {who}; a client is granted the lock once in a round, and gives up"
            f" after {words.plural(tries, 'try', 'tries')}{less}.{silent} {times}. “H” and “no"
            " other” are proofs for these bounds and lengths, and for no others.")


def elsewhere(run):
    """Where a campaign in the simulator breaks what no search did, {lock: [hazards]}: with the help
    of a slow job, which campaigns give to locks that renew, and without."""
    slow, open_ones = {}, {}
    for algorithm in run.locks():
        sets = [item.faults for item in of_lock(run, algorithm)]
        had = {faults for goal in GOALS for row in rows_of(run, algorithm, goal)
               for faults in row["harmless"]}
        for hazard in (h["name"] for h in run.hazards):
            red = run.cells.get(("sim", algorithm, hazard), {}).get("verdict")
            if red not in ("violated", "stuck") or (hazard,) in sets or f"{hazard}=1" not in had:
                continue
            pair = sorted(("slow_job", hazard))
            table_of = slow if any(sorted(faults) == pair for faults in sets) else open_ones
            table_of.setdefault(algorithm, []).append(hazard)
    return slow, open_ones


def notes(run):
    """How the items are to be read, where campaigns say more, and what no search had."""
    used = {c.verdict for _, cells in table(run) for c in cells}
    letters = "; ".join(f"{LETTERS[v]}: {text}" for v, text in MEANINGS.items() if v in used)
    text = [f"{letters}. Each set is minimal: no part of it does the same. “From” is the shortest"
            " such fault, or the least error of a clock, that suffices, found by bisection; steps"
            " are those of a shortest witness at the full length."]
    for found, why in zip(elsewhere(run), (
            "because they give locks that renew a job longer than the TTL", "beyond these bounds")):
        if found:
            parts = [f"`{name}` under {words.names(hazards)}" for name, hazards in found.items()]
            text.append(f"The simulator’s campaigns also break {words.listing(parts)}, {why}.")
    had = {name for row in run.thresholds for faults in (
        *row["harmless"], *row["unknown"], *(m["faults"] for m in row["minimal"]))
        for name in parsed(faults)}
    lacking = [h["name"] for h in run.hazards if h["name"] not in had | {"contention"}]
    lacking = [*(f"`{name}`" for name in lacking), *(in_words(parsed(f)) for f in nowhere(run))]
    return " ".join(text + ([f"Not searched: {words.listing(lacking)}."] if lacking else []))


def cell_md(run, shown):
    """A Cell as Markdown, one line for each set."""
    lines = []
    for item in shown.sets:
        name, file = item.name, item.found["witness"]
        lines.append((f"[{name}]({quote(file)})" if run.has(file) else name) + item.facts)
    if shown.unknown:
        lines.append(f"not known: {shown.unknown}")
    if shown.rest:
        lines.append(shown.rest)
    letter = LETTERS[shown.verdict]
    return (f"**{letter}**" if shown.sets else letter) + " " + "<br>".join(lines)


def as_md(run):
    """The table in Markdown."""
    return table_md(["lock", *GOALS.values()], [
        [f"`{row['name']}`", *(cell_md(run, shown) for shown in cells)]
        for row, cells in table(run)])
