"""Puts the simulator's verdict matrix of a run into a Markdown file, between two markers.

    readme_table.py RUN_DIR README.md            writes it
    readme_table.py RUN_DIR README.md --check    exit 1 if the file shows anything else
"""

import re
import sys
from pathlib import Path

import chinese
import command_line
import files
import load
import matrix
from answer import main_world

BEGIN, END = "<!-- matrix:begin -->", "<!-- matrix:end -->"


def block(run, readme=Path("README.md")):
    """Matrix, legend and where they come from, without the markers; in Chinese for a *.zh.md."""
    world, manifest = main_world(run), run.manifest
    if readme.name.endswith(".zh.md"):
        return chinese.block(run, world)
    return (f"{matrix.matrix_md(run, world)}\n\n{matrix.legend_md(run)}\n"
            f"Verdicts of the {matrix.WORLD_NAMES[world]}, from `{manifest['command']}`"
            f" (locklab {manifest['locklab']}, seed {manifest['seed']}).")


def embedded(text, content, path):
    """`text` with `content` between the markers; BadRun if they are not there once each."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise load.BadRun(f"{path} must have one line {BEGIN} and, after it, one line {END}.")
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    return re.sub(pattern, lambda _: f"{BEGIN}\n{content}\n{END}", text, flags=re.DOTALL)


def main(arguments):
    parser = command_line.Parser(prog="readme_table.py", description=__doc__.split("\n")[0])
    parser.add_argument("run_dir")
    parser.add_argument("readme", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    try:
        if not options.readme.is_file():
            raise load.BadRun(f"{options.readme} is missing; name the file with the markers.")
        old = options.readme.read_text(encoding="utf-8")
        new = embedded(old, block(load.load_run(options.run_dir), options.readme), options.readme)
    except load.BadRun as error:
        print(error, file=sys.stderr)
        return 64
    if not options.check:
        files.write_all({options.readme: new})
    elif new != old:
        print(f"{options.readme} does not show the matrix of {options.run_dir}; run"
              f" plots/readme_table.py {options.run_dir} {options.readme}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    command_line.run(main)
