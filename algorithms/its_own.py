"""Refuses locks that read the machine's clock, draw chance of their own, or keep something outside
of their lock object: no run shows anything of such a lock, and a run need not notice it.

    its_own.py NM LIBRARY
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


def fault(name, section):
    """What is wrong with a symbol, and what is right; nothing if it may be there."""
    if section == "*UND*":
        if name in CLOCK or CLOCK_TYPES.match(name):
            return f"reads the machine's clock ({name})", "client.now() or client.monotonic()"
        if name in CHANCE or name.startswith(DEVICE):
            return f"draws chance of its own ({name.split('::_M_')[0]})", "client.fresh_token()"
    elif re.match(WRITABLE, section) and not re.search(NOT_WRITTEN, name):
        if not re.search(CONSTANT, name):
            own = name.split("::")[-1]
            return (f"keeps {own} outside of its lock object, where clients of one process share"
                    " it, and those of several do not",
                    "a member of the lock or, where it never changes, a name like kThis")
    return None


def faults(nm, library):
    """A sentence for each, none twice."""
    found = {}
    for file, name, section in symbols(nm, library):
        if wrong := fault(name, section):
            found[f"algorithms/{file} {wrong[0]}; right would be {wrong[1]}"] = None
    return list(found)


def main(nm, library):
    wrong = faults(nm, library)
    for sentence in wrong:
        print(f"error: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
