"""Arguments and ends of the scripts here: bad usage exits with 64, as every locklab command does,
and Ctrl-C ends one without a word."""

import argparse
import sys


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}; usage: {self.format_usage().split(':', 1)[1].strip()}",
              file=sys.stderr)
        sys.exit(64)


def run(main):
    """Ends the program with what `main(arguments)` returns."""
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
