"""The verdict matrix, algorithm x hazard, as data for the page, Markdown and the README."""

from dataclasses import dataclass

import declared
import proofs
import witnesses
import words
from answer_cells import CLEAN

WORLD_NAMES = {"sim": "simulator", "live": "real Redis"}

LETTERS = {"holds": "H", "not_seen": "n", "violated": "V", "stuck": "S", "unknown": "?",
           "not_applicable": "–", "not_run": "·"}


def kind(verdict):
    """The key of LETTERS, and class on the page, of a verdict: "not seen" has a space."""
    return verdict.replace(" ", "_")


SEEN = "h"
"""The letter of a cell that held in its runs, where no search proves more."""
BOTH = "VS"
PROVED = "∀"
MEANINGS = {
    "proved": "holds, exhausted: no two clients inside at once and nobody stuck for ever in what"
              " was run, and a search tried every schedule within its bounds",
    "holds": "held in what was run, which is not everything: it bounds how often it can fail",
    "not_seen": "not seen: nothing went wrong, in runs too few to say that it holds",
    "violated": "violated: two clients were inside at once, an update was lost, or a token came"
                " out of order",
    "stuck": "stuck for ever: the lock stayed taken though no live client held it",
    "both": "both: violated in some runs, stuck for ever in others",
    "unknown": "unknown: a bound was hit before the run could decide; never a pass",
    "not_applicable": "not applicable: this world cannot make the fault, or it cannot meet"
                      " this lock",
    "not_run": "not run",
}
WAITS_MEANING = "after the fault, clients had to wait until a TTL passed"
UNCLAIMED_MEANING = "the verdict is not what the lock's own file declares"


SILENT = ("The searches of this run did not yet tell what they exercised, so that none counts as a"
          " proof here.")


@dataclass(frozen=True)
class Square:
    """One cell as shown."""

    verdict: str       # a key of LETTERS
    stuck: bool        # some run was stuck for ever
    waits: bool        # waiters had to wait for a TTL
    unclaimed: bool    # differs from the declared claim
    proved: bool       # no schedule within the searches' bounds fails
    anchor: str        # id of its detail row, empty if it has none
    leads_to: str      # that, or of the witness that shows it
    title: str         # one sentence

    @property
    def kind(self):
        """A key of MEANINGS, and the class of its look."""
        if self.verdict == "violated" and self.stuck:
            return "both"
        return "proved" if self.proved else self.verdict

    @property
    def letter(self):
        return letter_of(self.kind)


def letter_of(kind):
    """The letter of a key of MEANINGS."""
    special = {"proved": LETTERS["holds"], "holds": SEEN, "both": BOTH}
    return special[kind] if kind in special else LETTERS[kind]


def anchor(cell):
    return "-".join((cell["world"], cell["algorithm"], cell["hazard"]))


def waits_for_ttl(run, cell):
    """Whether clients had to wait until a TTL passed; a lock without one has none to wait for."""
    return cell["stuck_until_ttl"] > 0 and run.has_ttl(cell["algorithm"])


def evidence(cell):
    """What the verdict rests on, in one line without its end."""
    ran = f"{words.plural(cell['runs'], 'run')}, {words.plural(cell['grants'], 'grant')}"
    stuck = f"{words.plural(cell['stuck'], 'run')} stuck for ever" if cell["stuck"] else ""
    if cell["verdict"] == "violated":
        also = f", {stuck}," if stuck else ""
        return f"{words.rate(cell)} overlaps per 1,000 grants{also} in {ran}"
    if cell["verdict"] == "stuck":
        return f"{stuck} of {ran}"
    if cell["verdict"] in CLEAN:
        return f"{ran}: violated in {words.of_runs(0, cell['runs'])} runs"
    return ran


def square(run, world, algorithm, hazard):
    """The Square of one cell; a hazard that the live world cannot make is not applicable."""
    cell = run.cells.get((world, algorithm, hazard["name"]))
    if cell is None:
        verdict = "not_run" if world == "sim" or hazard["live"] else "not_applicable"
    else:
        verdict = kind(cell["verdict"])
    title = f"{algorithm}, {hazard['name']}, {WORLD_NAMES[world]}: {verdict.replace('_', ' ')}"
    if verdict in ("not_run", "not_applicable"):
        return Square(verdict, False, False, False, False, "", "", title)
    unclaimed = declared.differs(cell)
    if unclaimed:
        title += f" (declared {cell.get('claim') or 'nothing'})"
    text = f"{title}. {evidence(cell)}"
    if proof := proofs.proved(run, cell):
        text += f"; exhausted: no schedule of {proof} fails either"
    return Square(verdict, cell["stuck"] > 0, waits_for_ttl(run, cell), unclaimed, bool(proof),
                  anchor(cell), witnesses.cell_anchor(run, cell, anchor(cell)), text)


def matrix(run, world):
    """[(algorithm row, [Square per hazard], "held/decided")], in the registry's order."""
    rows = []
    for algorithm in run.algorithms:
        squares = [square(run, world, algorithm["name"], hazard) for hazard in run.hazards]
        verdicts = [s.verdict for s in squares]
        decided = sum(v in ("holds", "violated", "stuck") for v in verdicts)
        rows.append((algorithm, squares, f"{verdicts.count('holds')}/{decided}"))
    return rows


def square_md(item):
    """A square in Markdown: what is not held stands out in bold."""
    letter = f"**{item.letter}**" if item.verdict in ("violated", "stuck") else item.letter
    marks = (PROVED if item.proved else "") + ("t" if item.waits else "")
    return letter + (f"<sup>{marks}</sup>" if marks else "") + ("≠" if item.unclaimed else "")


def table_md(header, rows, numeric=()):
    """A Markdown table; columns whose index is in `numeric` are aligned right."""
    rule = ["---:" if i in numeric else "---" for i in range(len(header))]
    lines = [header, rule, *([words.cell_md(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def heading_md(hazard):
    """clock_jump -> clock<br>jump: narrow columns."""
    return hazard["name"].replace("_", "<br>")


def matrix_md(run, world, heads=("lock", "held"), heading=heading_md):
    """The matrix as a Markdown table, letters as in `letter_of`."""
    header = [heads[0], *map(heading, run.hazards), heads[1]]
    rows = [[f"`{algorithm['name']}`", *map(square_md, squares), held]
            for algorithm, squares, held in matrix(run, world)]
    return table_md(header, rows)


def legend(run, worlds=tuple(WORLD_NAMES)):
    """[(key of MEANINGS, letter with its mark)] of what occurs in these worlds."""
    seen = {s.kind for world in worlds for _, squares, _ in matrix(run, world) for s in squares}
    return [(kind, letter_of(kind) + (PROVED if kind == "proved" else ""))
            for kind in MEANINGS if kind in seen]


def legend_md(run, meanings=None, waits=WAITS_MEANING, unclaimed=UNCLAIMED_MEANING, signs="; .",
              silent=" " + SILENT):
    """One sentence that explains the letters; and one that says why nothing is proved."""
    told = meanings or MEANINGS
    parts = []
    for kind, letter in legend(run):
        shown = letter.replace(PROVED, f"<sup>{PROVED}</sup>")
        parts.append(f"{shown} {told[kind]}")
    joint, end = signs[:-1], signs[-1]
    return joint.join([*parts, f"<sup>t</sup> {waits}", f"≠ {unclaimed}"]) + end\
        + (silent if proofs.silent(run) else "")
