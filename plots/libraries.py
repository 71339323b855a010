"""What people run: libraries, each with the lock here that is like it. The facts are those of
their documentation and sources, in libraries.json; what breaks the row is the run's."""

import json
from pathlib import Path

import words
from answer import main_world
from answer_cells import broken_by_all, decided, faced, withstood

FILE = Path(__file__).parent / "libraries.json"
NOTE = ("The libraries themselves were not run. Each stands beside the row that sends the same"
        " commands; defaults are those of its documentation. `./locklab campaign redisson` names"
        " the row, too.")


def known():
    return json.loads(FILE.read_text(encoding="utf-8"))["libraries"]


def broke(run, name):
    """The hazards that break a lock, in the order of the matrix."""
    world = main_world(run)
    if not decided(run, world, name):
        return "not run"
    broken = [c["hazard"] for c in faced(run, world, name) if not withstood(c)]
    common = broken_by_all(run, world)
    own = [f"`{hazard}`" for hazard in broken if hazard not in common]
    every = ["what breaks every lease"] if set(broken) & set(common) else []
    return words.listing(own + every) or "nothing"


def of_every_lease(run):
    """What `what breaks every lease` means."""
    common = broken_by_all(run, main_world(run))
    return f"Every lease was broken by {words.names(common)}." if common else ""


def rows(run):
    """[(library, what broke the row that is like it)] of rows in this run."""
    names = {row["name"] for row in run.algorithms}
    return [(item, broke(run, item["like"])) for item in known() if item["like"] in names]
