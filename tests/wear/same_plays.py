#!/usr/bin/env python3
"""Searches each installed library that lives in virtual time with one thread, with two, and on a
busy machine: the plays must be the same, by which thread and at what time they are made.

    same_plays.py LOCKLAB [LIBRARY...]
"""

import json
import subprocess
import sys
import time

FAULTS = ("none", "lose_request=1", "delay_reply=1", "freeze=1", "restart=1")
PLAYS = 150
SPINNING = 6
"""Processes that take the processors from the third search."""


def searched(program, library, faults, threads):
    """What is said of the plays, without what is measured."""
    told = subprocess.run(
        [program, "explore", library, "--faults", faults, "--budget", str(PLAYS), "--seed", "1",
         "--threads", str(threads)], capture_output=True, text=True, check=False)
    lines = [line for line in told.stdout.splitlines()
             if "in real time" not in line and "plays a minute" not in line]
    return "\n".join(lines[:3]) or told.stderr


def differences(program, library, faults):
    one = searched(program, library, faults, 1)
    yield "two threads", one, searched(program, library, faults, 2)
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                for _ in range(SPINNING)]
    try:
        yield "a busy machine", one, searched(program, library, faults, 2)
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def main(program, *libraries):
    told = subprocess.run([program, "libraries", "list", "--json"], capture_output=True, text=True,
                          check=True)
    found = [row["name"] for row in json.loads(told.stdout)["libraries"]
             if row["installed"] and not row["why_not_searched"]]
    wrong = 0
    for library in libraries or found:
        for faults in FAULTS:
            began = time.monotonic()
            for what, one, other in differences(program, library, faults):
                if one != other:
                    wrong += 1
                    print(f"{library}, {faults}: other plays with {what}\n{one}\n{other}")
            print(f"{library}, {faults}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(f"{len(libraries or found)} libraries, {wrong} searches that differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
