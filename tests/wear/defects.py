#!/usr/bin/env python3
"""Runs the script of each defect of each installed library twice: it must show the defect each
time. Takes a few seconds a script, and the port that the script names.

    defects.py [LIBRARY...]
"""

import pathlib
import re
import shlex
import subprocess
import sys

HOME = pathlib.Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"Run in the installed folder: (.+?)(?:\"\"\")?$", re.MULTILINE)
LONGEST = 120
"""Seconds that a script may take: `go run` builds first."""


def scripts(names):
    """[(library, its installed folder, script)]"""
    found = []
    for script in sorted(HOME.glob("drivers/*/defects/*")):
        name = script.parents[1].name
        installed = HOME / "build/libraries" / name
        if installed.is_dir() and (not names or name in names):
            found.append((name, installed, script))
    return found


def shown(installed, script):
    """Whether it shows its defect; otherwise what it said."""
    command = COMMAND.search(script.read_text(encoding="utf-8"))[1]
    try:
        ran = subprocess.run(shlex.split(command), cwd=installed, capture_output=True, text=True,
                             timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return f"not over after {LONGEST} s"
    said = ran.stdout.strip().splitlines()
    if any("DEFECT" in line for line in said) and ran.returncode == 1:
        return ""
    return f"exit code {ran.returncode}, said: {' / '.join(said) or ran.stderr.strip()[-300:]}"


def main(*names):
    found = scripts(names)
    wrong = 0
    for name, installed, script in found:
        for _ in range(2):
            why = shown(installed, script)
            wrong += bool(why)
            print(f"{name}, {script.name}: {why or 'shown'}", flush=True)
    print(f"{len(found)} scripts, each run twice; {wrong} runs did not show the defect")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
