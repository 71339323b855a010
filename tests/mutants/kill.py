#!/usr/bin/env python3
"""Puts each mutant, a seeded bug, into a copy of the sources, and sees which tests fail.

    kill.py [--table] [--healthy] [NAME...]
                                   exit 1 if a mutant lives or does not build; without --table, a
                                   mutant's tests end at the first that fails; --healthy: all
                                   tests have just passed, and are not run first
    kill.py --check                builds nothing; exit 1 if a mutant does not apply any more,
                                   or if the table in README.md shows other mutants

There are as many copies at work as --jobs says, a processor for each. They are built with the
preset `release`, with CMAKE_CXX_COMPILER_LAUNCHER if that is in the environment. They lie in
build/, and go as this program ends.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parent.parent
README = HERE / "README.md"
MARK = "<!-- table -->"
HEAD = "| mutant | where | what is wrong | killed by |\n|---|---|---|---|"
MOST_KILLERS = 2  # named in the table
TEST_SECONDS = "120"  # then a test has failed: a mutant may wait for ever


class Wrong(Exception):
    """Says why a mutant is none, or that it lives."""


@dataclasses.dataclass
class Mutant:
    name: str
    wrong: str
    file: str = ""
    old: str = ""
    new: str = ""
    tests: str = ""
    build: str = ""

    def apply(self, text):
        """`text` with the bug in it. What is replaced must stand there once, in whole lines."""
        if (count := f"\n{text}".count(f"\n{self.old}")) != 1:
            raise Wrong(f"{self.name} replaces what stands {count} times in {self.file}, not once")
        return f"\n{text}".replace(f"\n{self.old}", f"\n{self.new}")[1:]

    def row(self, killers):
        return f"| `{self.name}` | `{self.file}` | {self.wrong} | {killers} |"


def read(path):
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    mutant = Mutant(path.stem, first[2:])
    for line in lines:
        key, _, rest = line.partition(" ")
        if key in ("-", "+"):
            side = "old" if key == "-" else "new"
            setattr(mutant, side, getattr(mutant, side) + rest + "\n")
        elif key in ("file:", "tests:", "build:"):
            setattr(mutant, key[:-1], rest)
        else:
            raise Wrong(f"{path.name}: '{line}' is not a line of a mutant")
    if not (first.startswith("# ") and mutant.old and mutant.tests and mutant.build):
        raise Wrong(f"{path.name} lacks a line; README.md says which there are")
    return mutant


def mutants(names=()):
    paths = [HERE / f"{name}.mutant" for name in names] or HERE.glob("*.mutant")
    return sorted(map(read, paths), key=lambda mutant: (mutant.file, mutant.name))


class Copy:
    """The sources, in a folder where they can be broken, built and tested."""

    def __init__(self, folder, whole, stop):
        """`whole`: a mutant's tests go on after the first that fails. `stop` is an Event."""
        self.top, self.log = Path(folder) / "locklab", Path(folder) / "log"
        self.whole, self.stop = whole, stop
        self.top.parent.mkdir()
        left_out = shutil.ignore_patterns(".git", "build", "results", "__pycache__")
        shutil.copytree(HOME, self.top, symlinks=True, ignore=left_out)
        self.run("cmake fails", "cmake", "--preset", "release",
                 "-DCMAKE_UNITY_BUILD=OFF")  # so that one file is compiled again, not eight

    def run(self, complaint, *command):
        """Runs a command that does not outlive this program. Its failure raises a complaint."""
        with self.log.open("w") as log, subprocess.Popen(
                command, cwd=self.top, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, "CCACHE_BASEDIR": str(self.top)}) as child:
            failed = None
            while failed is None:
                try:
                    failed = child.wait(0.2) != 0
                except subprocess.TimeoutExpired:
                    if self.stop.is_set():
                        os.killpg(child.pid, signal.SIGKILL)
        if self.stop.is_set():
            raise Wrong("interrupted")
        if failed and complaint:
            raise Wrong(f"{complaint}:\n{self.log.read_text(errors='replace')[-2000:]}")

    def build(self, targets):
        self.run("does not build", "cmake", "--build", "--preset", "release", "-j", "1",
                 "--target", *sorted(targets))

    def test(self, regex, *options):
        """The tests that match and are built, each with whether it passed."""
        results = self.top / "results.xml"
        results.unlink(missing_ok=True)
        self.run("", "ctest", "--test-dir", "build/release", "-R", regex,
                 "--timeout", TEST_SECONDS, "--output-junit", str(results), *options)
        if not results.is_file():
            raise Wrong("a test program is so broken that it cannot list its tests")
        # A parameter's bytes, which follow some names, differ from run to run.
        ran = {case.get("name").partition("  # GetParam")[0]: case.get("status")
               for case in xml.etree.ElementTree.parse(results).iter("testcase")}
        return {name: how == "run" for name, how in ran.items() if how in ("run", "fail")}

    def expect_health(self, chosen, jobs):
        """Without a mutant all passes, and every mutant has a test."""
        passed = self.test("|".join(sorted({mutant.tests for mutant in chosen})),
                           "--parallel", str(jobs))
        failing = ", ".join(name for name, passes in passed.items() if not passes)
        if failing:
            raise Wrong(f"these tests fail without any mutant: {failing}")
        for mutant in chosen:
            if not any(re.search(mutant.tests, name) for name in passed):
                raise Wrong(f"{mutant.name}: no test that is built matches {mutant.tests}")

    def killers(self, mutant):
        """The tests that fail with the mutant in place, in words."""
        file = self.top / mutant.file
        healthy = file.read_text(encoding="utf-8")
        file.write_text(mutant.apply(healthy), encoding="utf-8")
        try:
            self.build(mutant.build.split())
            options = [] if self.whole else ["--stop-on-failure"]
            failing = [name for name, passes in self.test(mutant.tests, *options).items()
                       if not passes]
        finally:
            file.write_text(healthy, encoding="utf-8")
        if not failing:
            raise Wrong(f"lives: {mutant.tests} passes")
        more = len(failing) - MOST_KILLERS
        return ", ".join(failing[:MOST_KILLERS]) + (f" and {more} more" if more > 0 else "")


def kill_all(chosen, jobs, whole, healthy):
    """A row of the table for each mutant that is killed."""
    rows, stop, speak, began = {}, threading.Event(), threading.Lock(), time.monotonic()
    left, done = iter(list(enumerate(chosen))), []

    def copied(number):
        copy = Copy(Path(folder) / str(number), whole, stop)
        copy.build({target for mutant in chosen for target in mutant.build.split()})
        return copy

    def work(copy):
        while True:
            with speak:
                number, mutant = next(left, (None, None))
            if mutant is None or stop.is_set():
                return
            try:
                word = rows[number] = mutant.row(copy.killers(mutant))
            except Wrong as wrong:
                word = f"{mutant.name}: {wrong}"
            with speak:
                done.append(mutant)
                print(f"{len(done)}/{len(chosen)} ({time.monotonic() - began:.0f} s) {word}",
                      flush=True)

    (HOME / "build").mkdir(exist_ok=True)
    jobs = min(jobs, len(chosen))
    with tempfile.TemporaryDirectory(prefix="mutants.", dir=HOME / "build") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            copies = list(pool.map(copied, range(jobs)))
            if not healthy:
                copies[0].expect_health(chosen, jobs)
            list(pool.map(work, copies))
        finally:
            # A second Ctrl-C must not keep the copies from going.
            for end in (signal.SIGINT, signal.SIGTERM):
                signal.signal(end, signal.SIG_IGN)
            stop.set()
    print(f"{len(rows)} of {len(chosen)} mutants were killed")
    return [rows[number] for number in sorted(rows)]


def check(chosen):
    for mutant in chosen:
        mutant.apply((HOME / mutant.file).read_text(encoding="utf-8"))
    readme = README.read_text(encoding="utf-8").splitlines()
    shown = [line.rsplit(" | ", 1)[0] for line in readme if line.startswith("| `")]
    if shown != [mutant.row("").rsplit(" | ", 1)[0] for mutant in chosen]:
        raise Wrong("README.md shows other mutants; right would be: tests/mutants/kill.py --table")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", metavar="NAME", nargs="*", help="a mutant; without any, all")
    parser.add_argument("--check", action="store_true", help="build nothing")
    parser.add_argument("--table", action="store_true", help="write the table in README.md")
    parser.add_argument("--healthy", action="store_true", help="don't test without a mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="copies at work")
    options = parser.parse_args()
    chosen = mutants(options.names)
    if options.names and (options.table or options.check):
        parser.error("--table and --check are about all mutants")
    if options.table and options.healthy:
        parser.error("--table must see all tests pass first; leave --healthy out")
    if options.check:
        return check(chosen)
    rows = kill_all(chosen, options.jobs, options.table, options.healthy)
    if options.table and len(rows) == len(chosen):
        before, _, after = README.read_text(encoding="utf-8").split(MARK)
        README.write_text("\n".join((before + MARK, HEAD, *rows, MARK + after)), encoding="utf-8")
    return 0 if len(rows) == len(chosen) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except (Wrong, OSError) as sentence:
        sys.exit(str(sentence))
    except KeyboardInterrupt:
        sys.exit(130)
