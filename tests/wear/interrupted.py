#!/usr/bin/env python3
"""Ends live runs by a signal at any moment, then makes one run in peace, and looks for what is
left: processes, folders in the temporary folder, shared memory, keys of a shared Redis.

    interrupted.py LOCKLAB [RUNS] [SEED]
"""

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
COMMANDS = (
    ("campaign", "set_nx_lua", "--world", "live", "--faults", "restart=1,freeze=1", "--runs", "60"),
    ("campaign", "driver:watchdog_owned", "--world", "live", "--faults", "pause=1,crash=1",
     "--runs", "20"),
    ("campaign", "redlock", "--world", "live", "--faults", "clock_jump=1", "--runs", "30"),
    ("scenario", "all", "--world", "live"),
    ("explore", "driver:set_nx_lua", "--faults", "pause=1"),
    ("failovers", "--runs", "4", "--lag", "5ms", "--safeguards", "none"),
)
ON_SHARED = ("campaign", "fenced", "--world", "live", "--faults", "none", "--runs", "60")
OURS = re.compile(rb"locklab|redis-server|redis-sentinel|valkey-server")
LATEST = 2.5
"""Seconds after the start at which the latest signal comes."""


def processes(own):
    """{(pid, command line)} of what could be ours, but for what was there before."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if OURS.search(words) and int(folder.name) not in own and b"interrupted.py" not in words:
            found.add((int(folder.name), words.replace(b"\0", b" ").decode(errors="replace")))
    return found


def folders():
    temporary = Path(tempfile.gettempdir())
    return {str(path) for place in (temporary, Path("/dev/shm")) if place.exists()
            for path in place.glob("*locklab*")}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class SharedRedis:
    """A server that runs share, with a key that is not theirs."""

    def __init__(self, folder):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL)
        while self.ask("PING") != "PONG":
            time.sleep(0.05)
        self.ask("SET", "not locklab's", "1")

    def ask(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], text=True,
                              capture_output=True, check=False).stdout.strip()

    def keys(self):
        return set(self.ask("KEYS", "*").splitlines()) - {"not locklab's"}


def interrupt(program, words, chance, folder):
    """Starts a run, and ends it by a signal to it alone, or to its group."""
    run = subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(chance.random() * LATEST)
    number = chance.choice(SIGNALS)
    (os.killpg if chance.random() < 0.5 else os.kill)(run.pid, number)
    try:
        run.wait(60)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return f"{' '.join(words)} did not end within 60 s of {number.name}"
    return ""


def main(program, runs=100, seed=1):
    program, chance = str(Path(program).resolve()), random.Random(seed)
    folder = tempfile.mkdtemp(prefix="wear-")
    redis = SharedRedis(folder)
    own = {pid for pid, _ in processes(set())}
    had, wrong = folders(), []
    for number in range(runs):
        words = chance.choice((*COMMANDS, ON_SHARED))
        if words is ON_SHARED:
            words = (*words, "--redis", f"127.0.0.1:{redis.port}")
        print(f"run {number + 1} of {runs}: {' '.join(words[:2])}", file=sys.stderr, flush=True)
        wrong.append(interrupt(program, words, chance, folder))
    peace = [program, *ON_SHARED, "--redis", f"127.0.0.1:{redis.port}"]
    subprocess.run(peace, cwd=folder, capture_output=True, check=False)
    time.sleep(1)
    wrong += [f"process {pid} is left: {words[:100]}" for pid, words in sorted(processes(own))]
    wrong += [f"{path} is left" for path in sorted(folders() - had)]
    wrong += [f"the key {key} is left" for key in sorted(redis.keys())]
    if redis.ask("GET", "not locklab's") != "1":
        wrong.append("a key that was not ours is gone")
    redis.process.kill()
    redis.process.wait()
    shutil.rmtree(folder)
    wrong = [line for line in wrong if line]
    print("\n".join(wrong) or f"{runs} runs interrupted, and nothing is left")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
