"""The figures of the report, in its order. To add one: its file, and one line here.

Each module has NAME (its file's name), SECTION (where it stands: cost or causes), TITLE, NOTE
(how to read it) and draw(run, width), which returns a matplotlib Figure `width` px wide, or None
where the run has no data for it.
"""

from . import throughput, waits, causes

FIGURES = (throughput, waits, causes)
