"""The files of a run folder as bytes and JSON: only the run's own, and only so large. load.py says
what must be in them."""

import hashlib
import json
import math
import os
import stat

import shape as s

MOST_BYTES = 64_000_000
"""No file of a run is longer: the largest of a full run has 4 MB. Read, it takes 1 GB at most."""
LONGEST_NUMBER = 25


class BadRun(Exception):
    """A file is missing or wrong; the text is one sentence for the user."""


def no_such_number(word):
    raise ValueError(f"{word} is not a JSON number")


def whole(word):
    if len(word) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(word)} digits is too long")
    return int(word)


def real(word):
    if len(word) > LONGEST_NUMBER + 10 or not math.isfinite(value := float(word)):
        raise ValueError(f"the number {word[:LONGEST_NUMBER]} is too large or too long")
    return value


def content_of(path):
    """The bytes of a regular file that is the folder's own: no link out of it, no pipe, no device,
    and no more than MOST_BYTES. OSError otherwise."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is no regular file")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(f"it has more than {MOST_BYTES} bytes")
    return content


def read_json(path, shape, digest=None):
    """The JSON value of one file; BadRun if it is missing, no JSON, not of that shape, or not what
    the manifest's digest says."""
    try:
        content = content_of(path)
        value = json.loads(content.decode("utf-8"), parse_constant=no_such_number,
                           parse_int=whole, parse_float=real)
    except FileNotFoundError:
        raise BadRun(f"{path} is missing; RUN_DIR must be a folder that `locklab suite` wrote"
                     " (it holds manifest.json and suite.json).") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BadRun(f"{path} cannot be read as JSON ({error}); write it again with"
                     " `locklab suite --out DIR`.") from None
    if digest is not None and hashlib.sha1(content).hexdigest() != digest:
        raise BadRun(f"{path} is not the file that manifest.json lists: it was changed, or is of"
                     " another run; write it again with `locklab suite --out DIR`.")
    try:
        shape(value, "")
    except (s.Misfit, RecursionError) as misfit:
        raise BadRun(f"{path}: {misfit}.") from None
    return value


class Listed:
    """The files of a run that its manifest lists; all others in the folder are somebody else's. A
    manifest that is older than these lists has none, and then whatever is there counts."""

    def __init__(self, folder, manifest):
        self.folder, self.names = folder, manifest.get("files")
        self.digests = manifest.get("digests", {})

    def has(self, name):
        return (self.folder / name).exists() and (self.names is None or name in self.names)

    def read(self, name, shape):
        return read_json(self.folder / name, shape, self.digests.get(name))
