"""What tests of computed sentences share: a run to change, and rows of benchmarks."""

import copy
import dataclasses
import functools
import tempfile
import unittest
from pathlib import Path

import report_test  # noqa: F401  puts plots/ into the path
import bench
import load
import report_fixture as fixture


def with_interval(value, low=None, high=None):
    return {"value": value, "low": low, "high": high}


@functools.cache
def base():
    """The fixture's run, read once; each test changes a copy."""
    with tempfile.TemporaryDirectory() as holder:
        return load.load_run(fixture.write(Path(holder) / "run"))


class Data(unittest.TestCase):
    """A run that was read once; each test has its own cells, and what else it changes."""

    def setUp(self):
        self.base = base()
        self.run_ = self.with_(cells=copy.deepcopy(self.base.cells),
                               agreement=copy.deepcopy(self.base.agreement),
                               manifest=copy.deepcopy(self.base.manifest),
                               algorithms=copy.deepcopy(self.base.algorithms))

    def with_(self, **changes):
        return dataclasses.replace(getattr(self, "run_", self.base), **changes)

    def cell(self, lock, hazard, world="sim"):
        return self.run_.cells[world, lock, hazard]

    def calm(self, keep=()):
        """Nothing broke but what is named."""
        for key, cell in self.run_.cells.items():
            if cell["verdict"] != "not_applicable" and key not in keep:
                cell.update(verdict="holds", overlaps=0, lost_updates=0, fence_inversions=0,
                            stuck=0, stuck_until_ttl=0, violated_runs=0, claim="safe",
                            **({"denied": 0} if "denied" in cell else {}))

    def broken(self, lock, hazard, world="sim", stuck=0):
        kind = "violated" if not stuck else "stuck"
        self.cell(lock, hazard, world).update(
            verdict=kind, overlaps=0 if stuck else 5, stuck=stuck, violated_runs=0 if stuck else 5,
            claim="broken")

    def measured(self, rows, errors=(), noise=()):
        return self.with_(bench=bench.Bench(list(rows), list(errors), list(noise)))


def alone(lock, us, low=None, high=None, ratio=0.9, **more):
    """A row of one client."""
    figures = {"ratio_to_floor": with_interval(ratio, low, high),
               "commands_per_grant": with_interval(2), "ping_us": with_interval(10.0)}
    return {"name": f"live/uncontended/{lock}", "suite": "live/uncontended", "lock": lock,
            "over": "unix", "cpus": "same", "repetitions": 9, "error": None,
            "time_us": with_interval(us), "figures": figures, **more}


def contended(lock, per_s, clients=8, overlaps=0, **more):
    return {"name": f"live/contended/{lock}/{clients}", "suite": "live/contended", "lock": lock,
            "clients": str(clients), "hold": "500us", "think": "0us", "wait": "jitter",
            "retry": "1ms", "over": "unix", "cpus": "two", "repetitions": 9, "error": None,
            "time_us": with_interval(1e6 / per_s),
            "figures": {"grants_per_s": with_interval(per_s), "jain": with_interval(0.9),
                        "overlaps_per_1000": with_interval(overlaps)}, **more}
