"""What people search for: error messages, each with what has happened, which race it is, and what
to change. messages.json has the words; the texts are those of the libraries' sources."""

import functools
import json
from pathlib import Path

import libraries

FILE = Path(__file__).parent / "messages.json"
SERVER = "redis-server"


@functools.cache
def data():
    return json.loads(FILE.read_text(encoding="utf-8"))


def source(driver):
    """redis-py Lock of redis-py; the server has its own name."""
    if driver == SERVER:
        return "Redis"
    return next(item["name"] for item in libraries.known() if item.get("driver") == driver)


def races(run, case):
    """[(anchor, title)] of the races of a case that the run has."""
    titles = {race["name"]: race["title"] for race in run.races}
    return [(f"#race-{name}", titles[name]) for name in case["races"] if name in titles]


def texts(case):
    """[(library, class of the error, text)]"""
    return [(source(driver), kind, text) for driver, kind, text, _ in case["messages"]]
