"""Runs the killer of each mutant: first of all that are switches, then of those planted alone."""

import concurrent.futures
import re
import resource
import threading
import time

import switching
from entries import Wrong, text_of, write_killer
from workspace import PRESET, TEST_SECONDS, DoesNotBuild

# A test that takes this many times as long as without a mutant, and seconds, will not end.
MOST_TIMES_LONGER, LEAST_SECONDS = 10, 30
HEALTHY_SECONDS = 900  # without a mutant a test ends, however busy the machine is


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Phases:
    """What each part of the run took."""

    def __init__(self):
        self.began, self.used = time.monotonic(), processor_seconds()

    def end(self, name):
        now, used = time.monotonic(), processor_seconds()
        print(f"{name} took {now - self.began:.0f} s, {used - self.used:.0f} s of processors",
              flush=True)
        self.began, self.used = now, used


class Run:
    """One run of kill.py over the entries `chosen`; the copy has the switches of `all_entries`."""

    def __init__(self, workspace, memory, all_entries, chosen, is_healthy):
        self.workspace, self.memory, self.chosen = workspace, memory, chosen
        self.expects_health = not is_healthy
        self.alone = {entry: why for entry in all_entries if (why := switching.why_alone(entry))}
        self.by_source, self.switched = {}, {}
        for entry in all_entries:
            if entry not in self.alone:
                self.by_source.setdefault(entry.source, []).append(entry)
        self.tests, self.seconds, self.unhealthy = {}, {}, set()
        self.began, self.speak, self.done = time.monotonic(), threading.Lock(), 0
        self.killed, self.complaints = [], []

    def say(self, entry, words):
        with self.speak:
            self.done += 1
            passed = time.monotonic() - self.began
            print(f"{self.done}/{len(self.chosen)} ({passed:.0f} s) {entry.name}: {words}",
                  flush=True)

    # The copy.

    def follow(self):
        self.switched = {source: switching.switch(text_of(source), entries)
                         for source, entries in self.by_source.items() if entries}
        texts = {source: one.text for source, one in self.switched.items()}
        self.workspace.follow({**texts, switching.HEADER: switching.HEADER_TEXT})

    def from_top(self, name):
        """A name in the compiler's log as a path from the top of the copy."""
        top = self.workspace.top
        path = (top / "build" / PRESET / name).resolve()
        return path.relative_to(top).as_posix() if path.is_relative_to(top) else name

    def build(self):
        """Builds all switches at once. A switch that no compiler takes is planted alone."""
        targets = set().union(*(entry.targets for entry in self.chosen))
        self.follow()
        self.workspace.configure()
        while True:
            try:
                self.workspace.build(targets)
                break
            except DoesNotBuild as failed:
                faulty = switching.at_fault(failed.log, self.from_top, self.switched)
                if not faulty:
                    raise Wrong(f"the switched copy {failed}") from None
            for entry, what in faulty.items():
                print(f"{entry.name} does not compile as a switch ({what}): it is planted alone; "
                      "say why in a line 'alone: ' of its entry", flush=True)
                self.alone[entry] = "it does not compile as a switch"
                self.by_source[entry.source].remove(entry)
            self.follow()
        self.tests = self.workspace.tests()

    # Tests.

    def candidates(self, entry):
        """The tests that may kill it: first the one that did."""
        may = [test for test in self.tests.values()
               if (test.program in entry.targets or not test.command[0].startswith(
                   str(self.workspace.top))) and re.search(entry.tests, test.name)]
        if not may:
            raise Wrong(f"no test that is built matches {entry.tests}")
        return sorted(may, key=lambda test: test.name != entry.killer)

    def limit(self, test):
        if test.name not in self.seconds:
            return TEST_SECONDS
        return max(LEAST_SECONDS, MOST_TIMES_LONGER * self.seconds[test.name])

    def is_healthy(self, test):
        """Whether the test passes without a mutant; if not, it is asked once more."""
        if not self.expects_health or test.name in self.seconds:
            return True
        if test.name in self.unhealthy:
            return False
        for _ in range(2):
            began = time.monotonic()
            if self.workspace.passes(test, None, HEALTHY_SECONDS):
                self.seconds[test.name] = time.monotonic() - began
                return True
        self.unhealthy.add(test.name)
        self.complaints.append(f"{test.name} fails without any mutant: {' '.join(test.command)}")
        return False

    def expect_health(self, pool):
        """The killers pass while no mutant is switched on."""
        first = {}
        for entry in self.chosen:
            test = self.tests.get(entry.killer)
            if test:
                first[test.name] = test
        list(pool.map(self.is_healthy, first.values()))

    def killer(self, entry, number):
        """The first test that fails with the mutant in place."""
        for test in self.candidates(entry):
            if test.name in self.unhealthy:
                continue
            if not self.workspace.passes(test, number, self.limit(test)):
                if number is None or self.is_healthy(test):
                    return test
        raise Wrong(f"lives: {entry.tests} passes")

    def note(self, entry, test, more=""):
        with self.speak:
            self.killed.append(entry)
            if entry.killer != test.name:
                write_killer(entry, test.name)
            self.memory.keep(entry)
        self.say(entry, f"killed by {test.name}{more}")

    def give_up(self, entry, wrong):
        self.complaints.append(f"{entry.name}: {wrong}")
        self.say(entry, wrong)

    # Mutants.

    def kill_switched(self, entry):
        """Whether it was killed; what lives as a switch is planted alone before it is said."""
        try:
            self.note(entry, self.killer(entry, entry.number))
        except Wrong:
            return False
        return True

    def kill_alone(self, entry, was_switched):
        healthy = self.workspace.top / entry.source
        before = healthy.read_bytes()
        self.workspace.put(entry.source, entry.apply(text_of(entry.source)).encode())
        try:
            try:
                self.workspace.build(entry.targets)
                test = self.killer(entry, None)
            finally:
                self.workspace.put(entry.source, before)
            if test.name not in self.seconds and self.expects_health:
                self.workspace.build(entry.targets)
                if not self.is_healthy(test):
                    raise Wrong(f"is not killed: {test.name} fails without it, too")
            more = ", but not as a switch: say why in a line 'alone: ' of its entry"
            self.note(entry, test, more if was_switched else "")
        except Wrong as wrong:
            self.give_up(entry, wrong)

    def all(self):
        """Kills all that are chosen; whether it could."""
        phases = Phases()
        self.build()
        phases.end("building")
        switches = [entry for entry in self.chosen if entry not in self.alone]
        # More threads than tests at once: some wait for the end of the same test.
        with concurrent.futures.ThreadPoolExecutor(2 * self.workspace.jobs) as pool:
            try:
                if self.expects_health:
                    self.expect_health(pool)
                    phases.end("the killers without a mutant")
                was_killed = list(pool.map(self.kill_switched, switches))
            except BaseException:
                self.workspace.stop.set()
                raise
        if switches:
            phases.end(f"{len(switches)} switches")
        lives = {entry for entry, killed in zip(switches, was_killed) if not killed}
        planted = [entry for entry in self.chosen if entry in self.alone or entry in lives]
        for entry in planted:
            self.kill_alone(entry, entry in lives)
        if planted:
            phases.end(f"{len(planted)} planted alone")
        for complaint in self.complaints:
            print(complaint)
        return len(self.killed) == len(self.chosen) and not self.complaints
