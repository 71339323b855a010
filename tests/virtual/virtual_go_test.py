"""What drivers/shared/virtual_go.py makes of a Go, and says of one that it does not know."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "drivers/shared")]
sys.dont_write_bytecode = True

import virtual_go  # noqa: E402

GO = """#!/bin/sh
[ "$1" = env ] && echo "$FAKE_GOARCH" && echo "$FAKE_GOROOT" && exit
for last; do place="$word"; word="$last"; done
echo "$@" > "$FAKE_GOROOT/said"
echo made > "$place"
"""


class VirtualGo(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, edits in virtual_go.EDITS.items():
            file = self.folder / "src" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"before\n{old}\nafter\n" for old, _ in edits))
        (self.folder / "go").write_text(GO)
        (self.folder / "go").chmod(0o755)
        self.program = self.folder / "program"

    def run_it(self, processor="amd64"):
        environment = {**os.environ, "FAKE_GOARCH": processor, "FAKE_GOROOT": str(self.folder),
                       "PATH": f"{self.folder}:{os.environ['PATH']}"}
        return subprocess.run([sys.executable, virtual_go.__file__, str(self.program)],
                              env=environment, capture_output=True, text=True, check=False)

    def test_a_known_go_builds_it_with_other_files(self):
        ran = self.run_it()
        self.assertEqual((ran.returncode, ran.stdout), (0, ""), ran.stderr)
        self.assertTrue(self.program.exists())
        said = (self.folder / "said").read_text()
        self.assertIn("-tags faketime -overlay", said)
        self.assertTrue(said.strip().endswith(f"-o {self.program} ."), said)

    def test_each_edit_is_made_once(self):
        for name, edits in virtual_go.EDITS.items():
            text = virtual_go.edited(self.folder / "src" / name, edits)
            for _, new in edits:
                self.assertEqual(text.count(new), 1, name)

    def test_an_unknown_go_is_named_and_nothing_is_made(self):
        """Nor does an older program stay, which another library was built with."""
        file = self.folder / "src/runtime/proc.go"
        self.program.write_text("old")
        for text in ("another text", file.read_text() * 2):
            file.write_text(text)
            ran = self.run_it()
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("no program for virtual time: ", ran.stdout)
            self.assertIn("proc.go does not have once the line 'const haveSysmon", ran.stdout)
            self.assertIn("right would be Go 1.26", ran.stdout)
            self.assertFalse(self.program.exists())

    def test_another_processor_is_named_and_nothing_is_made(self):
        ran = self.run_it("arm64")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("this is arm64; right would be Go 1.26 on amd64", ran.stdout)
        self.assertFalse(self.program.exists())

    def test_the_go_that_is_here_is_known_if_it_is_of_1_26(self):
        if not shutil.which("go"):
            return
        told = subprocess.run(["go", "env", "GOROOT", "GOVERSION"], capture_output=True, text=True,
                              check=True).stdout.split()
        if not told[1].startswith("go1.26"):
            return
        for name, edits in virtual_go.EDITS.items():
            virtual_go.edited(Path(told[0]) / "src" / name, edits)


if __name__ == "__main__":
    unittest.main()
