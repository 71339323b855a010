"""README.md and README.zh.md: their tables are generated, their pictures are the program's, their
links lead somewhere, and both say the same.

    readme_test.py LOCKLAB
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots")]
sys.dont_write_bytecode = True

import readme_table  # noqa: E402
import report  # noqa: E402
from load import load_run  # noqa: E402

REFERENCE = ROOT / "results" / "reference"
READMES = tuple(ROOT / name for name in ("README.md", "README.zh.md"))
RACE = ("scenario", "slow_holder_deletes_anothers_lock", "--algorithm", "set_nx_del", "--svg")


def without_code(text):
    return re.sub(r"^    .*$|`[^`]*`", "", text, flags=re.M)


def without_figures(page):
    """Another matplotlib draws them a little differently."""
    return re.sub(r'<div class="(wide|narrow)">.*?</div>', "", page, flags=re.S)


def samples(text):
    """The lines of its code blocks, which no translation changes."""
    return [line.strip() for line in re.findall(r"^    +.*$", text, flags=re.M)
            if re.search(r"[\u4e00-\u9fff]", line) is None]


class Readme(unittest.TestCase):
    program = None

    def texts(self):
        return {path.name: path.read_text(encoding="utf-8") for path in READMES}

    def test_matrix_is_that_of_the_reference(self):
        for path in READMES:
            self.assertEqual(readme_table.main([str(REFERENCE), str(path), "--check"]), 0)

    def test_picture_is_what_the_program_draws(self):
        drawn = subprocess.run([self.program, *RACE], capture_output=True, text=True, check=True,
                               env={**os.environ, "LOCKLAB_HOME": str(ROOT)}).stdout
        self.assertEqual((REFERENCE / "race.svg").read_text(encoding="utf-8"), drawn)

    def test_reference_has_the_report_that_its_data_give(self):
        for path, text in report.pages(load_run(REFERENCE)).items():
            if path.suffix in (".md", ".html"):
                self.assertEqual(without_figures(path.read_text(encoding="utf-8")),
                                 without_figures(text),
                                 f"right would be: ./locklab report {REFERENCE}")

    def test_what_flags_the_perfect_lock_is_told(self):
        """No checker may flag it, but for a race in which no lock can help; both say which."""
        run = load_run(REFERENCE)
        flagged = {race["name"] for race in run.races for row in race["outcomes"]
                   if row["algorithm"] == "perfect_lock" and row["sum"] in ("violated", "stuck")}
        self.assertEqual(flagged, {"write_outlives_its_holder"})
        cells = [cell for (_, lock, _), cell in run.cells.items() if lock == "perfect_lock"]
        self.assertEqual({cell["verdict"] for cell in cells}, {"holds", "not_applicable"})
        for text in self.texts().values():
            for name in flagged:
                self.assertIn(name, text)

    def test_words_that_no_reader_wants(self):
        english, chinese = self.texts().values()
        for word in ("accuse", "reckon", "mends", "whoever", "Whoever", "is a matter of its",
                     "waited without end", "nobody alive"):
            self.assertNotIn(word, english)
        for word in ("打破", "不得指控", "下限", "真家伙", "讲故事", "多久出一次事"):
            self.assertNotIn(word, chinese)

    def test_chinese_has_full_width_brackets(self):
        for line in without_code(self.texts()["README.zh.md"]).splitlines():
            self.assertNotRegex(line, r"[\u4e00-\u9fff]\(|\)[\u4e00-\u9fff]")

    def test_links_lead_somewhere(self):
        for name, text in self.texts().items():
            links = re.findall(r"\]\(([^)]+)\)", without_code(text))
            self.assertGreater(len(links), 8, name)
            for link in links:
                if not link.startswith("https://"):
                    self.assertTrue((ROOT / link.split("#")[0]).exists(), f"{name}: {link}")

    def test_both_languages_have_the_same_parts(self):
        english, chinese = self.texts().values()
        for what, pattern in (("headings", r"^#+ "), ("rows of tables", r"^\|"),
                              ("pictures", r"^!\["), ("commands", r"^\s+\$ ")):
            counts = [len(re.findall(pattern, text, re.M)) for text in (english, chinese)]
            self.assertEqual(counts[0], counts[1], what)
        lacking = [line for line in samples(english) if line not in chinese]
        self.assertEqual(lacking, [])


if __name__ == "__main__":
    Readme.program = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
