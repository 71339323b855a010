"""What plots/ reads: only what the manifest lists, only regular files of the run, and whatever is
in them ends in a Run or in one sentence.

    report_input_test.py
"""

import json
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots"), str(ROOT / "tests" / "plots")]
sys.dont_write_bytecode = True

import command_line  # noqa: E402
import files  # noqa: E402
import load  # noqa: E402
import report_fixture as fixture  # noqa: E402
import run_files  # noqa: E402
import words  # noqa: E402

MUTATIONS = 400
READ = ("manifest.json", "suite.json", "thresholds.json", "races.json", "bench.json",
        "surface.json", "witnesses.json")


class Input(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.outside = Path(holder.name) / "outside"
        self.outside.mkdir()
        self.folder = fixture.write(Path(holder.name) / "run")

    def manifest(self, **changes):
        path = self.folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    def refused(self, *parts):
        with self.assertRaises(load.BadRun) as caught:
            load.load_run(self.folder)
        said = str(caught.exception)
        for part in parts:
            self.assertIn(part, said)
        self.assertEqual(said.count("\n"), 0)
        self.assertLess(len(said), 1000)

    # Which files.

    def test_only_a_file_that_the_manifest_lists_is_linked(self):
        witness = next(c["witness"] for c in fixture.suite()["cells"] if c.get("witness"))
        self.assertTrue(load.load_run(self.folder).has(witness), "of an older run")
        self.manifest(digests={})
        self.assertFalse(load.load_run(self.folder).has(witness), "of somebody else")
        self.assertTrue(load.load_run(self.folder).has("manifest.json"))

    def test_only_what_the_manifest_lists_is_of_this_run(self):
        present = [name for name in READ if (self.folder / name).exists()]
        self.assertIn("bench.json", present)
        self.manifest(files=[name for name in present if name != "bench.json"])
        run = load.load_run(self.folder)
        self.assertIsNone(run.bench)
        self.assertTrue(run.races)

    def test_a_file_of_another_run_is_refused(self):
        self.manifest(digests={"races.json": "0" * 40})
        self.refused("races.json is not the file that manifest.json lists")

    def test_no_link_leads_out_of_the_run(self):
        secret = self.outside / "secret"
        secret.write_text("secret")
        (self.folder / "link").symlink_to(self.outside)
        run = load.load_run(self.folder)
        self.assertFalse(run.has("link/secret"))
        (self.folder / "one").symlink_to(secret)
        self.assertFalse(run.has("one"))
        self.assertTrue(run.has("suite.json"))
        target = self.outside / "races.json"
        (self.folder / "races.json").rename(target)
        (self.folder / "races.json").symlink_to(target)
        self.refused("races.json cannot be read")

    def test_nothing_is_written_out_of_the_run(self):
        (self.folder / "elsewhere").symlink_to(self.outside)
        with self.assertRaises(OSError) as caught:
            files.write_all({self.folder / "elsewhere" / "a.svg": "x"}, self.folder)
        self.assertIn("leads out of it", str(caught.exception))
        self.assertEqual(list(self.outside.iterdir()), [])

    def test_pipes_and_devices_are_not_read(self):
        path = self.folder / "races.json"
        path.unlink()
        os.mkfifo(path)
        self.refused("races.json cannot be read", "no regular file")
        path.unlink()
        path.symlink_to("/dev/zero")
        self.refused("races.json cannot be read")

    # What is in them.

    def test_a_number_of_four_hundred_digits_is_refused(self):
        for number in ("9" * 400, "-" + "9" * 400, "9" * 5000, "1e999", "1." + "1" * 400):
            with self.subTest(number[:10]):
                path = self.folder / "suite.json"
                text = path.read_text()
                path.write_text(text.replace('"grants": ', f'"grants": {number}, "x": ', 1))
                self.refused("suite.json cannot be read as JSON", "too l")
                path.write_text(text)

    def test_no_number_is_so_large_that_nothing_can_be_worked_out_of_it(self):
        path = self.folder / "suite.json"
        text = path.read_text()
        for number in ("1" + "0" * 19, "1e300"):
            path.write_text(text.replace('"grants": ', f'"grants": {number}, "x": ', 1))
            self.refused("suite.json: ", "it must be a whole number from 0 to 10^18")
        path.write_text(text.replace('"throughput_per_s": ', '"throughput_per_s": 1e300, "x": ', 1))
        self.refused("suite.json: ", "it must be a number from 0 to 10^18")

    def test_every_list_of_sets_is_read_as_strictly(self):
        path = self.folder / "thresholds.json"
        right = json.loads(path.read_text())
        for state in ("harmless", "harmless_briefly", "unknown"):
            for wrong in ("pause=1=1", "pause=99999999999", "pause", "no_such=1", 5, None):
                with self.subTest(state=state, wrong=wrong):
                    rows = json.loads(json.dumps(right))
                    rows["thresholds"][0][state] = [wrong]
                    path.write_text(json.dumps(rows))
                    self.refused("thresholds.json: thresholds[0]", "it must be")

    def test_what_is_nested_too_deep_is_refused(self):
        (self.folder / "suite.json").write_text("[" * 200_000)
        self.refused("suite.json cannot be read as JSON")

    def test_more_bytes_than_any_run_has_are_refused(self):
        with open(self.folder / "suite.json", "wb") as file:
            file.truncate(run_files.MOST_BYTES + 1)
        self.refused("suite.json cannot be read as JSON", "more than")

    def test_whatever_was_changed_ends_in_one_sentence(self):
        """Seeded: bytes, values and keys are changed, and the reader has no other way out."""
        refused = 0
        for seed in range(MUTATIONS):
            choose = random.Random(seed)
            path = self.folder / choose.choice([n for n in READ if (self.folder / n).exists()])
            before = path.read_bytes()
            path.write_bytes(mutated(before, choose))
            try:
                load.load_run(self.folder)
            except load.BadRun as error:
                refused += 1
                self.assertLess(len(str(error)), 2000, seed)
            except Exception as error:
                raise AssertionError(f"seed {seed}, {path.name}: {error!r}") from error
            path.write_bytes(before)
        self.assertGreater(refused, MUTATIONS // 4)
        self.assertLess(refused, MUTATIONS)

    # What comes out.

    def test_ctrl_c_ends_a_script_without_a_word_and_without_a_half_written_file(self):
        folder = self.folder
        class Pages(dict):
            def items(self):
                yield folder / "report.md", "new"
                raise KeyboardInterrupt
        def interrupted(_arguments):
            files.write_all(Pages())
        before = sorted(path.name for path in self.folder.iterdir())
        with self.assertRaises(SystemExit) as ended:
            command_line.run(interrupted)
        self.assertEqual(ended.exception.code, 130)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_no_tag_begins_in_markdown(self):
        page = ("a <script>alert(1)</script> b<br>c<sup>t</sup> <br onload=x> `<img>`\n"
                "```sh\ncat <file\n```\n<script>\n"
                "```sh x\n<script>\n````sh\n<b>\n")
        inert = words.inert_md(page)
        self.assertEqual(inert.count("<script"), 0)
        self.assertEqual(inert.count("<img"), 0)
        self.assertEqual(inert.count("<br onload"), 0)
        self.assertIn("&lt;script>alert(1)&lt;/script> b<br>c<sup>t</sup>", inert)
        self.assertIn("\ncat <file\n", inert)
        self.assertEqual(words.inert_md("`fence <= ?`, 1 < 2"), "`fence <= ?`, 1 < 2")

    def test_text_is_escaped_once_in_code_and_outside(self):
        self.assertEqual(words.code_html("a<b `fence <= a_b` & `./x <y>` `c"),
                         "a&lt;b <code>fence &lt;= a_<wbr>b</code> &amp; <code>.<wbr>/<wbr>x"
                         " &lt;y&gt;</code> `c")


def spots(value):
    """[(container, key)] of everything in a JSON value."""
    found, open_values = [], [value]
    while open_values:
        inner = open_values.pop()
        keys = inner if isinstance(inner, dict) else range(len(inner))
        for key in keys:
            found.append((inner, key))
            if isinstance(inner[key], (dict, list)):
                open_values.append(inner[key])
    return found


def mutated(content, choose):
    """The file with some bytes, or one value, other than they were."""
    if choose.random() < 0.3:
        data = bytearray(content)
        for _ in range(choose.randint(1, 8)):
            data[choose.randrange(len(data))] = choose.randrange(256)
        return bytes(data)
    value = json.loads(content)
    container, key = choose.choice(spots(value))
    other = choose.choice([None, True, -1, 0, 1.5, 10 ** 24, 1e300, "", "x" * 100_000, [], {},
                           "<script>", "\x1b[2J", "../../etc/passwd", [[[]]], {"a": {}}])
    if choose.random() < 0.2:
        del container[key]
    elif isinstance(container, list) and choose.random() < 0.2:
        container.append(container[key])
    else:
        container[key] = other
    return json.dumps(value).encode()


if __name__ == "__main__":
    unittest.main()
