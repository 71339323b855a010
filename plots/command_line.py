"""Arguments and ends of the scripts here: bad usage exits with 64, as every locklab command does, a
failure of our own with 2, and Ctrl-C ends one without a word. What they print obeys nobody: a
text of somebody else cannot clear the reader's terminal."""

import argparse
import sys
import traceback
import unicodedata


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}; usage: {self.format_usage().split(':', 1)[1].strip()}",
              file=sys.stderr)
        sys.exit(64)


def printable(text):
    """The text with what a terminal obeys written out, and each end of a line kept."""
    return "".join(c if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp")
                   else c.encode("unicode_escape").decode() for c in text)


class Screen:
    """A stream that prints what is printable."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        return self.stream.write(printable(text))

    def __getattr__(self, name):
        return getattr(self.stream, name)


def run(main):
    """Ends the program with what `main(arguments)` returns."""
    if sys.stdout is None:
        print("stdout is closed, and nothing can be shown; right would be a file, or >/dev/null",
              file=sys.stderr)
        sys.exit(2)
    sys.stdout = Screen(sys.stdout)
    sys.stderr = Screen(sys.stderr or open("/dev/null", "w"))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except MemoryError:
        print("out of memory: what was asked for is too large for this machine", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    sys.exit(2)
