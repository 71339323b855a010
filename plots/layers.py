"""The layers in which things go wrong, and how far each lock gets in each.

A lock that breaks though nothing goes wrong stands below all others, and one that somebody can
leave taken for ever below all that cannot be. Beyond that each layer counts alike, however many
hazards it has.
"""

from dataclasses import dataclass

import words
from answer_cells import decided, faced, withstood

NO_FAULT = "contention"

LAYERS = {
    "client": ("slow_job", "crash", "pause", "stall"),
    "network": ("lose_request", "lose_reply", "delay_request", "delay_reply", "retry",
                "error_reply", "reset", "partition"),
    "client clock": ("clock_offset", "clock_jump"),
    "server": ("server_clock_jump", "restart", "restart_snapshot", "evict", "failover", "freeze",
               "flush"),
}


@dataclass(frozen=True)
class Standing:
    """One lock of the ranking."""

    name: str
    layers: dict       # layer -> (hazards that it withstood, hazards that it faced)
    deadlocks: list    # hazards under which it stayed taken for ever
    broken: list       # hazards that it did not withstand

    @property
    def breaks_by_itself(self):
        """Whether it breaks though nothing goes wrong."""
        return NO_FAULT in self.broken

    @property
    def worth(self):
        """What the ranking sorts by, the best first."""
        parts = [of and held_ / of for held_, of in self.layers.values()]
        return self.breaks_by_itself, bool(self.deadlocks), -sum(parts)

    def said(self, layer):
        """4 of 4."""
        held_, of = self.layers[layer]
        return f"{held_} of {of}" if of else words.NONE


def standing(run, world, name):
    cells = faced(run, world, name)
    layers = {}
    for layer, hazards in LAYERS.items():
        mine = [cell for cell in cells if cell["hazard"] in hazards]
        layers[layer] = (sum(map(withstood, mine)), len(mine))
    return Standing(name, layers, [c["hazard"] for c in cells if c["stuck"]],
                    [c["hazard"] for c in cells if not withstood(c)])


def ranking(run, world):
    """[(place, Standing)] of the locks that were run; equal ones share a place."""
    found = [standing(run, world, name) for name in run.locks() if decided(run, world, name)]
    found.sort(key=lambda one: one.worth)
    places = []
    for index, one in enumerate(found):
        same = index and found[index - 1].worth == one.worth
        places.append(places[-1] if same else index + 1)
    return list(zip(places, found))


def table(run, world):
    """(heads, rows) of the ranking, as text."""
    heads = ["Place", "Lock", *(layer.capitalize() for layer in LAYERS), "Left taken for ever by"]
    rows = [[str(place), f"`{one.name}`", *(one.said(layer) for layer in LAYERS),
             words.names(one.deadlocks) or "nothing"] for place, one in ranking(run, world)]
    return heads, rows


NOTE = ("Each figure says under how many faults of the layer the lock held, of those that it was"
        " put to; one that its own file says to break it does not count as held, even where these"
        " runs did not see it. A lock that can stay taken for ever stands below all that cannot,"
        " and one that breaks though nothing goes wrong below all others. Beyond that each layer"
        " counts alike, so that a layer with many columns does not outweigh the others.")
