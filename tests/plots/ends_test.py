"""command_line.py of plots/: how its scripts end, and what they let through to a terminal."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Ends(unittest.TestCase):
    def ended(self, body):
        """(exit status, stdout, stderr) of a script that runs this as its main."""
        code = f"import command_line\ndef main(arguments):\n    {body}\ncommand_line.run(main)"
        ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "plots", text=True,
                             capture_output=True, check=False)
        return ran.returncode, ran.stdout, ran.stderr

    def test_a_failure_of_our_own_ends_with_2(self):
        self.assertEqual(self.ended("raise MemoryError")[::2],
                         (2, "out of memory: what was asked for is too large for this machine\n"))
        status, _, said = self.ended("return {}['none']")
        self.assertEqual(status, 2)
        self.assertIn("KeyError", said)

    def test_no_printed_text_is_obeyed(self):
        status, out, _ = self.ended(r"print('a\x1b[2J\u202e\x9b\r')")
        self.assertEqual((status, out), (0, "a\\x1b[2J\\u202e\\x9b\\r\n"))

    def test_a_closed_stdout_is_said(self):
        ran = subprocess.run(["sh", "-c", f"exec '{sys.executable}' plots/compare.py a b >&-"],
                             cwd=ROOT, text=True, stderr=subprocess.PIPE, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("stdout is closed", ran.stderr)


if __name__ == "__main__":
    unittest.main()
