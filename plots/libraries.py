"""What people run: libraries, each with the lock here that is like it. The facts are those of
their documentation and sources, in libraries.json and in the manifests of their drivers; what
breaks the row is the run's."""

import functools
import json
from pathlib import Path

import words
from answer import main_world
from answer_cells import broken_by_all, decided, faced, withstood

FILE = Path(__file__).parent / "libraries.json"
DRIVERS = Path(__file__).resolve().parents[1] / "drivers"
FROM_MANIFEST = {"language": "language", "like": "like", "docs": "documentation"}
"""What an entry need not say: key of the entry, key of drivers/MANIFEST.md."""
TITLE = {False: "What you run, here", True: "Which of our locks each library is like"}
SHORT = {False: "You run", True: "Like which lock"}
"""Of the section and of the link to it, by whether libraries were run."""
NOTE = ("The libraries themselves were not run. Each stands beside the row that sends the same"
        " commands; defaults are those of its documentation. `./locklab campaign redisson` names"
        " the row, too.")
RAN = ("Of these libraries, {} ran as well, unmodified: what came of that stands below. The"
       " others were not run. Each stands beside the row that sends the same commands; defaults are"
       " those of its documentation. `./locklab campaign redisson` names"
       " the row, too.")
FIRST = ("{} of these {} rows were run as well, unmodified: what came of that stands at the top of"
         " the page. Each stands beside the row of ours that sends the same commands; defaults are"
         " those of its documentation.")


@functools.cache
def manifest(driver):
    """What the manifest of a driver says of a mode: of redis-py:asyncio, say."""
    folder, _, variant = driver.partition(":")
    found = json.loads((DRIVERS / folder / "manifest.json").read_text(encoding="utf-8"))
    return found | (found["variants"][variant] if variant else {})


def of_manifest(driver):
    return {key: manifest(driver)[source] for key, source in FROM_MANIFEST.items()}


def known():
    """The entries of libraries.json, each with what the manifest of its driver adds."""
    entries = json.loads(FILE.read_text(encoding="utf-8"))["libraries"]
    return [(of_manifest(item["driver"]) if "driver" in item else {}) | item for item in entries]


def work_like(run, name):
    """Names of libraries that are like a lock, without those that broke in the run where not every
    lease does: they lack something of it."""
    lacking = {row["name"] for row in run.libraries
               if any(cell["news"] for cell in row.get("cells") or [])}
    return [item["name"] for item in known()
            if item["like"] == name and item.get("driver") not in lacking]


def tried(run):
    """{name of a driver: its row} of the libraries of which something was played."""
    return {row["name"]: row for row in run.libraries if scenes(row, "as_expected", "differs")
            or searches(row, "violated") or searches(row, "unknown")}


def note(run):
    """What was run of all this."""
    ran = [item["name"] for item in known() if item.get("driver") in tried(run)]
    if ran and any(row.get("cells") for row in run.libraries):
        return FIRST.format(len(ran), len(known()))
    return RAN.format(words.listing(ran)) if ran else NOTE


def scenes(row, *results):
    return [play for play in row["scenarios"] if play["result"] in results]


def searches(row, verdict):
    """Searches that came to something: somebody was granted the lock in them."""
    return [s for s in row["searches"] if s["verdict"] == verdict and s["trouble"] is None
            and s["grants"]]


def faults(found):
    """under `pause` and `evict`, or without a fault"""
    named = words.names(s["hazard"] for s in found if s["hazard"] != "contention")
    calm = any(s["hazard"] == "contention" for s in found)
    return ", or ".join([f"under {named}"] * bool(named) + ["without a fault"] * calm)


def proved(row):
    """The sentence on overlaps that were proved, and those on searches that proved none."""
    seen = [p["scenario"] for p in scenes(row, "as_expected", "differs") if p["proved_overlaps"]]
    parts = [f"{faults(found)} by a search" for found in [searches(row, "violated")] if found]
    if seen:
        parts.append(f"in {words.plural(len(seen), 'scenario')} ({words.names(seen)})")
    lines = [f"An overlap was proved {' and '.join(parts)}." if parts
             else "No overlap was proved."]
    calm = searches(row, "unknown")
    for plays in sorted({s["plays"] for s in calm}):
        under = faults([s for s in calm if s["plays"] == plays])
        lines.append(f"In {words.plural(plays, 'play')} each, searches proved none {under}; that"
                     " is no proof that there is none.")
    if not row["searches"] or any(s["trouble"] for s in row["searches"]):
        troubles = (s["trouble"] for s in row["searches"] if s["trouble"])
        why = row["not_searched"] or next(troubles, "")
        some = calm or searches(row, "violated")
        what = "Some searches failed" if some else "It was not searched"
        lines.append(f"{what}: {why.rstrip('.')}." if why else f"{what}.")
    return lines


def differs(row):
    """Sentences on the scenarios: where it is not as the lock that it was compared with."""
    if row["trouble"]:
        return [f"Its scenarios were not played: {row['trouble'].rstrip('.')}."]
    played, other = scenes(row, "as_expected", "differs"), scenes(row, "differs")
    lead = f"differs from {row['like']}: "
    lines = [f"Of {words.plural(len(played), 'scenario')} it differs from `{row['like']}` in "
             + ("; ".join(f"`{p['scenario']}` ({p['words'].removeprefix(lead)})" for p in other)
                or "none") + "."]
    left = [f"{len(rows)} {text}" for result, text in (
        ("not_played", "could not be played on it"), ("no_verdict", "came to no verdict"))
            if (rows := scenes(row, result))]
    return lines + ([f"{' and '.join(left)}."] if left else [])


def ran(run, item):
    """What came of the library itself, in sentences; empty where it was not run. What searches
    came to stands with its cells, where it has any."""
    row = tried(run).get(item.get("driver"))
    if row is None:
        return ""
    first = f"{item['name']} {row['version']} itself was run."
    if not row.get("cells"):
        return " ".join([first, *proved(row), *differs(row)])
    return " ".join([first, *differs(row)]) if row["scenarios"] or row["trouble"] else ""


def broke(run, name, common):
    """The hazards that break a lock, in the order of the matrix. `common` break every lease."""
    world = main_world(run)
    if not decided(run, world, name):
        return "not run"
    broken = [c["hazard"] for c in faced(run, world, name) if not withstood(c)]
    own = [f"`{hazard}`" for hazard in broken if hazard not in common]
    every = ["what broke every lease here"] if set(broken) & set(common) else []
    return words.listing(own + every) or "nothing"


def of_every_lease(run):
    """What `what broke every lease here` means."""
    common = broken_by_all(run, main_world(run))
    return f"Every lease was broken by {words.names(common)}." if common else ""


def rows(run):
    """[(library, what broke the row that is like it)] of rows in this run."""
    names = {row["name"] for row in run.algorithms}
    common = broken_by_all(run, main_world(run))
    return [(item, broke(run, item["like"], common)) for item in known() if item["like"] in names]
