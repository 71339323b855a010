"""A copy of the sources that stays under build/, where they are broken, built and tested."""

import contextlib
import dataclasses
import fcntl
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from entries import HOME, Wrong
from switching import VARIABLE

FOLDER = HOME / "build" / "mutants"
LEFT_OUT = {".git", "build", "results", "__pycache__"}
PRESET = "release"
TEST_SECONDS = 120  # then a test has failed: a mutant may wait for ever


class Interrupted(Exception):
    """Ctrl-C: what has been found is kept."""


class DoesNotBuild(Wrong):
    """Has the compiler's log."""

    def __init__(self, log):
        super().__init__("does not build:\n" + log[-2000:])
        self.log = log


@dataclasses.dataclass
class Test:
    """A test as ctest knows it."""

    name: str
    program: str  # that it is a part of
    command: list
    folder: str
    environment: dict
    slots: int  # of all that there are: this many it takes


class Slots:
    """As many tests at once as there are processors; one that keeps time is alone."""

    def __init__(self, most):
        self.most, self.free = most, most
        self.turn, self.changed = threading.Lock(), threading.Condition()

    @contextlib.contextmanager
    def taken(self, count):
        count = min(count, self.most)
        with self.turn, self.changed:
            self.changed.wait_for(lambda: self.free >= count)
            self.free -= count
        try:
            yield
        finally:
            with self.changed:
                self.free += count
                self.changed.notify_all()


def end(child):
    """Ends a process and all of its group. Ninja is to have the time to end its compilers."""
    for by in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(subprocess.TimeoutExpired, ProcessLookupError):
            if child.poll() is None:
                os.killpg(child.pid, by)
                child.wait(2)


def files_below(top):
    """Files and links below a folder, by their names from there."""
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in (*files, *folders):
            path = Path(folder, name)
            if path.is_symlink() or path.is_file():
                yield path.relative_to(top).as_posix(), path


def properties_of(test):
    return {each["name"]: each["value"] for each in test.get("properties", [])}


def test_of(said, top, most):
    """A Test for what `ctest --show-only=json-v1` says of one."""
    has = properties_of(said)
    # A parameter's bytes, which follow some names, differ from run to run.
    name, command = said["name"].partition("  # GetParam")[0], said["command"]
    program = Path(command[0]).name
    if "FIXTURES_REQUIRED" in has:  # ctest alone knows what must run before it
        command = ["ctest", "--test-dir", f"build/{PRESET}", "-R", f"^{name}$"]
    is_alone = has.get("RUN_SERIAL") or "clock" in has.get("LABELS", ()) or command[0] == "ctest"
    folder = str(top) if command[0] == "ctest" else has.get("WORKING_DIRECTORY", str(top))
    pairs = (pair.partition("=") for pair in has.get("ENVIRONMENT", ()))
    return Test(name, program, command, folder, {key: value for key, _, value in pairs},
                most if is_alone else int(has.get("PROCESSORS", 1)))


class Workspace:
    """The copy. One program at a time works in it."""

    def __init__(self, jobs, stop, folder=FOLDER):
        """`stop` is an Event that ends whatever runs."""
        self.folder, self.top = folder, folder / "locklab"
        self.jobs, self.stop, self.slots = jobs, stop, Slots(jobs)
        self.one_at_a_time, self.locks = threading.Lock(), {}
        folder.mkdir(parents=True, exist_ok=True)
        self.held = (folder / "lock").open("w")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.held.close()
            raise Wrong("another kill.py is at work in this clone; wait for its end") from None

    def follow(self, texts):
        """Makes the sources those of this clone, with `texts` in place of theirs.

        What is as it must be is not written again, so that little is built again."""
        wanted = dict(files_below(HOME))
        wanted.update((name, text.encode()) for name, text in texts.items())
        for name, path in list(files_below(self.top)):
            if name not in wanted:
                path.unlink()
        for name, what in wanted.items():
            self.put(name, what)

    def put(self, name, what):
        """One file of the copy: its bytes, or the file or link that it is like."""
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, Path) and what.is_symlink():
            path.unlink(missing_ok=True)
            path.symlink_to(os.readlink(what))
            return
        content = what.read_bytes() if isinstance(what, Path) else what
        if path.is_symlink() or not path.is_file() or path.read_bytes() != content:
            path.unlink(missing_ok=True)
            path.write_bytes(content)
        if isinstance(what, Path):
            shutil.copymode(what, path)

    def environment(self, more):
        own = {"CCACHE_BASEDIR": str(self.top), "CCACHE_NOHASHDIR": "1", "LOCKLAB_NIGHT": "1"}
        return {**{key: value for key, value in os.environ.items() if key != VARIABLE},
                **own, **(more or {})}

    def run(self, command, seconds=None, folder=None, environment=None, output=None):
        """Whether a command succeeds. It does not outlive this program, nor its seconds."""
        ends = None if seconds is None else time.monotonic() + seconds
        with subprocess.Popen(
                command, cwd=folder or self.top, stdin=subprocess.DEVNULL,
                stdout=output or subprocess.DEVNULL, stderr=subprocess.STDOUT,
                start_new_session=True, env=self.environment(environment)) as child:
            try:
                while child.poll() is None and not self.stop.is_set() and (
                        ends is None or time.monotonic() < ends):
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        child.wait(0.2)
            finally:
                end(child)
                if seconds is not None:  # nor does what a test has left
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(child.pid, signal.SIGKILL)
        if self.stop.is_set():
            raise Interrupted
        return child.returncode == 0

    def logged(self, *command):
        """The log of a command that succeeds."""
        path = self.folder / "log"
        with path.open("w") as log:
            succeeds = self.run(command, output=log)
        text = path.read_text(errors="replace")
        if not succeeds:
            raise DoesNotBuild(text)
        return text

    def configure(self):
        self.logged("cmake", "--preset", PRESET)

    def build(self, targets):
        self.logged("cmake", "--build", "--preset", PRESET, "-j", str(self.jobs),
                    "--target", *sorted(targets), "--", "-k", "0")

    def tests(self):
        """All tests that are built, by name."""
        listed = self.logged("ctest", "--test-dir", f"build/{PRESET}", "--show-only=json-v1")
        listed = json.loads(listed[listed.index("{"):])["tests"]
        tests = (test_of(said, self.top, self.jobs) for said in listed if said.get("command"))
        return {test.name: test for test in tests}

    def passes(self, test, number=None, seconds=TEST_SECONDS):
        """Whether the test passes with the mutant `number` switched on; without one, with none."""
        with self.one_at_a_time:
            lock = self.locks.setdefault(test.name, threading.Lock())
        chosen = {} if number is None else {VARIABLE: str(number)}
        with lock, self.slots.taken(test.slots):  # it may write where it wrote before
            return self.run(test.command, seconds, test.folder, {**test.environment, **chosen})
