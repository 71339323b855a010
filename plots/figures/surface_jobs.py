"""The same where jobs are longer, as in Jepsen's test: some outlast the smallest TTLs without any
pause."""

import surface
from figures import surface as short

NAME = "surface_jobs"
SECTION = "surface"
DATA = "surface.csv"
TITLE = "The same with longer jobs, as in Jepsen’s test"


def note(run):
    return short.note_of(run, surface.kinds(run)[-1])


def draw(run, width):
    kinds = surface.kinds(run)
    return short.draw_of(run, width, kinds[-1]) if len(kinds) > 1 else None
