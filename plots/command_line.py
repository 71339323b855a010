"""Arguments of the scripts here; bad usage exits with 64, as every locklab command does."""

import argparse
import sys


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}; usage: {self.format_usage().split(':', 1)[1].strip()}",
              file=sys.stderr)
        sys.exit(64)
