"""Faults in the words of people who do not know ours: those of faults.json."""

import functools
import json
from pathlib import Path

import words

FILE = Path(__file__).parent / "faults.json"


@functools.cache
def known():
    return json.loads(FILE.read_text(encoding="utf-8"))["faults"]


def of(name):
    """delay_reply -> late reply; a name that the list lacks stays as it is."""
    return known().get(name, name.replace("_", " "))


def of_set(faults):
    """delay_reply=1,retry=1 -> late reply + command sent twice."""
    return " + ".join(of(part.partition("=")[0]) for part in faults.split(","))


def listed(sets):
    """late reply, lost reply and pause."""
    return words.listing(map(of_set, sets))
