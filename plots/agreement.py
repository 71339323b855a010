"""Whether the two worlds agree, cell by cell. A difference is explained where chance gives one
often enough between runs that are alike, which the run itself must have tried; else it is not."""

import declared
import words
from answer_cells import CLEAN

UNDECIDED = "unknown"
SELDOM = 0.01
"""As harness/suite/agreement.cpp: what chance gives more seldom, it does not explain."""


def is_decided(row):
    """Whether both worlds came to a verdict."""
    return UNDECIDED not in (row["sim"], row["live"])


def compared(run):
    return [row for row in run.agreement.values() if is_decided(row)]


def differences(run):
    """The rows in which two verdicts differ. Where one world holds, and the other's runs were too
    few to see a failure, they do not."""
    return [row for row in compared(run) if row["sim"] != row["live"]
            and not {row["sim"], row["live"]} <= set(CLEAN)]


def undecided(run):
    """Those in which a world came to none."""
    return [row for row in run.agreement.values() if not is_decided(row)]


def is_explained(row):
    """Older runs have no runs that are alike, so that they explain nothing."""
    chance = row.get("chance")
    return chance is not None and chance >= SELDOM


def why(run, row):
    """What is known of a difference, or of a cell that was not decided."""
    if not is_decided(row):
        return f"No verdict. {row.get('why') or ''}".strip()
    if "chance" not in row:
        apart = declared.unlike(run)
        return ("Not explained: no simulated runs were like the live ones"
                + (f" ({apart})." if apart else "."))
    head = "By chance." if is_explained(row) else "Not explained."
    return f"{head} {row.get('why') or ''}".strip()


def counts(run):
    """simulator and real Redis agree in 157 of 162 cells ...: of the 5 differences chance explains
    2, and 3 are not explained."""
    rows, apart = compared(run), differences(run)
    if not run.agreement:
        return None
    text = (f"simulator and real Redis agree in {len(rows) - len(apart)} of"
            f" {words.plural(len(rows), 'cell')} that both decided")
    if apart:
        by_chance = sum(map(is_explained, apart))
        rest = len(apart) - by_chance
        parts = [f"chance explains {by_chance}"] if by_chance else []
        parts += [f"{rest} {'is' if rest == 1 else 'are'} not explained"] if rest else []
        text += f"; of {words.plural(len(apart), 'difference')} {words.listing(parts)}"
    if left := len(undecided(run)):
        text += f"; {words.plural(left, 'cell')} came to no verdict in one of them"
    return text


def sentence(run):
    """The same as a sentence."""
    text = counts(run)
    return f"{text[0].upper()}{text[1:]}." if text else ""
