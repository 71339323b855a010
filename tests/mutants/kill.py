#!/usr/bin/env python3
"""Plants each mutant, a seeded bug, in a copy of the sources, and sees a test fail.

    kill.py [--all] [--healthy] [--jobs N] [NAME...]
                     exit 1 if a mutant lives or does not build. NAME is a mutant, a source or a
                     folder of sources; without any, all are meant. Those run that changed since
                     they were killed, or whose killer did, and those that are named; with --all,
                     all. --healthy: the killers have just passed, and do not run without a mutant
    kill.py --check  builds nothing; exit 1 if an entry does not apply to its source any more
    kill.py --list   which mutants are switches, and which are planted alone, and why

Most are compiled into one copy, each behind its number, and LOCKLAB_PLANTED switches one on; the
rest is planted and built alone. The copy lies in build/mutants and is built with the preset
`release`, with CMAKE_CXX_COMPILER_LAUNCHER if that is in the environment.
"""

import argparse
import os
import signal
import sys
import threading

import switching
from entries import Wrong, read_all, text_of
from memory import Memory
from running import Run
from workspace import FOLDER, Interrupted, Workspace


def check(entries):
    for entry in entries:
        entry.place(text_of(entry.source))
        if not switching.why_alone(entry):
            switching.expect_whole(entry)


def show(entries):
    for entry in entries:
        how = switching.why_alone(entry)
        print(f"{entry.source}  {entry.name}  {f'alone: {how}' if how else 'switch'}")
    alone = sum(1 for entry in entries if switching.why_alone(entry))
    print(f"{len(entries) - alone} switches, {alone} planted alone")


def chosen(entries, names):
    """The entries of these mutants, sources and folders; without any, all."""
    found = [] if names else list(entries)
    for name in names:
        of_name = [entry for entry in entries if name.rstrip("/") in (
            entry.name, entry.source) or entry.source.startswith(name.rstrip("/") + "/")]
        if not of_name:
            raise Wrong(f"there is no mutant {name}, and none of a source {name}; "
                        "kill.py --list names all")
        found += [entry for entry in of_name if entry not in found]
    return found


def kill(entries, options):
    memory = Memory(FOLDER / "memory.json")
    wanted = chosen(entries, options.names)
    if options.all:
        memory.forget(wanted)
    todo = [entry for entry in wanted if entry.name in options.names or not memory.knows(entry)]
    known, killed, succeeds = len(wanted) - len(todo), 0, True
    if todo:
        workspace = Workspace(max(1, options.jobs), threading.Event())
        run = Run(workspace, memory, entries, todo, options.healthy)
        succeeds = run.all()
        killed = len(run.killed)
    remembered = f", {known} of them as is remembered" if known else ""
    print(f"{killed + known} of {len(wanted)} mutants were killed{remembered}")
    return 0 if succeeds else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", metavar="NAME", nargs="*", help="a mutant, a source or a folder")
    parser.add_argument("--check", action="store_true", help="build nothing")
    parser.add_argument("--list", action="store_true", help="say which are planted alone, and why")
    parser.add_argument("--all", action="store_true", help="also what was killed and is unchanged")
    parser.add_argument("--healthy", action="store_true", help="don't test without a mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at once")
    options = parser.parse_args()
    if options.names and (options.check or options.list):
        parser.error("--check and --list are about all mutants; leave the names out")
    entries = read_all()
    if options.check:
        return check(entries)
    if options.list:
        return show(entries)
    return kill(entries, options)


if __name__ == "__main__":
    for ends in (signal.SIGINT, signal.SIGTERM):  # a shell starts in the background what ignores it
        signal.signal(ends, signal.default_int_handler)
    try:
        sys.exit(main())
    except (Wrong, OSError) as sentence:
        sys.exit(str(sentence))
    except (KeyboardInterrupt, Interrupted):
        sys.exit(130)
