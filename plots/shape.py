"""What a JSON value must look like, and the sentence that says where it does not.

A shape is a function (value, where) that returns nothing or raises Misfit; `where` is the path
to the value, such as `cells[3].verdict`.
"""

import json
import math
import re


class Misfit(Exception):
    """A value does not have its shape; the text says which, and what would be right."""


def shown(value):
    """The value as JSON, shortened for a sentence."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def need(fits, value, where, right):
    if not fits:
        raise Misfit(f"{where} is {shown(value)}; it must be {right}")


def flag(value, where):
    need(isinstance(value, bool), value, where, "true or false")


def text(value, where):
    need(isinstance(value, str), value, where, "a string")


MOST = 10 ** 18
"""No number of a run is larger: in microseconds it is 30,000 years. What is worked out of so large
ones is still a number."""


def number(value, where):
    real = isinstance(value, (int, float)) and not isinstance(value, bool)
    need(real and math.isfinite(value) and 0 <= value <= MOST, value, where,
         "a number from 0 to 10^18")


def real(value, where):
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    need(fits and math.isfinite(value) and abs(value) <= MOST, value, where,
         "a number from -10^18 to 10^18")


def count(value, where):
    whole = isinstance(value, int) and not isinstance(value, bool)
    need(whole and 0 <= value <= MOST, value, where, "a whole number from 0 to 10^18")


def name(value, where):
    """Names become anchors and file names."""
    fits = isinstance(value, str) and re.fullmatch(r"[a-z0-9_]+", value)
    need(fits, value, where, "a name of lower-case letters, digits and _")


def colour(value, where):
    fits = isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value)
    need(fits, value, where, 'a colour as "#rrggbb"')


def faults(value, where):
    fits = isinstance(value, str) and re.fullmatch(
        r"none|[a-z_]+=[1-9]\d?(,[a-z_]+=[1-9]\d?)*", value)
    need(fits, value, where, "a set of faults, as pause=1,crash=2 or none")


def anything(value, where):
    del value, where


def one_of(*words):
    def shape(value, where):
        need(value in words, value, where, "one of " + ", ".join(map(shown, words)))
    return shape


def maybe(inner):
    """The value, or null."""
    def shape(value, where):
        if value is not None:
            inner(value, where)
    return shape


def list_of(inner):
    def shape(value, where):
        need(isinstance(value, list), value, where, "a list")
        for index, item in enumerate(value):
            inner(item, f"{where}[{index}]")
    return shape


def map_of(inner):
    """An object with any keys, all of whose values are `inner`."""
    def shape(value, where):
        need(isinstance(value, dict), value, where, "an object")
        for key, item in value.items():
            inner(item, f"{where}.{key}")
    return shape


def record(required, optional=None):
    """An object with these keys; more may be there, so that files may grow."""
    def shape(value, where):
        need(isinstance(value, dict), value, where or "the file", "an object")
        for key, inner in required.items():
            path = f"{where}.{key}" if where else key
            if key not in value:
                raise Misfit(f"{path} is missing")
            inner(value[key], path)
        for key, inner in (optional or {}).items():
            if key in value:
                inner(value[key], f"{where}.{key}" if where else key)
    return shape
