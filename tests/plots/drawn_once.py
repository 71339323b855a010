"""Each figure is drawn once for all tests whose runs have the same data for it: drawing is most of
what they take. That it needs no other data, `DrawnOnce` in report_test.py sees."""

import json

import report

DRAW = report.drawing
"""Which draws each time."""

PARTS = {"cells.csv": lambda run: [*run.cells.values()],
         "bench.csv": lambda run: run.bench and vars(run.bench),
         "surface.csv": lambda run: run.surface, "price.json": lambda run: run.price}
"""What of a run is in the file that a figure names as its data."""

KEPT = {}


def drawing(run, module):
    """As report.drawing."""
    key = module.NAME, json.dumps([run.algorithms, PARTS[module.DATA](run)])
    if key not in KEPT:
        KEPT[key] = DRAW(run, module)
    return KEPT[key]


report.drawing = drawing
