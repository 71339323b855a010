"""What the words of the tables and figures mean, at the places where they stand: terms.json."""

import functools
import json
from pathlib import Path

FILE = Path(__file__).parent / "terms.json"


@functools.cache
def data():
    return json.loads(FILE.read_text(encoding="utf-8"))


def at(place):
    """[(word, what it is)] of those that a place needs."""
    return [tuple(data()["terms"][name]) for name in data()["places"][place]]


def all_of_them():
    """[(word, what it is)], by word."""
    return sorted(map(tuple, data()["terms"].values()), key=lambda term: term[0].lower())


def meaning(name):
    return data()["terms"][name][1]
