"""drivers/shared/protocol.py: what a driver in Python says."""

import json
import pathlib
import subprocess
import sys
import unittest

SHARED = pathlib.Path(__file__).parents[2] / "drivers" / "shared"
WAITS_FOR_EVER = """
import asyncio
from protocol import Driver, serve

class Waiting(Driver):
    traits = dict(library="waiting", version="1", waits=True)

    async def open(self, asked):
        pass

    async def acquire(self, wait):
        await asyncio.sleep(1000)

serve(Waiting())
"""


class ProtocolTest(unittest.TestCase):
    def test_a_try_that_is_cancelled_as_soon_as_it_is_asked_for_is_answered(self):
        asked = [{"id": 1, "op": "acquire", "wait_ms": 0}, {"op": "cancel", "id": 1},
                 {"id": 2, "op": "exit"}]
        said = subprocess.run([sys.executable, "-c", WAITS_FOR_EVER], cwd=SHARED, text=True,
                              input="".join(json.dumps(line) + "\n" for line in asked),
                              stdout=subprocess.PIPE, check=True, timeout=60).stdout
        answers = [json.loads(line) for line in said.splitlines()]
        self.assertEqual([answer["id"] for answer in answers], [1, 2])
        self.assertEqual(answers[0]["error"], "cancelled")
        self.assertFalse(answers[0]["definite"])


if __name__ == "__main__":
    unittest.main()
