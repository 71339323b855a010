"""Builds report.html, report.zh.html, report.md and figures/*.svg in a run folder,
from its result files alone.

    report.py RUN_DIR

Exit 0, or 64 with one sentence about the file that is missing or wrong; then nothing is written.
"""

import functools
import html
import sys
from pathlib import Path

import jinja2

import advice
import agreement
import answer
import command_line
import claims
import cost
import cost_table
import declared
import details
import failovers
import fault_words
import files
import layers
import libraries
import library_pairs
import library_table
import load
import matrix
import messages
import own
import price
import proofs
import provenance
import questions
import races
import reaches
import redlock
import style
import surface
import terms
import thresholds
import tokens
import translate
import witnesses
import words
import you_run
from figures import FIGURES
from markupsafe import Markup


def drawing(run, module):
    """(module, wide <svg>, narrow <svg>) of a figure, or None if it has no data."""
    title = html.escape(module.TITLE)
    pair = [(width, module.draw(run, width)) for width in (style.WIDE, style.NARROW)]
    if any(figure is None for _, figure in pair):
        return None
    return (module, *(style.svg(figure, f"{module.NAME}{width}", title) for width, figure in pair))


def drawings(run):
    """{figure name: drawing} of the figures that have data."""
    style.prepare()
    drawn = {module.NAME: drawing(run, module) for module in FIGURES}
    return {name: figure for name, figure in drawn.items() if figure}


@functools.cache
def environment(autoescape):
    """Templates of this folder, with the words and tables that both pages use."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=autoescape,
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.globals.update(races=races)
    env.filters.update(code=words.code_html, breakable=words.breakable,
                       cell_md=words.cell_md, commands=words.command_html,
                       two_lines=words.two_lines)
    env.globals.update(words=words, matrix=matrix, as_md=cost_table.as_md, cost=cost,
                       details=details, thresholds=thresholds, claims=claims, surface=surface,
                       witnesses=witnesses, proofs=proofs, reaches=reaches, layers=layers,
                       libraries=libraries, ran_table=library_table, pairs=library_pairs,
                       tokens=tokens, agreement=agreement, declared=declared, redlock=redlock,
                       failovers=failovers, price=price, you_run=you_run,
                       questions=questions, messages=messages, own=own, terms=terms,
                       fault_words=fault_words)
    return env


def facts(run):
    """Everything the templates show, except the figures."""
    return {
        "run": run, "manifest": run.manifest, "question": advice.QUESTION,
        "advice": advice.answer(run), "needs": advice.needs(run),
        "main": answer.main_world(run), "answer": answer.answer(run),
        "scope": answer.scope(run, answer.main_world(run)),
        "words_of": {world: answer.amount(run, world) for world in load.WORLDS},
        "contradictions": answer.untrusted(run), "gaps": provenance.gaps_in_words(run),
        "worlds": [w for w in load.WORLDS if run.ran(w)],
        "differences": agreement.differences(run), "undecided": agreement.undecided(run),
        "groups": details.groups(run), "machine": provenance.machine(run),
        "parameters": provenance.parameters(run), "untested": provenance.untested(run),
        "lacking": provenance.lacking(run),
        "unfinished": provenance.unfinished(run), "files": provenance.files(run),
        "legend": matrix.legend(run),
    }


def pages(run):
    """{path: text} of every file of the report."""
    drawn, shown = drawings(run), facts(run)
    figures = {name: {"module": module, "wide": Markup(wide), "narrow": Markup(narrow)}
               for name, (module, wide, narrow) in drawn.items()}
    css = Markup(style.css_variables(run.algorithms))
    contents = {
        run.folder / "report.html": environment(True).get_template("report.html.j2").render(
            shown, figures=figures, variables=css, switch=translate.SWITCH[0]),
        run.folder / "report.md": words.inert_md(environment(False).get_template(
            "report.md.j2").render(shown, figures=figures)),
    }
    contents[run.folder / "report.zh.html"] = translate.page(contents[run.folder / "report.html"])
    for name, (_, wide, _) in drawn.items():
        path = run.folder / "figures" / f"{name}.svg"
        contents[path] = style.standalone(wide, run.algorithms)
    return contents


def main(arguments):
    parser = command_line.Parser(prog="report.py", description=__doc__.split("\n")[0])
    parser.add_argument("run_dir", metavar="RUN_DIR")
    parser.add_argument("--quiet", action="store_true", help="do not say where the report is")
    options = parser.parse_args(arguments)
    try:
        run = load.load_run(options.run_dir)
    except load.BadRun as error:
        print(error, file=sys.stderr)
        return 64
    try:
        files.write_all(pages(run), run.folder)
    except OSError as error:
        print(f"{run.folder} must be a folder that can be written to: {error}.", file=sys.stderr)
        return 64
    if not options.quiet:
        print(f"report: {run.folder / 'report.html'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    command_line.run(main)
