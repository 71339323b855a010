"""Writes files so that each is there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_all(contents):
    """Writes {path: text}; no file takes its name before all of them have been written."""
    ready = []
    try:
        for path, text in contents.items():
            path = Path(path)
            path.parent.mkdir(exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            ready.append((name, path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.chmod(name, path.stat().st_mode if path.exists() else 0o644)
        for name, path in ready:
            os.replace(name, path)
    finally:
        for name, _ in ready:
            Path(name).unlink(missing_ok=True)
