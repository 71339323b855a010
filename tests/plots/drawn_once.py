"""Each figure is drawn once for all tests whose runs have the same data for it: drawing is most of
what they take. That it needs no other data, `DrawnOnce` in report_test.py sees. What is drawn is
kept in build/drawn, where there is a build, for the tests of other files; never longer than the
sources of plots/ stay as they are.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path

import matplotlib
import report

ROOT = Path(__file__).resolve().parents[2]
DRAW = report.drawing
"""Which draws each time."""

PARTS = {"cells.csv": lambda run: [*run.cells.values()],
         "bench.csv": lambda run: run.bench and vars(run.bench),
         "surface.csv": lambda run: run.surface, "price.json": lambda run: run.price}
"""What of a run is in the file that a figure names as its data."""

KEPT = {}


def digest_of_sources():
    """Of all that decides how a figure looks, except the data."""
    digest = hashlib.sha1(matplotlib.__version__.encode())
    for path in sorted((ROOT / "plots").rglob("*")):
        if path.suffix in (".py", ".json"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def folder():
    """Where other processes find what this one has drawn; None: there is no build."""
    if not (ROOT / "build").is_dir():
        return None
    kept = ROOT / "build" / "drawn" / digest_of_sources()
    for old in kept.parent.glob("*"):
        if old != kept:
            shutil.rmtree(old, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    return kept


FOLDER = folder()


def drawn(run, module, key):
    """The two pictures of a figure, or None if it has no data."""
    path = FOLDER and FOLDER / hashlib.sha1(json.dumps(key).encode()).hexdigest()
    if path and path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    figure = DRAW(run, module)
    pictures = figure and [str(picture) for picture in figure[1:]]
    if path:
        begun = path.with_suffix(f".{os.getpid()}")
        begun.write_text(json.dumps(pictures), encoding="utf-8")
        begun.rename(path)
    return pictures


def drawing(run, module):
    """As report.drawing."""
    key = module.NAME, json.dumps([run.algorithms, PARTS[module.DATA](run)])
    if key not in KEPT:
        KEPT[key] = drawn(run, module, key)
    return KEPT[key] and (module, *KEPT[key])


report.drawing = drawing
