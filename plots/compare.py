"""What changed between two runs, read from their result files alone.

    compare.py [--json] RUN_A RUN_B

Verdicts, thresholds and races are compared one by one; rates of violation and costs where their
95 % intervals tell them apart. Plain text, or with --json one object that has all of it.

Exit code: 0 if no verdict, threshold or race changed; 1 if one did; 2 if none did, but a run is
incomplete or the two have no cell in common, so that nothing follows; 64 for bad usage or input.
Rates and costs do not count: where many are compared, chance alone resolves some.
"""

import argparse
import json
import sys

import changes
import command_line
import compare_text
import differences
import load
import words

TOOLS = ("redis", "compiler")
MOMENTARY = ("load",)
"""What the manifest says of a machine and what is another each time."""
AMOUNTS = ("runs_per_cell",)
"""Parameters that narrow intervals, and change nothing else."""
EXIT = {"no change": 0, "changed": 1, "unknown": 2}


def identity(run):
    """What a run is, of its manifest."""
    m = run.manifest
    return {"folder": str(run.folder), "started": m["started"], "locklab": m["locklab"],
            "commit": m.get("commit"), "mode": m["mode"], "seed": m["seed"],
            "complete": m["complete"],
            "machine": {key: value for key, value in m.get("machine", {}).items()
                        if key not in MOMENTARY},
            **{tool: m.get(tool) for tool in TOOLS}}


def apart(a, b):
    """[cpu: X, then Y] of what both say, each in its own way; runs of old may say less."""
    return [f"{key}: {words.parameter(key, a[key])}, then {words.parameter(key, b[key])}"
            for key in a if key in b and a[key] != b[key]]


def parameters(run, chosen=None):
    """{sim ttl_us: value} of those chosen, or of all that decides what a campaign is."""
    return {f"{world} {key}": value
            for world, values in run.manifest.get("parameters", {}).items()
            for key, value in values.items()
            if (key in chosen if chosen else key not in AMOUNTS)}


def notes(a, b):
    """Sentences on what must be kept in mind."""
    mine, others = identity(a), identity(b)
    found = [f"{letter} is incomplete: what is missing from it is not known to be unchanged."
             for letter, one in (("A", mine), ("B", others))
             if not one["complete"]]
    if machines := apart(mine["machine"], others["machine"]):
        found.append("The machines differ: figures of cost are not comparable, ratios to the floor"
                     f" are ({'; '.join(machines)}).")
    for tool in TOOLS:
        if mine[tool] != others[tool]:
            found.append(f"The {tool} differs, and may be the cause of any difference:"
                         f" {mine[tool]}, then {others[tool]}.")
    if campaigns := apart(parameters(a), parameters(b)):
        found.append("The campaigns differ, so that other rates are to be expected:"
                     f" {'; '.join(campaigns)}.")
    if amounts := apart(parameters(a, AMOUNTS), parameters(b, AMOUNTS)):
        found.append("The larger campaign finds more, so that a verdict may change though its lock"
                     f" has not: {'; '.join(amounts)}.")
    if not any(key in b.cells for key in a.cells):
        found.append("The two have no cell in common.")
    for letter, run in (("A", a), ("B", b)):
        found += [f"Of the benchmarks of {letter}: {noise}"
                  for noise in (run.bench.noise if run.bench else [])]
    return found


def result(found):
    """A key of EXIT."""
    if any(found[part]["changed"] for part in ("verdicts", "thresholds", "races")):
        return "changed"
    whole = found["a"]["complete"] and found["b"]["complete"]
    return "no change" if whole and found["verdicts"]["compared"] else "unknown"


def comparison(a, b):
    """The object that --json prints."""
    found = {"a": identity(a), "b": identity(b), "notes": notes(a, b),
             "verdicts": changes.verdicts(a, b), "thresholds": changes.thresholds(a, b),
             "races": changes.races(a, b), "rates": differences.rates(a, b),
             "costs": differences.costs(a, b)}
    summary = {part: len(found[part]["changed"]) for part in ("verdicts", "thresholds", "races")}
    summary |= {part: len(found[part]["resolved"]) for part in ("rates", "costs")}
    return {"result": result(found), "summary": summary, **found}


def main(arguments):
    parser = command_line.Parser(prog="compare.py", description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("run_a", metavar="RUN_A")
    parser.add_argument("run_b", metavar="RUN_B")
    options = parser.parse_args(arguments)
    try:
        runs = [load.load_run(folder) for folder in (options.run_a, options.run_b)]
    except load.BadRun as error:
        print(error, file=sys.stderr)
        return 64
    found = comparison(*runs)
    try:
        sys.stdout.write(json.dumps(found, indent=2) + "\n" if options.json
                         else compare_text.text(found))
        sys.stdout.flush()
    except OSError as error:
        print(f"compare.py: stdout cannot be written: {error}", file=sys.stderr)
        sys.stdout = None   # or the interpreter would try once more as it ends
        return EXIT["unknown"]
    return EXIT[found["result"]]


if __name__ == "__main__":
    command_line.run(main)
