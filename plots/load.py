"""Reads and validates the files of one run folder. Nothing else in plots/ opens them."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import bench
import shape as s
import surface
import witnesses
from failover_shape import read_failovers
from library_shape import LIBRARIES
from manifest_shape import MANIFEST
from price_shape import read_price
from race_shape import RACES
from run_files import BadRun, Listed, read_json
from threshold_shape import THRESHOLDS

WORLDS = ("sim", "live")
VERDICTS = ("holds", "not seen", "violated", "stuck", "unknown", "not_applicable")
CONTROLS = GRANTS_ALWAYS, NEVER_WRONG = "grants_always", "never_wrong"
"""What is not under test: a canary to be caught, an oracle never to be accused."""
FACTS = {"control": None, "renews": False, "reentrant": False, "fences": False}
OLDER = {"no_lock": {"control": GRANTS_ALWAYS}, "perfect_lock": {"control": NEVER_WRONG},
         "reentrant_watchdog": {"reentrant": True}}
"""What rows of older runs leave out, as it was then."""

INTERVAL = s.record({"value": s.number, "low": s.maybe(s.number), "high": s.maybe(s.number)})
WAIT = s.record({q: s.maybe(s.number) for q in ("p50", "p99", "p999", "max")})
KEY = {"algorithm": s.name, "hazard": s.name}
MEASURED = {"runs": s.count, "grants": s.count, "overlaps": s.count, "lost_updates": s.count,
            "fence_inversions": s.count, "stuck": s.count, "stuck_until_ttl": s.count}
ORACLE = s.record({"found": s.count, "of": s.count, "runs": s.count, "found_in_runs": s.count,
                   "verdict": s.maybe(s.one_of("holds", "not seen", "violated", "unknown"))},
                  {"first_run": s.maybe(s.count)})
"""What one question beside mutual exclusion found. No verdict: it rests on clocks, and time was
real."""
CELL = {
    "claim": s.one_of("safe", "broken", ""), "as_claimed": s.flag,
    "causes": s.map_of(s.count), "overlaps_per_1000_grants": s.maybe(INTERVAL),
    "throughput_per_s": s.maybe(s.number), "wait_us": s.maybe(WAIT),
    "commands_per_grant": s.maybe(s.number), "jain": s.maybe(s.number),
    "unknown_answers": s.maybe(s.count), "error_answers": s.maybe(s.count),
    "failed_tries": s.maybe(s.count), "first_error": s.maybe(s.text),
    "notices": s.record({"losses": s.count, "late": s.count},
                        {"told": s.count, "never_told": s.count, "false_alarms": s.count}),
    "like_runs": s.record({"runs": s.count, "violated": s.count, "stuck": s.count}),
    "refusals": s.record({"falsely": s.count, "of_own": s.count, "of_nobodys": s.count}),
    "longest_orphan_wait_us": s.count,
    "why_unknown": s.maybe(s.text), "replay": s.maybe(s.text), "witness": s.maybe(s.text),
    "command": s.text, "violated_runs": s.count, "denied": s.count,
    "goes_wrong_at_most": s.number, "commands_in_worst_second": s.count, "worst_lag_us": s.count,
    "oracles": s.map_of(ORACLE),
}
ALGORITHM = s.record(
    {"name": s.name, "label": s.text, "source": s.text, "colour": s.colour,
     "safe_under": s.list_of(s.name), "broken_by": s.list_of(s.name)},
    {"summary": s.text, "control": s.maybe(s.one_of(*CONTROLS)), "renews": s.flag,
     "reentrant": s.flag, "fences": s.flag, "ttl_us": s.maybe(s.count)})
AMOUNT = s.record({"least_percent_of_ttl": s.count, "most_percent_of_ttl": s.count,
                   "both_ways": s.flag})
HAZARD = s.record({"name": s.name, "meaning": s.text, "live": s.flag},
                  {"amount": s.maybe(AMOUNT)})
AGREEMENT = s.record({**KEY, "sim": s.one_of(*VERDICTS), "live": s.one_of(*VERDICTS),
                      "agree": s.flag},
                     {"why": s.maybe(s.text), "decided": s.flag, "chance": s.maybe(s.number),
                      "explained": s.flag})


def cell_shape(value, where):
    """A cell that was not run needs no counts; every other cell needs them."""
    s.record({"world": s.one_of(*WORLDS), **KEY, "verdict": s.one_of(*VERDICTS)}, CELL)(
        value, where)
    if value["verdict"] != "not_applicable":
        s.record(MEASURED)(value, where)


SUITE = s.record({"algorithms": s.list_of(ALGORITHM), "hazards": s.list_of(HAZARD),
                  "cells": s.list_of(cell_shape)},
                 {"agreement": s.list_of(AGREEMENT), "others": s.list_of(ALGORITHM)})
REDLOCK = s.record({"thresholds": s.anything, "cells": s.list_of(cell_shape)})


@dataclass(frozen=True)
class Run:
    """One run folder. Rows are the JSON objects as written, in the order of the registry."""

    folder: Path
    races: list        # rows of races.json; empty in a run without it
    witnesses: list    # rows of witnesses.json; empty in a run without it
    libraries: list    # rows of libraries.json; empty in a run without it
    surface: list      # rows of surface.json; empty in a run without it
    manifest: dict
    algorithms: list   # rows of suite.json's `algorithms`, with all FACTS
    hazards: list      # rows of `hazards`
    cells: dict        # (world, algorithm, hazard) -> cell
    agreement: dict    # (algorithm, hazard) -> row
    bench: bench.Bench  # of bench.json; None in a run that has measured no cost
    thresholds: list   # rows of thresholds.json; None in a run that is older than these
    failovers: tuple = ()  # rows of failovers.json
    price: tuple = ()      # rows of price.json
    others: object = None  # the Run of the locks that are in no matrix: Redlock and its forms

    def ran(self, world):
        """Whether any cell of a world was run. Those that are not applicable are there anyway."""
        return any(w == world and cell["verdict"] != "not_applicable"
                   for (w, *_), cell in self.cells.items())

    def left_out(self):
        """{name: title} of the parts that were not asked for."""
        return {row["name"]: row["title"] for row in self.manifest.get("left_out", [])}

    def row(self, world, algorithm):
        """The cells of one algorithm that exist, in hazard order."""
        keys = [(world, algorithm, hazard["name"]) for hazard in self.hazards]
        return [self.cells[key] for key in keys if key in self.cells]

    def has_ttl(self, algorithm):
        """Whether its key expires. Older runs say so only in their surface."""
        row = next(a for a in self.algorithms if a["name"] == algorithm)
        if "ttl_us" in row:
            return row["ttl_us"] is not None
        points = [p for p in self.surface if p["algorithm"] == algorithm]
        return any(p["ttl_us"] is not None for p in points) if points else (
            row["control"] is None)

    def locks(self):
        """Names of the algorithms under test: all but the controls."""
        return [a["name"] for a in self.algorithms if a["control"] is None]

    def control(self, kind):
        """The name of the first control of this kind, or None."""
        return next((a["name"] for a in self.algorithms if a["control"] == kind), None)

    def causes(self):
        """The causes that violations may have, in the order of the cells that count them."""
        return [*dict.fromkeys(c for cell in self.cells.values() for c in cell.get("causes", {}))]

    def index(self, algorithm):
        """The row of an algorithm in the registry, which is its colour's number."""
        return [a["name"] for a in self.algorithms].index(algorithm)

    def lists(self, file):
        """Whether the manifest lists a file. That of an older run lists no witnesses."""
        return file == "manifest.json" or file in self.manifest.get("digests", (file,))

    def has(self, file):
        """Whether a file named by the data is there, so that it can be linked."""
        inside = file and not Path(file).is_absolute() and ".." not in Path(file).parts
        if not inside or not self.lists(file) or not (self.folder / file).is_file():
            return False
        return (self.folder / file).resolve().is_relative_to(self.folder.resolve())


def keyed(path, what, rows, key_of, algorithms, hazards):
    """Rows by key; BadRun if a row names what the registry lacks, or comes twice."""
    table = {}
    for index, row in enumerate(rows):
        for field, known in (("algorithm", algorithms), ("hazard", hazards)):
            if field in row and row[field] not in known:
                raise BadRun(f"{path}: {what}[{index}].{field} is {s.shown(row[field])}; it must"
                             f" be one of {', '.join(known) or 'none'}.")
        key = key_of(row)
        if key in table:
            raise BadRun(f"{path}: {what}[{index}] repeats {' '.join(map(str, key))}; each must"
                         " come once.")
        table[key] = row
    return table


def load_races(listed, algorithms):
    """The rows of races.json, or none where there is no such file."""
    path = listed.folder / "races.json"
    rows = listed.read(path.name, RACES)["races"] if listed.has(path.name) else []
    keyed(path, "races", rows, lambda r: (r["name"],), algorithms, ())
    for index, row in enumerate(rows):
        keyed(path, f"races[{index}].outcomes", row["outcomes"],
              lambda r: (r["world"], r["algorithm"]), algorithms, ())
    return rows


def load_rows(listed, key, shape, key_of, algorithms, hazards=()):
    """The rows of a file that not every run has, in the registry's order; none without it."""
    path = listed.folder / f"{key}.json"
    rows = listed.read(path.name, shape)[key] if listed.has(path.name) else []
    keyed(path, key, rows, key_of, algorithms, hazards)
    return sorted(rows, key=lambda row: algorithms.index(row["algorithm"]))


def load_thresholds(listed, algorithms, hazards, name="thresholds.json"):
    """The rows of a file with thresholds, or None where there is no such file."""
    path = listed.folder / name
    if not listed.has(path.name):
        return None
    rows = listed.read(path.name, THRESHOLDS)["thresholds"]
    keyed(path, "thresholds", rows, lambda r: (
        r["algorithm"], r["goal"], r["clients"], r["rounds"], r["attempts"], r["most_faults"]),
        algorithms, hazards)
    for index, row in enumerate(rows):
        listed_sets = (row.get(state, []) for state in ("harmless", "harmless_briefly", "unknown"))
        for text in (*chain(*listed_sets), *(m["faults"] for m in row["minimal"])):
            for part in text.split(",") if text != "none" else ():
                if (word := part.split("=")[0]) not in hazards:
                    raise BadRun(f"{path}: thresholds[{index}] has the fault {s.shown(word)}; it"
                                 f" must be one of {', '.join(hazards)}.")
    return rows


def load_libraries(listed):
    """The rows of libraries.json, or none where there is no such file."""
    path = listed.folder / "libraries.json"
    rows = listed.read(path.name, LIBRARIES)["libraries"] if listed.has(path.name) else []
    keyed(path, "libraries", rows, lambda r: (r["name"],), (), ())
    return rows


def load_bench(listed, algorithms):
    """The Bench of bench.json, its locks in the registry's order, or None without such a file."""
    path = listed.folder / "bench.json"
    if not listed.has(path.name):
        return None
    found = listed.read(path.name, bench.SHAPE)
    rows, names = found["rows"], set()
    for index, row in enumerate(rows):
        if row["suite"] in bench.PARTS and row.get("lock", algorithms[0]) not in algorithms:
            raise BadRun(f"{path}: rows[{index}].lock is {s.shown(row['lock'])}; it must be one"
                         f" of {', '.join(algorithms)}.")
        if row["name"] in names:
            raise BadRun(f"{path}: rows[{index}] repeats {row['name']}; each must come once.")
        names.add(row["name"])
    rows = sorted(rows, key=lambda r: algorithms.index(r["lock"])
                  if r["suite"] in bench.PARTS and "lock" in r else 0)
    return bench.Bench(rows=list(filter(bench.readable, rows)),
                       errors=[r for r in rows if r["error"] is not None], noise=found["noise"])


def load_others(listed, manifest, rows, races, hazards):
    """The Run of the locks that are in no matrix, or None where the run knows none."""
    if not rows:
        return None
    names = [row["name"] for row in rows]
    path = listed.folder / "redlock.json"
    cells = listed.read(path.name, REDLOCK)["cells"] if listed.has(path.name) else []
    return Run(
        races=races, libraries=[], witnesses=[], surface=[], folder=listed.folder,
        manifest=manifest, algorithms=[FACTS | row for row in rows], hazards=hazards,
        cells=keyed(path, "cells", cells,
                    lambda r: (r["world"], r["algorithm"], r["hazard"]), names,
                    [row["name"] for row in hazards]),
        agreement={}, bench=None,
        thresholds=load_thresholds(listed, names, [row["name"] for row in hazards], path.name))


def load_run(folder):
    """The Run of a folder; raises BadRun with one sentence that names the file."""
    folder = Path(folder)
    if not folder.is_dir():
        raise BadRun(f"{folder} is no folder; give the one that `locklab suite` wrote.")
    manifest = read_json(folder / "manifest.json", MANIFEST)
    listed = Listed(folder, manifest)
    path = folder / "suite.json"
    suite = listed.read(path.name, SUITE)
    algorithms = [row["name"] for row in suite["algorithms"]]
    hazards = [row["name"] for row in suite["hazards"]]
    for what, names in (("algorithms", algorithms), ("hazards", hazards)):
        if not names or len(set(names)) < len(names):
            raise BadRun(f"{path}: {what} must be a list of at least one row, each name once.")
    others = suite.get("others", [])
    all_races = load_races(listed, [*algorithms, *(row["name"] for row in others)])
    races = [row for row in all_races if row["algorithm"] in algorithms]
    return Run(
        races=races,
        others=load_others(listed, manifest, others, [row for row in all_races if row not in races],
                           suite["hazards"]),
        libraries=load_libraries(listed),
        witnesses=load_rows(
            listed, "witnesses", witnesses.WITNESSES,
            lambda r: (r["algorithm"], r["hazard"], r["verdict"]), algorithms, hazards),
        surface=load_rows(
            listed, "surface", surface.SHAPE,
            lambda r: (r["algorithm"], r["ttl_us"], r["pause_length_us"],
                       surface.longest_job(r)), algorithms),
        folder=folder, manifest=manifest,
        algorithms=[FACTS | OLDER.get(row["name"], {}) | row for row in suite["algorithms"]],
        hazards=suite["hazards"],
        cells=keyed(path, "cells", suite["cells"],
                    lambda r: (r["world"], r["algorithm"], r["hazard"]), algorithms, hazards),
        agreement=keyed(path, "agreement", suite.get("agreement", []),
                        lambda r: (r["algorithm"], r["hazard"]), algorithms, hazards),
        thresholds=load_thresholds(listed, algorithms, hazards),
        failovers=read_failovers(listed), price=read_price(listed),
        bench=load_bench(listed, algorithms))
