#!/usr/bin/env python3
"""Asks spin what locklab explores: the answers must be the same, and as many steps away.

    check.py PROGRAM            prints a table; exits 1 with a sentence for each disagreement
    check.py PROGRAM --some     the same, each question with one kind of lengths by turns
    check.py PROGRAM --ratio    how fast both are, each question three times
"""

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple, Optional

MODELS = Path(__file__).resolve().parent  # one for each of these locks
ON_ONE, ON_THREE = "set_nx_lua", "redlock"

# What the models call the number of each fault.
BUDGETS = {"pause": "PAUSES", "crash": "CRASHES", "lose_reply": "LOST_REPLIES", "retry": "RETRIES",
           "lose_request": "LOST_REQUESTS", "delay_request": "DELAYS", "slow_job": "SLOW_JOBS",
           "evict": "EVICTS", "restart": "RESTARTS", "server_clock_jump": "JUMPS"}
# The length of those of which locklab finds the least that breaks the lock.
LENGTHS = {"pause": "PAUSE", "slow_job": "SLOW", "server_clock_jump": "JUMP"}

# Without partial-order reduction, which may leave out a shortest way.
COMPILE = ["cc", "-DBFS", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8192", "-w", "-o", "pan", "pan.c"]
# A small question takes longer to compile than to answer.
QUICK, FAST = "-O0", "-O2"


class Question(NamedTuple):
    clients: int
    attempts: int
    faults: str
    lengths: str = "any"  # of jobs and faults
    lock: str = ON_ONE

    def __str__(self):
        return (f"{self.lock}, {self.clients} clients, {self.attempts} tries, {self.lengths}:"
                f" {self.faults}")


class Answer(NamedTuple):
    verdict: str
    steps: Optional[int]  # of a shortest way to a violation
    depth: int            # how far the farthest state is, plus 1, where all were visited
    states: int
    seconds: float        # of the whole process
    processor: float      # seconds of all its threads

    def __str__(self):
        end = f"in {self.steps} steps" if self.steps else f"depth {self.depth}"
        return f"{self.verdict}, {end}"


# Where one client is alone, nothing stops the search: all that a fault leads to is compared, and
# counted.
ROWS = (
    (1, 3, "restart=1,delay_request=1"), (1, 3, "restart=1,retry=1"),
    (1, 3, "pause=2,slow_job=1,evict=1"), (1, 2, "crash=1,pause=1,delay_request=2"),
    (1, 2, "server_clock_jump=2,lose_reply=1"), (2, 3, "none"), (3, 2, "none"), (4, 2, "none"),
    (2, 1, "pause=1"), (3, 3, "pause=1"), (2, 3, "slow_job=1"), (2, 3, "evict=1"),
    (2, 2, "restart=1,lose_request=1"), (2, 3, "crash=1"), (3, 2, "retry=1"),
    (2, 2, "lose_reply=1,lose_request=1"), (3, 2, "crash=1,lose_reply=1"), (2, 3, "delay_request=2")
)
# Of a lock on three servers, which may change places in locklab and not in the model.
ROWS_ON_THREE = (
    (1, 2, "lose_reply=1"), (2, 2, "none"), (2, 2, "crash=1"), (2, 2, "lose_request=1"),
    (2, 2, "lose_reply=1"), (2, 2, "retry=1"), (2, 1, "crash=1,lose_reply=1"), (2, 2, "pause=1"),
    (2, 2, "slow_job=1"), (2, 2, "evict=1"), (2, 2, "restart=1"), (2, 2, "server_clock_jump=1"))
LENGTHS_OF = ("any", "exact")
ASKED = [(*row, lock) for lock, rows in ((ON_ONE, ROWS), (ON_THREE, ROWS_ON_THREE))
         for row in rows]
QUESTIONS = [Question(*row, lengths, lock) for lengths in LENGTHS_OF for *row, lock in ASKED]
SOME = [Question(*row, LENGTHS_OF[i % 2], lock) for i, (*row, lock) in enumerate(ASKED)]
RATIO_QUESTIONS = [Question(3, 3, "crash=1,lose_reply=1,delay_request=1"),
                   Question(2, 3, "pause=1"), Question(2, 3, "lose_reply=1", lock=ON_THREE)]


def run(command, folder, statuses=(0,)):
    """What the command prints on stdout. Another exit status is an error."""
    ran = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                         encoding="utf-8", check=False)
    if ran.returncode not in statuses:
        words = " ".join(map(str, command))
        sys.exit(f"{words} exits with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def run_timed(*arguments):
    """What it prints, how many seconds it took, and how many of a processor."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    said = run(*arguments)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, seconds, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Spin:
    """The model, compiled for one question."""

    def __init__(self, folder, question, optimisation, *macros):
        self.folder = folder
        self.model = f"{question.lock}.pml"
        shutil.copy(MODELS / self.model, folder)
        macros = [*macros, f"CLIENTS={question.clients}", f"ATTEMPTS={question.attempts}",
                  f"ANY_LENGTH={int(question.lengths == 'any')}"]
        for fault in question.faults.split(",") if question.faults != "none" else []:
            name, count = fault.split("=")
            macros.append(f"{BUDGETS[name]}={count}")
        run(["spin", *(f"-D{macro}" for macro in macros), "-a", self.model], folder)
        run([*COMPILE, optimisation], folder)

    def answer(self, hash_bits=20):
        trail = Path(self.folder, self.model + ".trail")
        trail.unlink(missing_ok=True)
        said, *times = run_timed(["./pan", f"-w{hash_bits}"], self.folder)
        found = re.search(r"depth reached (\d+), errors: (\d+)\s+(\d+) states, stored", said)
        assert found, f"pan did not say what it found:\n{said}"
        verdict, steps = "holds", None
        if found[2] != "0" and "assertion violated" in said:
            # Beside the steps, a trail has lines that begin with a minus: how it was made.
            verdict = "violated"
            steps = sum(line[0] != "-" for line in trail.read_text().splitlines())
        elif found[2] != "0" or "Search not completed" in said:
            verdict = "unknown"
        return Answer(verdict, steps, int(found[1]) + 1, int(found[3]), *times)


class Locklab:
    def __init__(self, program, folder, question):
        self.folder = folder
        self.command = [program, "explore", question.lock, "--json", "--traces", folder,
                        "--faults", question.faults, "--clients", str(question.clients),
                        "--rounds", "1", "--attempts", str(question.attempts),
                        "--lengths", question.lengths]

    def answer(self, threads=1):
        said, *times = run_timed([*self.command, "--threads", str(threads)], self.folder, (0, 1, 2))
        found = json.loads(said)
        # What was exhausted and nothing fails, whatever it is worth as a proof.
        verdict = "holds" if found["vacuous"] else found["verdict"]
        return Answer(verdict, found.get("witness_steps"), found["depth"],
                      found["states"], *times)


def compare_answers(program, questions):
    """Yields a sentence for each disagreement, and prints all answers."""
    row = "{:69} {:20} {:20} {:>9} {:>9}".format
    print(row("question", "spin", "locklab", "states", "states"))
    for question in questions:
        with tempfile.TemporaryDirectory() as folder:
            spin = Spin(folder, question, QUICK, "HISTORY").answer()
            locklab = Locklab(program, folder, question).answer()
        print(row(str(question), str(spin), str(locklab), spin.states, locklab.states), flush=True)
        if str(spin) != str(locklab):
            yield f"{question}: spin says {spin}, locklab says {locklab}"
        # Of states that differ by the numbers of clients, or of servers, locklab keeps one.
        elif question.lock == ON_ONE and question.clients == 1 and spin.states != locklab.states:
            yield f"{question}: spin has {spin.states} states, locklab has {locklab.states}"


def compare_lengths(program):
    """The least that breaks the lock breaks the model, and a millisecond less does not."""
    with tempfile.TemporaryDirectory() as folder:
        said = run([program, "explore", ON_ONE, "--json", "--thresholds", "--clients", "2",
                    "--attempts", "2", "--traces", folder], folder)
    least = {row["faults"]: row["least_us"] for row in json.loads(said)["thresholds"][0]["minimal"]}
    for fault, macro in LENGTHS.items():
        found = (least.get(f"{fault}=1") or 1000) // 1000
        for ms, right in ((found - 1, "holds"), (found, "violated")):
            with tempfile.TemporaryDirectory() as folder:
                model = Spin(folder, Question(2, 2, f"{fault}=1"), QUICK, f"{macro}={ms}")
                verdict = model.answer().verdict
            print(f"{fault} of {ms} ms: {verdict}", flush=True)
            if verdict != right:
                yield f"{fault}: locklab says {found} ms at least; spin says {ms} ms {verdict}"


def show_ratio(program):
    row = "  {:20} {:20} {:>8} s {:>8} s of processors {:>9} states {:>9}/s {:>6}".format
    for question in RATIO_QUESTIONS:
        print(f"{question}; in the last column the time of spin, divided by this one's")
        with tempfile.TemporaryDirectory() as folder:
            spin, locklab = Spin(folder, question, FAST), Locklab(program, folder, question)
            rivals = {"spin": lambda: spin.answer(24), "locklab, 1 thread": locklab.answer,
                      "locklab, all threads": lambda: locklab.answer(0)}
            rounds = [{name: ask() for name, ask in rivals.items()} for _ in range(3)]
        for name in rivals:
            seconds, processor, of_spin = (
                statistics.median(getattr(one[who], what) for one in rounds)
                for who, what in ((name, "seconds"), (name, "processor"), ("spin", "seconds")))
            one = rounds[0][name]
            print(row(name, str(one), f"{seconds:.3f}", f"{processor:.3f}", one.states,
                      round(one.states / seconds), f"{of_spin / seconds:.2f}"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.abspath, help="locklab")
    parser.add_argument("--some", action="store_true",
                        help="each question with one kind of lengths by turns")
    parser.add_argument("--ratio", action="store_true", help="how fast both are")
    options = parser.parse_args()
    for tool, package in (("spin", "spin"), ("cc", "g++")):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed; right would be: apt-get install {package}")
    if options.ratio:
        return show_ratio(options.program)
    questions = SOME if options.some else QUESTIONS
    wrong = [*compare_answers(options.program, questions)]
    return "\n".join([*wrong, *compare_lengths(options.program)])


if __name__ == "__main__":
    sys.exit(main() or 0)
