"""The questions that people ask, with the run's own numbers in the answers.

questions.json has the words: an answer is a list of sentences. One with a `fact` is filled with
what a function of FACTS finds in the run, or is its `else` where the run does not know.
"""

import functools
import json
from collections import Counter
from pathlib import Path

import advice
import failovers
import fault_words
import library_table
import matrix
import redlock
import tokens
import words
import you_run
from answer import main_world
from answer_cells import decided
from figures import fairness as fairness_figure

FILE = Path(__file__).parent / "questions.json"
SECTIONS = {"you-run": "the libraries", "tokens": "fencing tokens", "surface": "TTL and pauses",
            "cost": "what it costs", "matrix": "the matrix", "messages": "error messages",
            "redlock": "Redlock, claim by claim",
            "failovers": "How many locks does a failover lose?"}


@functools.cache
def data():
    return json.loads(FILE.read_text(encoding="utf-8"))


def cells_under(run, hazard):
    """The decided cells of the locks under test that have a lease, under one hazard."""
    return [cell for name in run.locks() if run.has_ttl(name)
            for cell in decided(run, main_world(run), name) if cell["hazard"] == hazard]


def hazard(run, name):
    """How many locks broke under it."""
    cells = cells_under(run, name)
    broken = sum(cell["verdict"] != "holds" for cell in cells)
    return {"broken": words.count(broken), "faced": words.count(len(cells))} if cells else None


def modes(run, name):
    """How many modes of libraries broke under it alone."""
    cells = [cell for cell in library_table.cells(run)
             if cell["faults"] == f"{name}=1" and cell["verdict"] != "unknown"]
    broken = sum(library_table.mark(cell) in "xX" for cell in cells)
    return {"broken": words.count(broken), "faced": words.count(len(cells))} if cells else None


def oracle(run, name):
    """What an oracle found in all cells of libraries, or in those under one fault alone:
    `keys_left under cancel`."""
    name, _, fault = name.partition(" under ")
    found = [cell["oracles"][name] for cell in library_table.cells(run)
             if name in cell.get("oracles", {}) and fault in ("", cell["faults"].split("=")[0])
             and (not fault or "," not in cell["faults"])]
    of = sum(one["of"] for one in found)
    return {"found": words.count(sum(one["found"] for one in found)),
            "of": words.count(of)} if of else None


def causes(run):
    """{cause: violations} over the locks under test."""
    total = Counter()
    for name in run.locks():
        for cell in decided(run, main_world(run), name):
            total.update(cell.get("causes", {}))
    return +total


def cause(run, name):
    found = causes(run)
    return {"found": words.count(found[name]),
            "of": words.count(found.total())} if found[name] else None


def top_cause(run, _):
    """The cause of most violations."""
    found = causes(run)
    if not found:
        return None
    name, count = found.most_common(1)[0]
    return {"cause": name.replace("_", " "), "found": words.count(count),
            "of": words.count(found.total())}


def stuck(run, name):
    """Locks that stayed taken for ever, whether or not they have a TTL."""
    cells = [cell for lock in run.locks() for cell in decided(run, main_world(run), lock)
             if cell["hazard"] == name]
    left = [cell["algorithm"] for cell in cells if cell["stuck"]]
    return {"stuck": words.count(len(left)), "faced": words.count(len(cells)),
            "locks": words.names(left)} if left else None


def waited(run, name):
    """Locks for which clients had to wait until a TTL had passed."""
    cells = cells_under(run, name)
    left = [cell for cell in cells if matrix.waits_for_ttl(run, cell)]
    return {"waited": words.count(len(left)), "faced": words.count(len(cells))} if left else None


def lock(run, name):
    """Under how much one lock held."""
    others = [row["name"] for row in run.others.algorithms] if run.others else []
    cells = decided(run.others, "sim", name) if name in others else decided(
        run, main_world(run), name)
    held = sum(cell["verdict"] == "holds" for cell in cells)
    return {"held": words.count(held), "faced": words.count(len(cells))} if cells else None


def reentrant(run, _):
    found = [row["name"] for row in run.algorithms if row["reentrant"]]
    return {"locks": words.names(found)} if found else None


def fairness(run, _):
    """The lock with the least index, at any number of clients."""
    rows = [row for row in fairness_figure.rows_of(run) if row["lock"] in run.locks()]
    if not rows:
        return None
    least = min(rows, key=lambda row: row["figures"]["jain"]["value"])
    return {"lock": f"`{least['lock']}`", "least": f"{least['figures']['jain']['value']:.2f}"}


def said_by(text):
    return {"text": text} if text else None


FACTS = {
    "hazard": hazard, "modes": modes, "oracle": oracle, "cause": cause, "top_cause": top_cause,
    "stuck": stuck, "waited": waited, "lock": lock, "reentrant": reentrant, "fairness": fairness,
    "sentinels": lambda run, _: failovers.is_told(run) and said_by(failovers.answer(run)),
    "redlock": lambda run, _: said_by(redlock.beside_one(run)),
    "tokens": lambda run, _: said_by(tokens.sentence(run)),
    "ttl": lambda run, _: said_by((advice.ttl(run, main_world(run)) or ("", ""))[1]),
    "server": lambda run, _: run.manifest.get("redis") and {"version": run.manifest["redis"]},
}


def sentence(run, said):
    """One sentence of an answer, with the run's numbers."""
    if isinstance(said, str):
        return said
    found = FACTS[said["fact"]](run, said["of"])
    return said["text"].format(**found) if found else said["else"]


def answer(run, question):
    return " ".join(sentence(run, said) for said in question["say"])


def cell_link(run, what):
    lock_name, _, name = what.partition("/")
    cell = run.cells.get((main_world(run), lock_name, name))
    if cell is None or cell["verdict"] == "not_applicable":
        return None
    return f"#{matrix.anchor(cell)}", f"{lock_name}, {fault_words.of(name)}"


def race_link(run, name):
    found = next((race for race in redlock.played(run).races if race["name"] == name), None)
    return found and (f"#race-{name}", found["title"])


def section_link(run, name):
    shown = {"you-run": bool(library_table.rows(run)), "tokens": bool(tokens.rows(run)),
             "redlock": redlock.is_told(run), "failovers": failovers.is_told(run)}
    return (f"#{name}", SECTIONS[name]) if shown.get(name, True) else None


def library_link(run, name):
    found = you_run.libraries_of(run).get(name)
    return found and (f"#run-{name}", you_run.title(found))


def lock_link(run, name):
    return (f"#lock-{name}", name) if name in run.locks() else None


def message_link(_, name):
    return f"#message-{name}", SECTIONS["messages"]


LINKS = {"cell": cell_link, "race": race_link, "section": section_link, "library": library_link,
         "lock": lock_link, "message": message_link}


def link(run, what):
    """(where it leads, its words), or None where the run has no such place."""
    if what.startswith("https://"):
        return what, what.removeprefix("https://").partition("/")[0]
    kind, _, name = what.partition(":")
    return LINKS[kind](run, name)


def links(run, question):
    return [found for found in (link(run, what) for what in question["see"]) if found]


def rows(run):
    """[(id, question, answer, links)]"""
    return [(one["id"], one["ask"], answer(run, one), links(run, one))
            for one in data()["questions"]]
