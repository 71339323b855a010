"""The figures of the report, in its order. To add one: its file, and one line here.

Each module has NAME (its file's name), SECTION (where it stands: cost, surface, causes or price),
TITLE, DATA (the table that it is drawn from), note(run) (what is shown, of how many, and how to
read it) and draw(run, width), which returns a matplotlib Figure `width` px wide, or None where the
run has no data for it. Those of SECTION cost stand where `cost.py` names them.
"""

from . import throughput, waits, fairness, parts, plane, surface, surface_jobs, causes, price

FIGURES = (parts, throughput, waits, fairness, plane, surface, surface_jobs, causes, price)
