"""The script ./locklab: what it says and does when packages are missing, the network is away, it is
stopped, or its build folder is another clone's. Nothing is installed: apt-get, dpkg-query, cmake
and ctest are stand-ins, earlier in PATH.

    bootstrap_test.py
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "locklab"

APT = """#!/bin/bash
echo "$$ $*" >>"$HERE/apt.calls"
case "$*" in
    *update*) eval "${APT_UPDATE-echo Hit:1 http://a.test}" ;;
    *--download-only*) eval "${APT_DOWNLOAD-:}" ;;
    *) eval "${APT_INSTALL-:}" ;;
esac
"""
DPKG_QUERY = """#!/bin/bash
for package; do [[ $package == -* ]] || printf '%s %s;' "$PACKAGES" "$package"; done
"""
# Builds a program that tells the text of the clone's own source.
CMAKE = """#!/bin/bash
[ -z "${CMAKE_FAILS-}" ] || { echo "cmake is broken"; exit 1; }
if [ "$1" = --preset ]; then
    mkdir -p "build/$2/harness/cli"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt"
    echo "$PWD" >"build/$2/build.ninja"
else
    printf '#!/bin/bash\\necho %s\\n' "$(cat "$(cat "$2/build.ninja")/source")" \\
        >"$2/harness/cli/locklab"
    chmod +x "$2/harness/cli/locklab"
fi
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Bootstrap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(os.path.realpath(folder.name))
        self.clone = self.new_clone("clone", "first")
        tools = self.top / "tools"
        tools.mkdir()
        # Whoever runs this: the stand-in for sudo is in the way of the real one, too.
        sudo = '#!/bin/bash\n[ "$1" != -v ] || exit 0\n[ "$1" != -n ] || shift\nexec "$@"\n'
        for name, text in {"apt-get": APT, "dpkg-query": DPKG_QUERY, "cmake": CMAKE,
                           "sudo": sudo}.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
                            "HERE": str(self.top), "PACKAGES": "installed",
                            "LOCKLAB_PRESET": "release"}

    def new_clone(self, name, source):
        clone = self.top / name
        clone.mkdir()
        shutil.copy(SCRIPT, clone / "locklab")
        (clone / "CMakePresets.json").write_text("{}")
        os.utime(clone / "CMakePresets.json", (1, 1))
        (clone / "source").write_text(source)
        return clone

    def run_it(self, clone=None, **environment):
        return subprocess.run([str((clone or self.clone) / "locklab"), "list"], text=True,
                              capture_output=True, timeout=60, check=False,
                              env={**self.environment, **environment})

    def apt_calls(self):
        calls = self.top / "apt.calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        return [line.split(" ", 1) for line in lines]

    # What it says.

    def test_installs_nothing_where_nothing_is_missing(self):
        done = self.run_it()
        self.assertEqual((done.returncode, done.stdout), (0, "first\n"))
        self.assertEqual((done.stderr, self.apt_calls()), ("", []))

    def test_says_what_it_installs_and_where_to_look(self):
        done = self.run_it(PACKAGES="missing")
        self.assertEqual((done.returncode, done.stdout), (0, "first\n"))
        self.assertIn("installing with apt, which may take minutes", done.stderr)
        self.assertIn("redis-server", done.stderr)
        self.assertIn(str(self.clone / "build/apt.log"), done.stderr)

    def test_a_failure_is_one_sentence_with_apts_reason(self):
        done = self.run_it(PACKAGES="missing",
                           APT_INSTALL="echo noise; echo 'E: no space left'; exit 100")
        self.assertEqual(done.returncode, 2)
        said = done.stderr.splitlines()
        self.assertEqual(len(said), 2, done.stderr)
        self.assertIn("could not install", said[1])
        self.assertIn("E: no space left", said[1])
        self.assertEqual(done.stdout, "")

    # The network is away.

    def test_without_any_server_nothing_is_downloaded_and_one_sentence_said(self):
        done = self.run_it(
            PACKAGES="missing",
            APT_UPDATE="echo 'Err:1 http://a.test x'; echo 'W: Temporary failure resolving'",
            APT_DOWNLOAD="echo 'E: Unable to fetch some archives'; exit 100")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no package server answers; is the network away?", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 2, done.stderr)
        self.assertIn("--no-download", self.apt_calls()[1][1])

    def test_a_broken_source_beside_a_good_one_does_not_matter(self):
        done = self.run_it(PACKAGES="missing",
                           APT_UPDATE="echo Hit:1 http://a.test; echo Err:2 http://b.test; exit 1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("--no-download", self.apt_calls()[1][1])

    def test_every_wait_of_apt_is_bounded(self):
        self.run_it(PACKAGES="missing")
        for _, words in self.apt_calls():
            for option in ("Acquire::http::Timeout=", "Acquire::https::Timeout=",
                           "Acquire::Retries=", "DPkg::Lock::Timeout="):
                self.assertIn(option, words)

    def test_the_whole_installation_is_bounded(self):
        began = time.monotonic()
        done = self.run_it(PACKAGES="missing", LOCKLAB_INSTALL_SECONDS="2",
                           APT_UPDATE="trap '' TERM; sleep 600 & echo $! >$HERE/child; wait",
                           APT_DOWNLOAD="sleep 600")
        self.assertEqual(done.returncode, 2)
        self.assertLess(time.monotonic() - began, 30)
        self.assertIn("it was not done within 2 s; is the network away?", done.stderr)
        for pid, _ in self.apt_calls():
            self.assertFalse(alive(pid))
        self.assertFalse(alive((self.top / "child").read_text().strip()))

    def test_a_bound_that_is_none_is_refused(self):
        done = self.run_it(LOCKLAB_INSTALL_SECONDS="soon")
        self.assertEqual(done.returncode, 64)
        self.assertIn("a whole number from 1 to 99999", done.stderr)

    # The script is stopped.

    def stopped_by(self, number, group):
        """Sends the signal while apt downloads; the script's exit code, and what it said."""
        script = subprocess.Popen(
            [str(self.clone / "locklab"), "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
            env={**self.environment, "PACKAGES": "missing",
                 "APT_DOWNLOAD": "sleep 600 & echo $! >$HERE/child; wait"})
        child = self.top / "child"
        for _ in range(600):
            if child.exists() and child.read_text().strip():
                break
            time.sleep(0.05)
        began = time.monotonic()
        (os.killpg if group else os.kill)(script.pid, number)
        _, said = script.communicate(timeout=30)
        pids = [pid for pid, _ in self.apt_calls()] + [child.read_text().strip()]
        while any(map(alive, pids)) and time.monotonic() - began < 15:
            time.sleep(0.1)
        self.assertEqual([pid for pid in pids if alive(pid)], [])
        self.assertFalse((self.clone / "build/release").exists(), "nothing is built")
        return script.returncode, said

    def test_no_apt_goes_on_after_ctrl_c(self):
        code, said = self.stopped_by(signal.SIGINT, group=True)
        self.assertEqual(code, 130, said)
        self.assertIn("stopped while it was installing", said)

    def test_no_apt_goes_on_after_kill(self):
        code, said = self.stopped_by(signal.SIGTERM, group=False)
        self.assertEqual(code, 143, said)
        self.assertIn("stopped while it was installing", said)

    def test_no_apt_goes_on_after_kill_9(self):
        code, _ = self.stopped_by(signal.SIGKILL, group=False)
        self.assertEqual(code, -9)

    # The build folder.

    def test_what_was_built_here_is_kept(self):
        self.run_it()
        mark = self.clone / "build/release/mark"
        mark.touch()
        self.assertEqual(self.run_it().stdout, "first\n")
        self.assertTrue(mark.exists())

    def test_a_copied_clone_builds_its_own_source(self):
        self.run_it()
        copy = self.top / "copy"
        shutil.copytree(self.clone, copy)
        (copy / "source").write_text("second")
        done = self.run_it(copy)
        self.assertEqual((done.returncode, done.stdout), (0, "second\n"), done.stderr)
        self.assertIn("was made for another place", done.stderr)

    def test_a_moved_clone_builds_its_own_source(self):
        self.run_it()
        moved = self.top / "moved"
        self.clone.rename(moved)
        self.assertEqual(self.run_it(moved).stdout, "first\n")

    def test_where_cmake_fails_nothing_old_is_run(self):
        self.run_it()
        copy = self.top / "copy"
        shutil.copytree(self.clone, copy)
        for clone in (self.clone, copy):
            done = self.run_it(clone, CMAKE_FAILS="yes")
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("the build failed", done.stderr)


if __name__ == "__main__":
    unittest.main()
