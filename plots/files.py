"""Writes files so that each is there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_all(contents, folder=None):
    """Writes {path: text}; no file takes its name before all of them have been written. OSError if
    one is to be in a folder that is a link out of `folder`."""
    ready = []
    try:
        for path, text in contents.items():
            path = Path(path)
            path.parent.mkdir(exist_ok=True)
            if folder is not None and not path.parent.resolve().is_relative_to(folder.resolve()):
                raise OSError(f"{path.parent} is a link that leads out of it")
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            ready.append((name, path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            usual = path.stat().st_mode & 0o777 if path.is_file() else 0o644
            os.chmod(name, usual)
        for name, path in ready:
            os.replace(name, path)
    finally:
        for name, _ in ready:
            Path(name).unlink(missing_ok=True)
