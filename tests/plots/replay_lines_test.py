"""Every command that the report of a run shows, run as if it were pasted.

    replay_lines_test.py LOCKLAB RUN_DIR [--some]       RUN_DIR as the run's command had it

With --some, of each kind of command (its verb, its world, its verdict) the first is run, and after
it one of some.

Exit code and verdict must be those that the page shows. A play on a real Redis may be disturbed by
whatever else this machine does, and has three tries. Of the campaigns behind the cells some of the
simulator's are run; CliSurfaceTest sees that all of them count the same again, in a smaller run.
"""

import html
import os
import re
import shlex
import subprocess
import sys
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots")]
sys.dont_write_bytecode = True

import load  # noqa: E402

LINE = re.compile(r"<code[^>]*>(\./locklab [^<]*)</code>")
LIVE = "--world live"
OTHERS = re.compile(r" lib:| campaign driver:")
TRIES = 3
EVERY = 9  # of so many campaigns of cells one is run
SOME = 8   # with --some, of so many lines of a kind one is run


def lines_of(page):
    """The commands of the page, each once, but for those that give other figures each time."""
    # Where a long line may break is marked, and is no part of it.
    whole = page.replace("<wbr>", "")
    lines = dict.fromkeys(html.unescape(line) for line in LINE.findall(whole))
    # That with the name of a library shows what is answered to it, and makes nothing again; a
    # benchmark measures anew, and so does what safety costs; the libraries need not be here.
    return [line for line in lines if line.split()[1] not in ("suite", "bench", "libraries")
            and line != "./locklab campaign redisson" and not OTHERS.search(line)]


def campaigns_of(run):
    """{command: verdict} of the simulator's cells."""
    return {cell["command"]: cell["verdict"] for cell in run.cells.values()
            if cell.get("command") and cell["world"] == "sim"}


def left_out(run):
    """The commands of cells that are not run: of live ones chance decides."""
    sampled = [*campaigns_of(run)][::EVERY]
    return {cell["command"] for cell in run.cells.values() if cell.get("command")}.difference(
        sampled)


def some_of(lines, verdicts):
    """Of each kind the first, and after it one of SOME, in their order."""
    seen = Counter()
    chosen = []
    for line in lines:
        kind = line.split()[1], LIVE in line, verdicts.get(line)
        if seen[kind] % SOME == 0:
            chosen.append(line)
        seen[kind] += 1
    return chosen


def verdicts_of(run):
    """{command: the verdict that the page shows with it}."""
    table = {cell["replay"]: cell["verdict"] for cell in run.cells.values() if cell.get("replay")}
    table |= campaigns_of(run)
    for row in run.thresholds:
        table |= {found["replay"]: found["verdict"] for found in row["minimal"]}
    return table | {row["replay"]: row["verdict"] for row in (*run.witnesses, *run.surface)}


class Lines(unittest.TestCase):
    program, folder, some = None, None, False

    def ran(self, line):
        """(exit code, stdout, stderr) of the line, with the program that is under test."""
        words = line.replace("./locklab", shlex.quote(str(self.program)), 1)
        for _ in range(TRIES if LIVE in line else 1):
            done = subprocess.run(words, shell=True, cwd=ROOT, capture_output=True, text=True,
                                  timeout=300, check=False,
                                  env={**os.environ, "LOCKLAB_HOME": str(ROOT)})
            if done.returncode == 0:
                break
        return done.returncode, done.stdout, done.stderr

    def test_each_shows_what_the_page_says(self):
        run = load.load_run(ROOT / self.folder)
        page = (ROOT / self.folder / "report.html").read_text(encoding="utf-8")
        lines, verdicts = lines_of(page), verdicts_of(run)
        kinds = {line.split()[1] for line in lines}
        self.assertEqual(kinds, {"replay", "scenario", "check", "campaign"})
        self.assertGreater(len(lines), 300)
        self.assertLess(left_out(run), {*lines})
        lines = [line for line in lines if line not in left_out(run)]
        self.assertGreater(len({*lines}.intersection(campaigns_of(run))), 15)
        if self.some:
            kinds = {line.split()[1] for line in lines}
            lines = some_of(lines, verdicts)
            self.assertGreater(len(lines), 40)
            self.assertEqual({line.split()[1] for line in lines}, kinds)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for line, (code, out, err) in zip(lines, pool.map(self.ran, lines)):
                with self.subTest(line=line):
                    if line.split()[1] == "scenario":
                        self.assertEqual(code, 0, out + err)
                        continue
                    self.assertEqual(code, {"violated": 1, "stuck": 1, "holds": 0}[verdicts[line]],
                                     out + err)
                    self.assertIn(verdicts[line], out.split("\n\n")[0])


if __name__ == "__main__":
    Lines.program, Lines.folder = Path(sys.argv[1]).resolve(), sys.argv[2]
    Lines.some = "--some" in sys.argv
    unittest.main(argv=sys.argv[:1])
