"""The same where jobs are longer, as in Jepsen's test: some outlast the smallest TTLs without any
pause."""

import surface
from figures import surface as short

NAME = "surface_jobs"
SECTION = "surface"
DATA = "surface.csv"
TITLE = "The same with longer jobs, as in Jepsen’s test"


def job_us(run):
    """The longest job of this figure."""
    return surface.kinds(run)[-1]


def note(run):
    return short.note_of(run, job_us(run))


def draw(run, width):
    return short.draw_of(run, width, job_us(run)) if len(surface.kinds(run)) > 1 else None
