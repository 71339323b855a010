"""The comparison of two runs as plain text for a terminal: made of the object that --json prints,
and of nothing else."""

import textwrap

import words

COLUMNS = 100
MOST_COSTS = 15
"""Two lines each, so that the costs fit on a screen; --json has all."""
MOST_NAMES = 6
FAILURES = (("lost_updates", "lost update"), ("fence_inversions", "fence inversion"),
            ("stuck", "run stuck for ever", "runs stuck for ever"))
TIMES = (("ttl_us", "TTL"), ("job_us", "job"), ("wait_us", "wait"),
         ("command_timeout_us", "time-out"), ("slow_job_us", "slow job"), ("pause_us", "pause"),
         ("delay_us", "delay"), ("clock_us", "clock error"))
SIDES = (("only_a", "A"), ("only_b", "B"))


def line(text, indent=2):
    """The text in as many lines as it takes, those after the first set in. A name longer than a
    line stays whole, so that it can be copied."""
    return textwrap.wrap(text, COLUMNS, initial_indent=" " * indent,
                         subsequent_indent=" " * (indent + 4), break_long_words=False,
                         break_on_hyphens=False)


def number(value):
    return "-" + words.number(-value) if value < 0 else words.number(value)


def interval(found):
    """12.1 (10.9 to 13.4); an end that nothing bounds is said to be open."""
    low, high = ("open" if end is None else number(end) for end in (found["low"], found["high"]))
    return f"{number(found['value'])} ({low} to {high})"


def some(names):
    """The first few names, and how many more there are."""
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {words.count(more)} more" if more > 0 else "")


def was_and_is(a, b):
    return a if a == b else f"{a} -> {b}"


def section(title, compared, noun, lines):
    """A heading that says how much was compared, and what is told, if anything is."""
    quiet = "  no change" if compared else "  nothing to compare"
    return ["", f"{title}: {words.count(compared)} {noun}", *(lines or [quiet])]


def names_by(rows, key, name):
    """{key: [name]} of rows, in their order."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(name(row))
    return groups


def identity(letter, run):
    """What a run is, and where it was made."""
    machine = ", ".join(f"{key} {words.parameter(key, value)}"
                        for key, value in run["machine"].items())
    tools = [f"{tool} {run[tool]}" for tool in ("redis", "compiler") if run[tool]]
    commit = f" ({run['commit']})" if run["commit"] else ""
    return [*line(f"{letter}  {run['folder']}", 0),
            *line(f"started {run['started']}, locklab {run['locklab']}{commit}, {run['mode']},"
                  f" seed {run['seed']}", 3),
            *line("; ".join([part for part in (machine, *tools) if part]), 3)]


def evidence(side):
    """What a verdict rests on: 400 runs, 12,000 grants, 138 overlaps, ..."""
    if "runs" not in side:
        return "not run"
    parts = [words.plural(side["runs"], "run"), words.plural(side["grants"], "grant")]
    rate = side.get("overlaps_per_1000_grants")
    parts.append(words.plural(side["overlaps"], "overlap")
                 + (f", {interval(rate)} per 1,000" if rate else ""))
    return ", ".join(parts + [words.plural(side[key], *what)
                              for key, *what in FAILURES if side[key]])


def cells_alone(letter, found):
    """Locks, hazards and cells that only one run has."""
    lines = [row for what in ("locks", "hazards") if found[what]
             for row in line(f"only in {letter}: {what} {', '.join(found[what])}")]
    groups = names_by(found["cells"], lambda cell: (cell["world"], cell["algorithm"]),
                      lambda cell: cell["hazard"])
    for (world, lock), hazards in groups.items():
        lines += line(f"only in {letter}: {world} {lock} under {some(hazards)}")
    return lines


def verdicts(found):
    lines = []
    for c in found["changed"]:
        lines += line(f"{c['world']:4}  {c['algorithm']}  {c['hazard']}  {c['a']['verdict']} ->"
                      f" {c['b']['verdict']}")
        lines += line(f"A: {evidence(c['a'])}", 8) + line(f"B: {evidence(c['b'])}", 8)
    for side, letter in SIDES:
        lines += cells_alone(letter, found[side])
    return section("Verdicts", found["compared"], "cells compared", lines)


def reach(row):
    """3 clients, 1 round, 3 attempts, at most 2 faults, any lengths."""
    return (f"{words.plural(row['clients'], 'client')}, {words.plural(row['rounds'], 'round')},"
            f" {words.plural(row['attempts'], 'attempt')},"
            f" at most {words.plural(row['most_faults'], 'fault')}, {row['lengths']} lengths")


def least(side):
    """minimal: violated in 7 steps, from 901 ms (9 steps)."""
    if side["state"] == "harmless_briefly":
        return "harmless, of brief searches only"
    if side["state"] != "minimal":
        return side["state"].replace("_", " ")
    start = "" if side["least_us"] is None else (
        f", from {words.round_duration(side['least_us'])}"
        + ("" if side["least_steps"] is None else
           f" ({words.plural(side['least_steps'], 'step')})"))
    return f"minimal, {side['verdict']} in {words.plural(side['steps'], 'step')}{start}"


def goal(search):
    """exclusion (TTL 2 s): a time has a name where it differs between the runs."""
    times = [f"{what} {words.round_duration(search[key])}" for key, what in TIMES if key in search]
    return search["goal"] + (f" ({', '.join(times)})" if times else "")


def bounds_alone(letter, found):
    """Bounds that only one run has searched, and with which locks."""
    goals = names_by(found["searches"], lambda search: search["algorithm"], goal)
    return line(f"only {letter} searched {reach(found)}: "
                + some([f"{lock} {words.listing(asked)}" for lock, asked in goals.items()]))


def thresholds(found):
    lines = []
    for c in found["changed"]:
        lines += line(f"{c['algorithm']}  {c['goal']}  {c['faults']}  {least(c['a'])} ->"
                      f" {least(c['b'])}")
        lines += line(reach(c), 8)
    for side, letter in SIDES:
        for one in found[side]:
            lines += bounds_alone(letter, one)
    return section("Thresholds", found["compared"], "searches with equal bounds compared", lines)


def expected(side):
    return "as expected" if side["ok"] else "not as expected"


def races(found):
    lines = []
    for c in found["changed"]:
        a, b = c["a"], c["b"]
        lines += line(f"{c['race']}  {c['algorithm']}  {c['world']}"
                      f"  {was_and_is(a['sum'], b['sum'])}, {was_and_is(expected(a), expected(b))}")
        lines += line(f"A: {a['observed']}", 8) + line(f"B: {b['observed']}", 8)
    for side, letter in SIDES:
        alone = found[side]
        if alone["races"]:
            lines += line(f"only in {letter}: {words.plural(len(alone['races']), 'race')}:"
                          f" {some(alone['races'])}")
        groups = names_by(alone["plays"], lambda play: play["race"],
                          lambda play: f"{play['algorithm']} {play['world']}")
        for race, names in groups.items():
            lines += line(f"only in {letter}: {race} with {some(names)}")
    return section("Races", found["compared"], "plays compared", lines)


def tally(found):
    """What is not listed, and how many of the listed chance alone would give."""
    if not found["compared"]:
        return []
    return line(f"{words.count(found['unresolved'])} of {words.count(found['compared'])}: no"
                f" difference resolved; {words.count(len(found['resolved']))} resolved, where"
                f" chance alone would give up to {found['by_chance']:.3g} (5 %)")


def rates(found):
    lines = []
    for row in found["resolved"]:
        lines += line(f"{row['world']:4}  {row['algorithm']}  {row['hazard']}")
        lines += line(f"{interval(row['a'])} -> {interval(row['b'])}, difference"
                      f" {interval(row['difference'])}", 8)
    told = section("Overlaps per 1,000 grants", found["compared"], "cells compared",
                   lines + tally(found))
    if found["same_runs"]:
        told += line(f"{words.plural(found['same_runs'], 'cell')} of the simulator are the same"
                     " runs in both (same command and seed), which is no comparison: not counted")
    return told


def cost_change(row):
    change = (f"ratio {interval(row['ratio'])}" if "ratio" in row
              else f"difference {interval(row['difference'])}")
    return f"{row['figure']} {interval(row['a'])} -> {interval(row['b'])}, {change}"


def costs(found):
    lines = []
    for row in found["resolved"][:MOST_COSTS]:
        lines += line(row["name"]) + line(cost_change(row), 8)
    if (more := len(found["resolved"]) - MOST_COSTS) > 0:
        lines.append(f"  and {words.count(more)} more (--json has all)")
    told = section("Cost", found["compared"], "figures compared; ratios are B/A",
                   lines + tally(found))
    if found["without_interval"]:
        told += line(f"{words.plural(found['without_interval'], 'figure')} without an interval in"
                     " one of the runs, which takes six repetitions: not compared")
    for side, letter in (("a", "A"), ("b", "B")):
        groups = names_by(found["errors"][side], lambda row: row["error"],
                          lambda row: row["name"])
        for error, names in groups.items():
            told += line(f"error in {letter}: {error}: {some(names)}")
    for side, letter in SIDES:
        if found[side]:
            told += line(f"only in {letter}: {words.plural(len(found[side]), 'row')}:"
                         f" {some(found[side])}")
    return told


def summed_up(found):
    """The last line: what changed, and what that comes to."""
    n = found["summary"]
    head = {"no change": "no change: ", "unknown": "unknown: ", "changed": ""}[found["result"]]
    return (f"{head}{words.plural(n['verdicts'], 'verdict')},"
            f" {words.plural(n['thresholds'], 'threshold')}, {words.plural(n['races'], 'race')}"
            f" changed; {words.plural(n['rates'], 'rate')} and {words.plural(n['costs'], 'cost')}"
            " differ measurably")


def text(found):
    """All of it, as it is printed."""
    lines = [*identity("A", found["a"]), *identity("B", found["b"]),
             *(row for note in found["notes"] for row in line(note)),
             *verdicts(found["verdicts"]), *thresholds(found["thresholds"]),
             *races(found["races"]), *rates(found["rates"]), *costs(found["costs"]), "",
             summed_up(found)]
    return "\n".join(lines) + "\n"
