"""A run folder for tests of plots/: plausible in form, made up in content, the same each time.

    report_fixture.py DIR        writes one, to look at
"""

import itertools
import json
import random
import sys
from collections import Counter
from pathlib import Path

import price_fixture
import races_fixture

DATA = Path(__file__).resolve().parents[1] / "data" / "report" / "registry.json"
HARD = {"slow_job": 0.75, "pause": 0.85, "stall": 0.25, "crash": 0.2, "clock_offset": 0.25,
        "clock_jump": 0.3, "server_clock_jump": 0.8, "restart": 1.0, "restart_snapshot": 0.7,
        "evict": 0.85, "failover": 0.8, "retry": 0.25, "delay_request": 0.3, "lose_reply": 0.15}
CAUSE = {"slow_job": "expired_while_held", "pause": "expired_while_held",
         "stall": "expired_while_held", "crash": "foreign_delete", "clock_offset": "clock",
         "clock_jump": "clock", "server_clock_jump": "clock", "restart": "lost_data",
         "restart_snapshot": "revived_key", "evict": "lost_data", "failover": "failover",
         "retry": "token_collision",
         "delay_request": "stale_write", "delay_reply": "late_reply",
         "lose_reply": "foreign_renewal"}
CONTROLS = {"no_lock": "grants_always", "perfect_lock": "never_wrong"}
CAUSES = ("expired_while_held", "late_reply", "foreign_delete", "foreign_renewal", "overwritten",
          "revived_key", "clock", "lost_data", "token_collision", "stale_write", "old_token",
          "no_key", "miscounted", "other_servers", "failover", "shared_object",
          "unexplained")


def verdict_of(algorithm, hazard, world, rng):
    name, kind = algorithm["name"], hazard["name"]
    if world == "live" and not hazard["live"]:
        return "not_applicable"
    if kind == "stall" and not algorithm["renews"]:
        return "not_applicable"
    if name in CONTROLS:
        return "violated" if name == "no_lock" else "holds"
    if name.startswith("setnx_del") and kind in ("crash", "lose_reply"):
        return "stuck"
    if name == "setnx_expire" and kind == "lose_request":
        return "stuck"
    if kind in algorithm["safe_under"]:
        return "holds"
    if kind in algorithm["broken_by"]:
        return "violated"
    draw = rng.random()
    return "unknown" if draw > 0.985 else "violated" if draw < HARD.get(kind, 0) else "holds"


def rate_of(overlaps, grants):
    """Overlaps per 1,000 grants with a rough 95 % interval."""
    value, spread = 1000 * overlaps / grants, 1960 * overlaps ** 0.5 / grants
    high = value + spread if overlaps else 3000 / grants
    low = max(value - spread, value / 10)
    return {"value": round(value, 3), "low": round(low, 3), "high": round(high, 3)}


def wait(median):
    return {"p50": median, "p99": median * 9, "p999": median * 21, "max": median * 48}


def cell_of(world, algorithm, hazard, verdict, rng):
    name, kind = algorithm["name"], hazard["name"]
    claim = ("safe" if kind in algorithm["safe_under"] else
             "broken" if kind in algorithm["broken_by"] else "")
    right = {"safe": ("holds",), "broken": ("violated", "stuck")}.get(claim)
    runs = 400 if world == "sim" else 12
    grants = runs * (30 if world == "sim" else 100)
    overlaps = rng.randint(2, grants // 8) if verdict == "violated" else 0
    causes = dict.fromkeys(CAUSES, 0)
    if overlaps:
        causes["no_key" if name == "no_lock" else CAUSE.get(kind, "unexplained")] = overlaps
        if name.endswith("_del") and kind in ("slow_job", "pause"):
            causes["foreign_delete"] = rng.randint(1, overlaps)
    fences = algorithm.get("fences")
    lost = overlaps // 2 if not fences or kind.startswith(("restart", "evict")) else 0
    trace = f"traces/{world}-{name}-{kind}.json" if verdict in ("violated", "stuck") else None
    return {
        "world": world, "algorithm": name, "hazard": kind, "verdict": verdict, "claim": claim,
        "as_claimed": right is None or verdict in right or verdict == "not_applicable",
        "runs": runs, "grants": grants, "overlaps": overlaps, "lost_updates": lost,
        "denied": overlaps if fences else 0,
        "fence_inversions": overlaps // 3,
        "stuck": rng.randint(3, 40) if verdict == "stuck" else 0,
        "stuck_until_ttl": runs // 3 if kind == "crash" and verdict != "stuck" else 0,
        "violated_runs": min(runs, overlaps),
        "command": f"./locklab campaign {name} --faults {kind}=1 --world {world} --runs {runs}",
        "causes": causes, "overlaps_per_1000_grants": rate_of(overlaps, grants),
        "throughput_per_s": 900.5, "wait_us": wait(310), "commands_per_grant": 3.4,
        "jain": 0.97, "unknown_answers": rng.randint(0, 9),
        "replay": f"./locklab replay {trace}" if trace else None, "witness": trace}


def registry_of_this():
    """The registry, with what newer runs say of it."""
    registry = json.loads(DATA.read_text(encoding="utf-8"))
    for row in registry["algorithms"]:
        row["control"] = CONTROLS.get(row["name"])
        row["reentrant"] = row["name"] == "reentrant_watchdog"
        row["ttl_us"] = None if row["control"] or row["name"] == "setnx_del" else 1_000_000
    for row in registry["hazards"]:
        row["amount"] = {"least_percent_of_ttl": 20, "most_percent_of_ttl": 300,
                         "both_ways": "clock" in row["name"]} if row["name"] != "crash" else None
    return registry


def suite(seed=1):
    """The object of suite.json."""
    rng, registry = random.Random(seed), registry_of_this()
    cells, agreement = [], []
    for algorithm in registry["algorithms"]:
        for hazard in registry["hazards"]:
            sim = verdict_of(algorithm, hazard, "sim", rng)
            live = verdict_of(algorithm, hazard, "live", rng)
            if live in ("holds", "violated") and sim in ("holds", "violated"):
                claimed = hazard["name"] in algorithm["safe_under"] + algorithm["broken_by"]
                same = rng.random() < 0.9 or algorithm["name"] == "no_lock" or claimed
                live = sim if same else "holds"
            cells += [cell_of("sim", algorithm, hazard, sim, rng),
                      cell_of("live", algorithm, hazard, live, rng)]
            if "not_applicable" not in (sim, live):
                agreement.append({
                    "algorithm": algorithm["name"], "hazard": hazard["name"], "sim": sim,
                    "live": live, "agree": sim == live,
                    "why": "" if sim == live else "The simulator's 12,000 grants saw it in few"
                           " runs; the 1,200 live grants leave such a rate open."})
    return {**registry, "cells": cells, "agreement": agreement}


def search_of(algorithm, goal, clients, rounds, most):
    """A row of thresholds.json: the lock's `broken_by`, and for those that renew one pair."""
    row = {"algorithm": algorithm["name"], "goal": goal, "clients": clients, "rounds": rounds,
           "attempts": 4 - rounds, "lengths": "any",
           "ttl_us": 1_200_000, "job_us": 300_000, "wait_us": 720_000,
           "command_timeout_us": 150_000, **dict.fromkeys(
               ("slow_job_us", "pause_us", "delay_us", "clock_us"), 1_800_000),
           "minimal": [], "harmless": [], "unknown": [], "complete": True, "most_faults": most,
           "searches": [{"clients": clients, "rounds": rounds, "attempts": 4 - rounds}],
           "coverage": {"sets_ttl": True, "ttl_ran_out": True}}
    kinds = [k for k in HARD if k != "restart_snapshot" and (k != "stall" or algorithm["renews"])]
    if goal == "progress":
        broken = [("crash",), ("lose_reply",)] if algorithm["name"] == "setnx_del" else []
    else:
        broken = [(k,) for k in algorithm["broken_by"] if k in kinds and k != "stall"]
        broken += [("slow_job", "stall")] if algorithm["renews"] else []
        broken += [()] if algorithm["name"] == "no_lock" else []
    pairs = itertools.combinations_with_replacement(kinds, 2) if most > 1 else ()
    for faults in ((), *((k,) for k in kinds), *pairs):
        text = ",".join(f"{k}={faults.count(k)}" for k in dict.fromkeys(faults)) or "none"
        parts = [part for part in broken if not Counter(part) - Counter(faults)]
        if not parts:
            row["harmless"].append(text)
        if parts != [faults]:
            continue
        timed = faults in (("pause",), ("slow_job",))
        trace = f"traces/explore.{algorithm['name']}.{text}.c{clients}r{rounds}.{goal}.json"
        row["minimal"].append({
            "faults": text, "verdict": "stuck" if goal == "progress" else "violated",
            "steps": 7 + len(faults), "least_us": 901_000 if timed else None,
            "least_steps": 9 if timed else None, "witness": trace,
            "replay": f"./locklab replay {trace}"})
    return row


def thresholds():
    """The object of thresholds.json."""
    registry = json.loads(DATA.read_text(encoding="utf-8"))
    return {"thresholds": [search_of(algorithm, goal, *reach)
                           for reach in ((3, 1, 1), (2, 1, 2), (2, 2, 1))
                           for algorithm in registry["algorithms"]
                           for goal in ("exclusion", "progress")]}


def around(value, share=0.1):
    """A figure with its interval."""
    ends = sorted((value * (1 - share), value * (1 + share)))
    return {"value": value, "low": ends[0], "high": ends[1]}


def bench_row(suite, figures, time_us, **parts):
    """A row of bench.json; its name is made of its parts, in their order."""
    name = "/".join([suite, *(f"{key}:{value}" for key, value in parts.items())])
    return {"name": name, "suite": suite, **parts, "repetitions": 9, "error": None,
            "time_us": {**around(time_us), "values": [time_us, 2 * time_us]},
            "figures": {k: around(v) for k, v in figures.items()}}


def alone_rows(lock, us, bare):
    """One client: the floor takes 0.8 of the lock, a sixteenth of it the server's, less noise."""
    for over, cpus, factor in (("unix", "same", 1), ("unix", "two", 4), ("unix", "free", 3.5),
                               ("tcp", "same", 1.4)):
        all_us = us * factor
        figures = {"grants_per_s": 1e6 / all_us, "commands_per_grant": 0 if bare else 2,
                   "client_cpu_us": all_us / 2, "server_cpu_us": all_us / 2}
        if not bare:
            figures |= {"ping_us": all_us * 0.375, "network_us": all_us * 0.75,
                        "server_us": all_us * (0.05 if cpus == "same" else -0.05),
                        "harness_us": 0.15, "lock_us": all_us * 0.2 - 0.15,
                        "floor_per_s": 1.25e6 / all_us, "ratio_to_floor": 0.8}
        yield bench_row("live/uncontended", figures, all_us, lock=lock, over=over, cpus=cpus)


def contended_row(lock, clients, wait, jain, bare):
    place = {"lock": lock, "clients": str(clients), "hold": "500us", "think": "0us", "wait": wait,
             "retry": "1ms", "over": "unix", "cpus": "two"}
    figures = {"grants_per_s": 1400 if not bare else 1900 * clients, "commands_per_grant": 6.5,
               "client_cpu_us": 210, "server_cpu_us": 140, "jain": jain, "waits": 400,
               "clients_without_a_grant": 0, "overlaps_per_1000": 0}
    figures |= {f"wait_{p}_us": 40 * 3 ** i for i, p in enumerate(
        ("p10", "p25", "p50", "p75", "p90", "p95", "p99", "max"))}
    if not bare:
        figures |= {"floor_per_s": 1390, "ratio_to_floor": 1.01, "hand_over_p50_us": 140}
    return bench_row("live/contended", figures, 1e6 / figures["grants_per_s"], **place)


def lock_rows(index, algorithm):
    """The rows of one lock in every suite that has all locks."""
    lock, bare = algorithm["name"], algorithm["name"] in CONTROLS
    yield from alone_rows(lock, 0.15 if bare else 25 + index, bare)
    two = {"over": "unix", "cpus": "two"}
    for clients in (1, 16):
        pace = {"grants_per_s": 8000 * clients ** 0.9}
        if not bare:
            pace |= {"floor_per_s": 4500 * clients ** 0.9, "ratio_to_floor": 1.8}
        yield bench_row("live/distinct", pace, 1e6 / pace["grants_per_s"], lock=lock,
                        clients=str(clients), **two)
    for clients in (2, 8, 64):
        yield contended_row(lock, clients, "jitter", 1 - 0.002 * clients, bare)
    waits = {"offered_per_s": 400, "grants_per_s": 400, "wait_p50_us": 170, "wait_p99_us": 900,
             "wait_max_us": 1200}
    yield bench_row("live/arrivals", waits, 2500, lock=lock, rate="400", clients="16",
                    hold="500us", **two)
    crash = {"crashes": 16, "recovered": 0 if lock == "setnx_del" else 15.5}
    if crash["recovered"]:
        crash |= {"recovery_p50_us": 201_000, "recovery_max_us": 204_000}
    yield bench_row("live/recovery", crash, 201_000, lock=lock, ttl="200ms", clients="4",
                    retry="1ms", **two)
    for i, ttl in enumerate(("none",) if bare or lock == "setnx_del" else ("100ms", "1s", "10s")):
        plane = {"grants": 6000, "grants_per_s": 4 - i * 0.5,
                 "overlaps_per_1000": 700 if lock == "no_lock" else max(0, 200 - 100 * i)}
        yield bench_row("sim/plane", plane, 1e6 / plane["grants_per_s"], lock=lock, ttl=ttl,
                        clients="3", faults="pause=1,crash=1")


def bench():
    """The object of bench.json."""
    registry = json.loads(DATA.read_text(encoding="utf-8"))
    rows = [row for index, algorithm in enumerate(registry["algorithms"])
            for row in lock_rows(index, algorithm)]
    rows += [contended_row("set_nx_lua", 8, wait, 0.5, False) for wait in ("fixed", "exponential")]
    two = {"over": "unix", "cpus": "two"}
    rows.append(bench_row("live/clients", {"grants": 9000, "clients_without_a_grant": 0,
                                           "bytes_per_client": 31_832}, 500_000,
                          lock="set_nx_lua", clients="1000", **two))
    rows += [bench_row("live/redis_benchmark", {"commands_per_s": 18_000}, 55, command=command,
                       clients="1", **two) for command in ("ping", "set_nx_px", "evalsha")]
    rows.append(bench_row("sim/step", {"steps": 4e6}, 250))
    return {"rows": rows, "noise": []}


def surface():
    """The object of surface.json: locks whose holder's lease a pause, or a job, outlasts lose
    writes."""
    registry = json.loads(DATA.read_text(encoding="utf-8"))
    rows = []
    for algorithm, job in itertools.product(registry["algorithms"], (2_000_000, 400_000)):
        lock = algorithm["name"]
        expires = lock not in ("no_lock", "perfect_lock", "setnx_del")
        for ttl, pause in itertools.product((500_000, 2_000_000) if expires else (None,),
                                            (0, 1_000_000, 4_000_000)):
            broken = expires and (pause > ttl or job > ttl)
            erased = 300 if lock == "no_lock" or broken else 0
            rows.append({
                "algorithm": lock, "ttl_us": ttl, "pause_length_us": pause, "longest_job_us": job,
                "pause_every_us": 5_000_000 if pause else 0, "clients": 5, "runs": 50,
                "grants": 2000, "verdict": "violated" if erased else "holds",
                "overlaps": erased // 2,
                "overlaps_per_1000_grants": rate_of(erased // 2, 2000), "writes": 2000,
                "erased_writes": erased, "erased_per_1000_writes": rate_of(erased, 2000),
                "replay": f"./locklab campaign {lock} --ttl {ttl}us --pause-length {pause}us"})
    return {"surface": rows}


def libraries():
    """The object of libraries.json: one that was searched, and one that cannot be."""
    def play(scenario, result, words, proved=0):
        return {"scenario": scenario, "algorithm": "lib:x", "result": result, "words": words,
                "proved_overlaps": proved}

    def search(hazard, verdict, plays):
        return {"hazard": hazard, "verdict": verdict, "plays": plays, "grants": 3 * plays,
                "trouble": None}

    def cell(faults, verdict, news, runs, world="virtual"):
        return {"subject": "lib:x", "library": "made up", "version": "1", "world": world,
                "faults": faults, "size": "seed 1, 40 plays", "date": "2026-11-27",
                "baseline": None if news or verdict != "violated" else "Every lease breaks so.",
                "verdict": verdict, "news": news, "why_unknown": None, "runs": runs,
                "broken_runs": 3,
                "goes_wrong_at_most": 0.0876, "grants": 9, "causes": {"late_reply": 2, "clock": 0},
                "hung": 0, "oracles": {},
                "replay": f"locklab explore lib:x --faults {faults}"}

    row = {"library": "made up", "language": "any", "like": "set_nx_lua", "trouble": None}
    plays = [play("hung_worker", "as_expected", "as expected: A and B inside together", 1),
             play("lost_reply", "differs", "differs from set_nx_lua: not seen: A stuck"),
             play("late_one", "no_verdict", "no verdict: the machine was late each time", 1),
             play("fast_clock", "not_played", "not played: its clock is the machine's")]
    searches = [search("contention", "unknown", 40), search("pause", "violated", 11),
                search("crash", "unknown", 40)]
    return {"libraries": [
        {**row, "name": "redis-py", "version": "8.1.0", "scenarios": plays, "searches": searches,
         "not_searched": None, "documentation": "https://example.org/lock",
         "defaults": "A reply is awaited for ever.",
         "defects": [{"file": "defects/late.py", "what": "made up 8.1.0 grants late.",
                      "tracker": "https://example.org/issues/7, open.",
                      "command": "python3 defects/late.py", "script": "print('<late>')\n"}],
         "cells": [cell("none", "holds", False, 40), cell("pause=1", "violated", False, 11),
                   cell("delay_reply=1,retry=1", "violated", True, 7)]},
        {**row, "name": "redsync", "version": "4.18.1", "scenarios": plays[1:], "searches": [],
         "not_searched": "nothing reaches its clock",
         "cells": [cell("none", "not seen", False, 8, "live"),
                   cell("retry=1", "unknown", False, 0, "live")]}]}


def manifest(complete=True):
    """The object of manifest.json."""
    return {
        "locklab": "0.1.0", "commit": "abc1234", "compiler": "g++ 12.2.0", "redis": "7.0.15",
        "machine": {"cpu": "Example CPU at 2.0 GHz", "cores": 2, "memory_mib": 24000,
                    "system": "Debian GNU/Linux 12", "kernel": "6.1.0", "load": [0.1, 0.2, 0.3]},
        "started": "2026-11-20T12:00:00Z", "seconds": 312.5,
        "command": "locklab suite --quick --seed 1", "mode": "quick", "seed": 1,
        "complete": complete,
        "parameters": {
            "sim": {"clients": 3, "grants_per_run": 30, "latency": "lognormal 100 us",
                    "command_timeout_us": 100000, "retry_us": 10000, "job": "2 ms, lognormal"},
            "live": {"clients": 3, "ttl_us": 500000, "runs_per_cell": 12}},
        "files": ["thresholds.json", "witnesses.json", "suite.json", "cells.csv", "races.json",
                  "surface.json", "surface.csv", "bench.json", "bench.csv", "price.json"]}


def write(folder, suite_data=None, manifest_data=None, threshold_data=None, bench_data=None):
    """Writes a run folder; what is not given is as above."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (("races.json", races_fixture.races()),
                       ("suite.json", suite_data or suite()),
                       ("manifest.json", manifest_data or manifest()),
                       ("thresholds.json", threshold_data or thresholds()),
                       ("witnesses.json", races_fixture.witnesses()),
                       ("surface.json", surface()), ("price.json", price_fixture.price()),
                       ("bench.json", bench_data or bench())):
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    (folder / "traces").mkdir(exist_ok=True)
    for cell in (suite_data or suite())["cells"]:
        if cell.get("witness"):
            (folder / cell["witness"]).write_text("{}", encoding="utf-8")
    for name in ("cells.csv", "bench.csv", "surface.csv"):
        (folder / name).write_text("world,algorithm\n", encoding="utf-8")
    return folder


if __name__ == "__main__":
    write(sys.argv[1])
