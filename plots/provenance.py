"""How the run was made, and what it leaves open."""

import failovers
import libraries
import load
import redlock
import words
from answer import missing
from matrix import WORLD_NAMES


NEVER = (
    "Redlock on several masters: each lock here asks one server.",
    "Persistence: what is on disk after a crash (appendfsync) is not played; a restart comes back"
    " empty, or with an old snapshot.",
    "Connection pools, TLS, proxies and the client libraries themselves: the rows send the same"
    " commands over one connection for each client.",
)
WITH_LIBRARIES = (
    "Connection pools, TLS, and client libraries other than {}: the rows send the same commands"
    " over one connection for each client.")
"""What no suite tries, so far."""
OTHER_SERVERS = {
    True: "Redis Sentinel and Redis Cluster: in `failover` a replica takes over from its master"
          " once. How servers agree on that, and slots that move, are not played.",
    False: "Failover, replication, Sentinel and Cluster: there is one Redis, which may restart, but"
           " no replica takes over.",
}
"""The same of servers that depend on each other, by whether the run has the hazard `failover`."""
SENTINELS = ("Redis Cluster, and Sentinels that are cut off, or whose clocks jump: real Sentinels"
             " were run only where a master dies.")
"""The same of a run in which real Sentinels were."""
UNRUN = {"sim": "Nothing was run in the simulator.",
         "live": "The campaigns of the matrix were not run on a real Redis."}


def machine(run):
    """[(what, value)] of versions, machine and command."""
    m, host = run.manifest, run.manifest.get("machine", {})
    memory = host.get("memory_mib")
    rows = [
        ("command", f"`{m['command']}`"), ("mode", m["mode"]), ("seed", str(m["seed"])),
        ("started", m["started"]), ("resumed", ", ".join(m.get("resumed", []))),
        ("took", words.span(m["seconds"])), ("of these", parts(run)),
        ("made by other builds", other_builds(run)),
        ("locklab", m["locklab"]), ("commit", m.get("commit")), ("compiler", m.get("compiler")),
        ("Redis", m.get("redis")), ("processor", host.get("cpu")), ("cores", host.get("cores")),
        ("memory", f"{memory:,} MiB" if isinstance(memory, (int, float)) else memory),
        ("system", f"`{host['system']}`" if host.get("system") else None),
        ("kernel", host.get("kernel")),
        ("load average at the start (1, 5, 15 min)",
         words.parameter("", host.get("load")) if host.get("load") else None),
    ]
    return [(what, str(value)) for what, value in rows if value not in (None, "")]


def parts(run):
    """How long each part took, with the processors' time of locklab itself."""
    return "; ".join(f"{row['name']} {words.span(row['seconds'])}"
                     f" ({words.span(row['processor_seconds'])} of processors)"
                     for row in run.manifest.get("took", []))


def other_builds(run):
    """Which parts an earlier build of locklab made, and when; nothing if this one made all."""
    made = {}
    for row in run.manifest.get("took", []):
        if row.get("commit"):
            made.setdefault((row["commit"], row["started"]), []).append(row["name"])
    return "; ".join(f"{words.names(names)}: commit `{commit}`, `{started}`"
                     for (commit, started), names in made.items())


def parameters(run):
    """[(world, [(parameter, value)])]."""
    table = run.manifest.get("parameters", {})
    return [(world, [(key.removesuffix("_us").replace("_", " "), words.parameter(key, value))
                     for key, value in values.items()]) for world, values in table.items()]


def lacking(run):
    """Sentences on the parts that the run could not do, one for each reason, and on those that it
    was not asked for."""
    parts = {}
    for row in run.manifest.get("missing", []):
        parts.setdefault(row["why"].rstrip("."), []).append(row["part"])
    found = [f"Missing: {', '.join(names)}, because {why}." for why, names in parts.items()]
    if run.left_out():
        found.append(f"Left out (--sections): {', '.join(run.left_out().values())}. This page says"
                     " nothing about them.")
    return found


def unfinished(run):
    """(what is said first of a run that is not complete, and what more)."""
    if run.manifest.get("running"):
        parts = "; ".join(run.manifest.get("to_come", []))
        return ("This run was still going on when this page was written.",
                f"To come: {parts}. Load this page again to see more.")
    if run.manifest.get("missing"):
        return "This run could not do all of its parts.", ""
    if run.left_out() and not run.manifest.get("to_come"):
        return "This run has only the parts that it was asked for.", ""
    return "This run was stopped before its end.", ""


def gaps(run):
    """[(world, how many cells lack, of how many)] of the worlds that were begun."""
    found = []
    for world in load.WORLDS:
        if world in run.left_out():
            continue
        lacking = len(missing(run, world))
        possible = len(run.algorithms) * sum(h["live"] or world == "sim" for h in run.hazards)
        if 0 < lacking and (lacking < possible or not run.manifest["complete"]):
            found.append((world, lacking, possible))
    return found


def gaps_in_words(run):
    """; 3 of 221 cells are missing from the simulator; or nothing."""
    parts = [f"{lacking} of {possible} cells are missing from the {WORLD_NAMES[world]}"
             for world, lacking, possible in gaps(run)]
    return "; " + ", ".join(parts) if parts else ""


def has_redlock(run):
    """Whether a lock of the run asks several masters."""
    return redlock.is_told(run) or any(name.startswith("redlock") for name in run.locks())


def untested(run):
    """Sentences on what this run says nothing about."""
    found = [f"The part “{row['part']}” is missing: {row['why']}"
             for row in run.manifest.get("missing", [])]
    found += [f"The part “{title}” was left out." for title in run.left_out().values()]
    ran = [item["name"] for item in libraries.known()
           if item.get("driver") in libraries.tried(run)]
    found.append(SENTINELS if failovers.is_told(run) else OTHER_SERVERS[any(
        h["name"] == "failover" for h in run.hazards)])
    found += NEVER[has_redlock(run):-1]
    found.append(WITH_LIBRARIES.format(words.listing(ran)) if ran else NEVER[-1])
    for world in load.WORLDS:
        if not run.ran(world):
            found.append(UNRUN[world])
    not_live = [h["name"] for h in run.hazards if not h["live"]]
    if not_live:
        found.append(f"Random runs on a real Redis cannot make {words.names(not_live)}: their"
                     " columns come from the simulator alone.")
    for world, lacking, possible in gaps(run):
        found.append(f"{lacking} of {possible} cells of the {WORLD_NAMES[world]} were not run.")
    for verdict, text in (("not_applicable", "are not applicable"),
                          ("unknown", "stayed unknown: a bound was hit first")):
        counts = [(w, sum(k[0] == w and c["verdict"] == verdict for k, c in run.cells.items()))
                  for w in load.WORLDS]
        for world, n in counts:
            if n:
                found.append(f"{words.plural(n, 'cell')} of the {WORLD_NAMES[world]} {text}.")
    several = ("are in the threshold table alone" if run.thresholds else "were not tried")
    found.append(f"Each cell has one kind of hazard; several kinds at once {several}, and hazards"
                 " that are not in the matrix were not tried.")
    return found


def files(run):
    """[file] of the data behind the page that are in the folder; folders of traces not listed."""
    named = ["manifest.json", "thresholds.json", "suite.json", "cells.csv", "bench.json",
             "bench.csv", *run.manifest.get("files", [])]
    seen = dict.fromkeys(f for f in named if run.has(f))
    return [f for f in seen if not f.startswith(("traces/", "histories/", "figures/"))
            and not f.startswith("report.")]
