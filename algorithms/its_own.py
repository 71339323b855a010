"""Refuses locks that read the machine's clock, draw chance of their own, or keep something outside
of their lock object: no run shows anything of such a lock, and a run need not notice it.

    its_own.py NM LIBRARY [SOURCES]

SOURCES is the folder of the locks' sources, this one unless it is named.
"""

import re
import subprocess
import sys
from pathlib import Path

CLOCK = ("clock", "clock_gettime", "ftime", "gettimeofday", "time", "timespec_get")
CLOCK_TYPES = re.compile(r"std::.*_clock::now\(\)")
CHANCE = ("arc4random", "drand48", "getentropy", "getrandom", "lrand48", "rand", "rand_r", "random",
          "srand")
DEVICE = "std::random_device::"
WRITABLE = r"\.(data|bss|tdata|tbss)\b(?!\.rel\.ro)"
NOT_WRITTEN = r"\b(vtable|typeinfo( name)?|guard variable) for |^__|^DW\.ref\.|^std::|\.\d+$"
CONSTANT = r"\bk[A-Z]\w*$"
COUNTER = re.compile(r"\b(_*rdtscp?|__builtin_ia32_rdtscp?|__builtin_readcyclecounter)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def symbols(nm, library):
    """(file, name, section) of each, as `nm` tells them."""
    told = subprocess.run([nm, "--format=sysv", "-C", library], capture_output=True, text=True,
                          check=True).stdout
    file = ""
    for line in told.splitlines():
        if head := re.match(r"Symbols from (.*?\[)?(.+?)(\.o|\.obj)?\]?:$", line):
            file = Path(head[2]).name
        elif line.count("|") >= 6:
            parts = line.split("|")
            yield file, "|".join(parts[:-6]).strip(), parts[-1].strip()


def sources(folder):
    """The text of all C++ in `folder`, without its comments."""
    files = sorted(file for file in Path(folder).glob("*") if file.suffix in (".cpp", ".h"))
    return {file.name: COMMENT.sub("", file.read_text(encoding="utf-8")) for file in files}


def never_changes(name, texts):
    """Whether what is named like kThis is declared const, or not at all, in these texts: a lock's
    own, and the headers. Another lock may have a constant of that name.
    """
    if not re.search(CONSTANT, name):
        return False
    own = re.escape(name.split("::")[-1])
    everything = "\n".join(texts.values())
    constant = rf"\bconst(expr)?\b[^;{{}}=]*\b{own}\b\s*[=({{\[;]"
    return not re.search(rf"\b{own}\b", everything) or bool(re.search(constant, everything))


def fault(name, section, texts):
    """What is wrong with a symbol, and what is right; nothing if it may be there."""
    if section == "*UND*":
        if name in CLOCK or CLOCK_TYPES.match(name):
            return f"reads the machine's clock ({name})", "client.now() or client.monotonic()"
        if name in CHANCE or name.startswith(DEVICE):
            return f"draws chance of its own ({name.split('::_M_')[0]})", "client.fresh_token()"
    elif re.match(WRITABLE, section) and not re.search(NOT_WRITTEN, name):
        if not never_changes(name, texts):
            own = name.split("::")[-1]
            return (f"keeps {own} outside of its lock object, where clients of one process share"
                    " it, and those of several do not",
                    "a member of the lock or, where it never changes, a const named like kThis")
    return None


def faults(nm, library, folder):
    """A sentence for each, none twice."""
    texts = sources(folder)
    found = {}
    for file, name, section in symbols(nm, library):
        its_own = {each: text for each, text in texts.items() if each == file or each[-2:] == ".h"}
        if wrong := fault(name, section, its_own):
            found[f"algorithms/{file} {wrong[0]}; right would be {wrong[1]}"] = None
    for file, text in texts.items():
        if counter := COUNTER.search(text):
            found[f"algorithms/{file} reads the machine's clock ({counter[0]}); right would be "
                  "client.now() or client.monotonic()"] = None
    return list(found)


def main(nm, library, folder=Path(__file__).parent):
    wrong = faults(nm, library, folder)
    for sentence in wrong:
        print(f"error: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
