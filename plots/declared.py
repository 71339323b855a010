"""What each lock's own file declares of a cell, and what came out; where that is not the same, why,
as far as chance explains it."""

import words
from answer_cells import CLEAN

WHERE = {"sim": "in the simulator", "live": "on a real Redis"}
COMES_TO = {"safe": CLEAN, "broken": ("violated", "stuck")}
UNLIKE = (("grants_per_run", "grants in a run"), ("ttl_us", "TTL"))
"""Parameters of a campaign in which the worlds' runs differ."""


def came_out(cell):
    """Whether the verdict is the declared one; None where nothing is declared. Unknown is none."""
    claim = cell.get("claim")
    if cell["verdict"] == "not_applicable" or not claim:
        return None
    return cell["verdict"] in COMES_TO[claim]


def differs(cell):
    """Whether the cell is marked. A cell that does not say what was declared says this alone."""
    came = came_out(cell)
    return not cell.get("as_claimed", True) if came is None else not came


def chance_of_none(failed, of, none_of):
    """If `failed` of `of` runs fail, and those are like `none_of` others: how likely it is that of
    these none does (Fisher's exact test, one side)."""
    chance = 1.0
    for i in range(failed):
        chance *= (of - i) / (of + none_of - i)
    return chance


def percent(share):
    """9.6 %; 0.1 %; less than 0.1 %."""
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def unlike(run):
    """30 and 10 grants in a run, TTL 1 s and 500 ms: simulator and real Redis."""
    sim, live = (run.manifest.get("parameters", {}).get(world, {}) for world in WHERE)
    return words.listing(
        f"{what} {words.parameter(key, sim[key])} and {words.parameter(key, live[key])}"
        for key, what in UNLIKE if key in sim and key in live and sim[key] != live[key])


def failed_runs(row):
    """Runs of a cell that went wrong in any way; one may have done so in two."""
    return min(row["runs"], row["violated_runs"] + row["stuck"])


def missed(failed, of, runs):
    """At that rate 100 runs all miss it in 10 % of cases."""
    return (f"at that rate {words.plural(runs, 'run')} all miss it in"
            f" {percent(chance_of_none(failed, of, runs))} of cases")


OF_A_BATCH = ("on a real Redis one such fault strikes all runs under way, each wherever it is, so"
              " that their rate is another, and not known")


def is_of_a_batch(run, cell):
    """Whether the harness knows no chance, though it made simulated runs like these."""
    row = run.agreement.get((cell["algorithm"], cell["hazard"]), {})
    return row.get("chance", 0) is None


def unseen(run, cell):
    """Why live runs may not have seen what is declared."""
    runs, like = cell["runs"], cell.get("like_runs")
    if like:
        failed = min(like["runs"], like["violated"] + like["stuck"])
        rate = OF_A_BATCH if is_of_a_batch(run, cell) else missed(failed, like["runs"], runs)
        return (f"of {words.plural(like['runs'], 'simulated run')} like these {words.count(failed)}"
                f" failed; {rate}")
    sim = run.cells.get(("sim", cell["algorithm"], cell["hazard"]))
    if sim is None or not sim.get("runs") or "violated_runs" not in sim:
        return "no simulated runs to compare it with"
    failed, apart = failed_runs(sim), unlike(run)
    but = f", if they were alike, which they are not ({apart})" if apart else ""
    return (f"of {words.plural(sim['runs'], 'simulated run')} {words.count(failed)} failed;"
            f" {missed(failed, sim['runs'], runs)}{but}")


def why(run, cell):
    """What is said of a cell that did not come out as declared."""
    head = f"declared {cell['claim']}, found {cell['verdict']}"
    if cell["verdict"] == "unknown":
        return f"{head}: {cell.get('why_unknown') or 'no reason was recorded'}"
    head += f" in {words.plural(cell['runs'], 'run')}"
    if cell["world"] == "live" and cell["claim"] == "broken":
        return f"{head}; {unseen(run, cell)}"
    return head


def others(run, world):
    """The cells of a world that did not come out as declared, in the order of the matrix."""
    return [c for row in run.algorithms for c in run.row(world, row["name"])
            if came_out(c) is False]


def rows(run):
    """[(world, lock, hazard, why)] of all of them."""
    return [(world, cell["algorithm"], cell["hazard"], why(run, cell))
            for world in WHERE for cell in others(run, world)]


def counts(run):
    """of the declared verdicts 201 of 201 came out as declared in the simulator and 157 of 162 on a
    real Redis (of 3 of them no failure was seen, in runs too few to say that they hold); or nothing
    where none is declared."""
    parts = []
    for world, where in WHERE.items():
        found = [(cell, came) for (w, *_), cell in run.cells.items()
                 if w == world and (came := came_out(cell)) is not None]
        few = sum(came and cell["verdict"] == "not seen" for cell, came in found)
        if found:
            parts.append(f"{sum(came for _, came in found)} of {len(found)} {where}"
                         + (f" (of {few} of them no failure was seen, in runs too few to say that"
                            " they hold)" if few else ""))
    return f"of the declared verdicts, {words.listing(parts)} came out as declared" if parts\
        else None


def rare(run):
    """{lock: faults} that break it, as its row says, and so rarely that none of its campaigns has a
    declared verdict."""
    table = {}
    for row in run.algorithms:
        for hazard in row.get("broken_by", ()):
            cells = [run.cells.get((world, row["name"], hazard), {}) for world in WHERE]
            if any(cell.get("claim") == "" and cell["verdict"] != "not_applicable"
                   for cell in cells):
                table.setdefault(row["name"], []).append(hazard)
    return table


def listed(table):
    """`fenced` under `crash` and `pause` and `setnx_del` under `retry`."""
    return words.listing(f"`{name}` under {words.names(hazards)}"
                         for name, hazards in table.items())


def sentence(run):
    """The same as a sentence, which did not, and which are not counted."""
    if not (text := counts(run)):
        return ""
    named = []
    for world, where in WHERE.items():
        table = {}
        for cell in others(run, world):
            table.setdefault(cell["algorithm"], []).append(cell["hazard"])
        if table:
            named.append(f"{where} {listed(table)}")
    rest = f" Not so: {'; '.join(named)}." if named else ""
    if table := rare(run):
        rest += (f" Not counted: {listed(table)}; that breaks the lock, as searches show, too"
                 " rarely for so many runs.")
    return f"{text[0].upper()}{text[1:]}.{rest}"
