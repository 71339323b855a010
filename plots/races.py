"""The races: each scenario step by step with a lock that it hits, and what every lock makes of
it."""

import re

import load
import picture
import words
from markupsafe import Markup

SUMS = {
    "violated": (
        "V", "violated", "violated: two inside at once, a lost update or a token out of order"),
    "stuck": ("S", "stuck", "stuck: the lock stays taken though no live client holds it"),
    "foreign_key": ("x", "differ", "another client’s key is deleted or extended"),
    "waits": ("t", "unknown", "a client waits for a TTL to pass"),
    "kept_out": ("k", "unknown", "a client wants the lock all the while and never gets it"),
    "harmless": ("H", "holds", "holds: nothing goes wrong"),
    "no_verdict": ("?", "unknown", "no verdict: the machine was late, or the play interrupted"),
}
"""What a play comes to: its letter, the class of its colour, its meaning."""


def of_oracle(run):
    """Why the lock that is never wrong may be marked, or None where it is not."""
    oracle = run.control(load.NEVER_WRONG)
    if not any((row["algorithm"], row["sum"]) == (oracle, "violated")
               for race in run.races for row in race["outcomes"]):
        return None
    return (f"`{oracle}` is marked, too, where a write that was sent before a crash lands after it."
            " That is no fault of a lock: two clients are never inside at once, yet no lock can"
            " call back a write that is under way. Only the resource can refuse it.")


def sources(race):
    """(the source that is quoted, the others that describe it, too)."""
    first, *others = (part.strip() for part in race["source"].split(", "))
    return first, words.listing(others)


def columns(run):
    """The locks that any race was played with, in the registry's order."""
    played = {row["algorithm"] for race in run.races for row in race["outcomes"]}
    return [a["name"] for a in run.algorithms if a["name"] in played]


def outcome(race, algorithm, world):
    """One row of the race's outcomes, or None."""
    return next((row for row in race["outcomes"]
                 if (row["algorithm"], row["world"]) == (algorithm, world)), None)


def square(race, algorithm):
    """(letter, class, title) of one lock, as the simulator saw it; ≠ where either world was not
    as expected. None where it was not played."""
    rows = [row for world in load.WORLDS if (row := outcome(race, algorithm, world))]
    if not rows:
        return None
    letter, look, _ = SUMS[rows[0]["sum"]]
    wrong = any(not row["ok"] for row in rows)
    title = f"{algorithm}: {rows[0]['observed']}" + ("; not as expected" if wrong else "")
    return letter + ("≠" if wrong else ""), look, title


def spoken(race, locks):
    """The squares of a race for who cannot see them: set_nx_del V, set_nx_lua H."""
    found = ((name, square(race, name)) for name in locks)
    return ", ".join(f"{name} {shown[0]}" for name, shown in found if shown)


def legend(run):
    """[(letter, class, meaning)] of what occurs."""
    seen = {row["sum"] for race in run.races for row in race["outcomes"]}
    found = [facts for name, facts in SUMS.items() if name in seen]
    if any(not row["ok"] for race in run.races for row in race["outcomes"]):
        found.append(("≠", "", "not as the scenario’s file expects, in one of the worlds"))
    return found


def table(race):
    """[(lock, simulator's row, real Redis' row)]; a row is None where there was no play."""
    names = dict.fromkeys(row["algorithm"] for row in race["outcomes"])
    return [(name, *(outcome(race, name, world) for world in load.WORLDS)) for name in names]


def said(row):
    """What one world showed, in words."""
    if row is None:
        return "not played"
    return row["observed"] + ("" if row["ok"] else " (not as expected)")


def said_live(sim, live):
    """The same of the real Redis, short where both worlds agree."""
    return "the same" if sim and live and said(sim) == said(live) else said(live)


def replays(race):
    """The commands that show the race again: in the simulator, and live where that can be."""
    live = outcome(race, race["algorithm"], "live")
    return [race["replay"]] + ([live["replay"]] if live else [])


def intro(run):
    """What was played, and whether it came out as expected."""
    rows = [row for race in run.races for row in race["outcomes"]]
    sim, live = (words.count(sum(row["world"] == world for row in rows)) for world in load.WORLDS)
    wrong = sum(not row["ok"] for row in rows)
    return (f"{words.plural(len(run.races), 'race')} that the articles and their critics describe,"
            " each played step by step with the locks that it is about:"
            f" {sim} plays in the simulator, {live} on a real Redis. "
            + (f"{words.count(wrong)} of them did not come out as expected." if wrong
               else "All came out as expected."))


TRADITIONAL = frozenset("鎖鍵時間過較舊進獲設應將來這個為釋執")
"""Characters that only texts in traditional Chinese have."""


def language(text):
    """The lang attribute of a quotation."""
    if not re.search("[\u4e00-\u9fff]", text):
        return "en"
    return "zh-Hant" if set(text) & TRADITIONAL else "zh-Hans"


def drawing(race):
    return Markup(picture.inline(race["svg"], f"race-{race['name']}-"))


def any_picture(run):
    """The SVG of some play of this run, or nothing: what all pictures share is in each."""
    return next((row["svg"] for row in (*run.races, *run.witnesses)), None)


def style(run):
    """The style sheet that all pictures share, once for the page."""
    found = any_picture(run)
    return Markup(picture.style_of(found) if found else "")


def defs(run):
    """The <defs> that they share."""
    found = any_picture(run)
    return Markup(picture.defs_of(found) if found else "")


def matrix_md(run):
    """All races and locks as a Markdown table."""
    locks = columns(run)
    lines = ["| race | " + " | ".join(f"`{name}`" for name in locks) + " |",
             "| --- |" + " :-: |" * len(locks)]
    for race in run.races:
        shown = (square(race, name) for name in locks)
        cells = " | ".join(item[0] if item else "" for item in shown)
        lines.append(f"| {words.cell_md(race['title'])} | {cells} |")
    return "\n".join(lines)
