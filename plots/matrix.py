"""The verdict matrix, algorithm x hazard, as data for the page, Markdown and the README."""

from dataclasses import dataclass

import proofs
import witnesses
import words

WORLD_NAMES = {"sim": "simulator", "live": "real Redis"}

LETTERS = {"holds": "H", "violated": "V", "stuck": "S", "unknown": "?", "not_applicable": "–",
           "not_run": "·"}
MEANINGS = {
    "holds": "holds: no two clients inside at once, and nobody stuck for ever, in what was run",
    "violated": "violated: an oracle saw the lock fail",
    "stuck": "stuck for ever: a client never got a lock that nobody alive held",
    "unknown": "unknown: a bound was hit before the run could decide; never a pass",
    "not_applicable": "not applicable: this world cannot make the hazard, or it cannot meet"
                      " this lock",
    "not_run": "not run",
}
WAITS_MEANING = "after the fault, waiters had to wait until a TTL passed"
PROVED, PROVED_MEANING = "∀", "no schedule within the bounds of the searches fails either"
UNCLAIMED_MEANING = "the verdict is not what the lock's own file declares"


@dataclass(frozen=True)
class Square:
    """One cell as shown."""

    verdict: str       # a key of LETTERS
    waits: bool        # waiters had to wait for a TTL
    unclaimed: bool    # differs from the declared claim
    proved: bool       # no schedule within the searches' bounds fails
    anchor: str        # id of its detail row, empty if it has none
    leads_to: str      # that, or of the witness that shows it
    title: str         # one sentence

    @property
    def letter(self):
        return LETTERS[self.verdict]


def anchor(cell):
    return "-".join((cell["world"], cell["algorithm"], cell["hazard"]))


def evidence(cell):
    """What the verdict rests on, in one line without its end."""
    ran = f"{words.plural(cell['runs'], 'run')}, {words.plural(cell['grants'], 'grant')}"
    if cell["verdict"] == "violated":
        return f"{words.rate(cell)} overlaps per 1,000 grants in {ran}"
    if cell["verdict"] == "stuck":
        return f"{words.plural(cell['stuck'], 'run')} stuck for ever of {ran}"
    bound = words.upper_bound(cell)
    limit = f"; at most {words.number(bound)} overlaps per 1,000 grants (95 %)"
    return ran + (limit if bound is not None and cell["verdict"] == "holds" else "")


def square(run, world, algorithm, hazard):
    """The Square of one cell; a hazard that the live world cannot make is not applicable."""
    cell = run.cells.get((world, algorithm, hazard["name"]))
    if cell is None:
        verdict = "not_run" if world == "sim" or hazard["live"] else "not_applicable"
    else:
        verdict = cell["verdict"]
    title = f"{algorithm}, {hazard['name']}, {WORLD_NAMES[world]}: {verdict.replace('_', ' ')}"
    if verdict in ("not_run", "not_applicable"):
        return Square(verdict, False, False, False, "", "", title)
    unclaimed = not cell.get("as_claimed", True)
    if unclaimed:
        title += f" (declared {cell.get('claim') or 'nothing'})"
    text = f"{title}. {evidence(cell)}"
    if proof := proofs.proved(run, cell):
        text += f"; {PROVED_MEANING} ({proof})"
    return Square(verdict, cell["stuck_until_ttl"] > 0, unclaimed, bool(proof), anchor(cell),
                  witnesses.cell_anchor(run, cell, anchor(cell)), text)


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


def matrix_md(run, world):
    """The matrix as a Markdown table, letters as in LETTERS."""
    header = ["lock", *(heading_md(h) for h in run.hazards), "held"]
    rows = [[f"`{algorithm['name']}`", *map(square_md, squares), held]
            for algorithm, squares, held in matrix(run, world)]
    return table_md(header, rows)


def legend(run):
    """[(verdict, meaning)] of the verdicts that occur in either world."""
    seen = {s.verdict for world in WORLD_NAMES for _, squares, _ in matrix(run, world)
            for s in squares}
    return [(verdict, meaning) for verdict, meaning in MEANINGS.items() if verdict in seen]


def legend_md(run):
    """One sentence that explains the letters."""
    parts = [f"{LETTERS[verdict]} {meaning}" for verdict, meaning in legend(run)]
    if any(s.proved for _, squares, _ in matrix(run, "sim") for s in squares):
        parts.append(f"<sup>{PROVED}</sup> {PROVED_MEANING}")
    return "; ".join([*parts, f"<sup>t</sup> {WAITS_MEANING}", f"≠ {UNCLAIMED_MEANING}"]) + "."
