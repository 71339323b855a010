"""Numbers and lists as a reader wants them. Every function returns plain text; names that are
code stand in `backquotes`, which Markdown shows as they are and HTML through `code_html`."""

import itertools
import re

import intervals
from markupsafe import Markup, escape

NONE = "–"


def count(value):
    """12345 -> 12,345."""
    return NONE if value is None else f"{value:,}"


def number(value):
    """About three digits, no exponent down to 0.0001: 1234.5 -> 1,234; 0.01234 -> 0.0123."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    for least, digits in ((100, 0), (10, 1), (1, 2), (0.1, 2), (0.01, 3), (0.0001, 4)):
        if value >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.1e}"


def duration(us):
    """Microseconds with the unit that fits: 1234 -> 1.23 ms."""
    if us is None:
        return NONE
    for factor, unit in ((1e6, "s"), (1e3, "ms")):
        if us >= factor:
            return f"{number(us / factor)} {unit}"
    return f"{us:.0f} µs"


def round_duration(us):
    """A setting or a tick, not a measurement: 1000 -> 1 ms, without digits that it has not."""
    for factor, unit in ((1e6, "s"), (1e3, "ms")):
        if us >= factor:
            return f"{us / factor:g} {unit}"
    return f"{us:g} µs"


def span(seconds):
    """A run's length: 312.5 -> 5 min 13 s."""
    whole = round(seconds)
    if whole < 60:
        return f"{number(seconds)} s"
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def interval(row):
    """{"value", "low", "high"} -> 12.3 (9.8–15.1)."""
    if row is None:
        return NONE
    if row["low"] is None or row["high"] is None:
        return number(row["value"])
    if row["value"] > 0 and row["low"] == 0:
        return f"{number(row['value'])} (≤ {number(row['high'])})"
    return f"{number(row['value'])} ({number(row['low'])}–{number(row['high'])})"


def of_runs(k, n):
    """12 of 2,500 (0.48 %, 0.28–0.84); 0 of 2,500 (≤ 0.12 %): a share of runs with its interval."""
    found = {key: 100 * value for key, value in intervals.share(k, n).items()}
    said = f"{count(k)} of {count(n)}"
    if not k:
        return f"{said} (≤ {number(found['high'])} %)"
    return f"{said} ({number(found['value'])} %, {number(found['low'])}–{number(found['high'])})"


def rate(cell):
    """Overlaps per 1,000 grants with their 95 % interval; 0 where none was seen, for what that
    leaves open is a share of runs."""
    row = cell.get("overlaps_per_1000_grants")
    if cell["overlaps"] == 0:
        return "0"
    return interval(intervals.rate(row, cell.get("violated_runs"), cell["runs"]))


def failed(cell):
    """Runs in which exclusion was violated in any way, with the interval of their share."""
    return of_runs(cell["violated_runs"], cell["runs"]) if "violated_runs" in cell else NONE


def causes(cell):
    """Causes that occurred, most frequent first: expired while held 40, stale write 2."""
    found = sorted(((n, cause) for cause, n in cell.get("causes", {}).items() if n),
                   key=lambda pair: (-pair[0], pair[1]))
    return ", ".join(f"{cause.replace('_', ' ')} {count(n)}" for n, cause in found) or NONE


def listing(items):
    """a, b and c."""
    items = list(items)
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def names(items):
    """`a`, `b` and `c`."""
    return listing(f"`{item}`" for item in items)


def plural(n, one, many=None):
    """1 cell, 2 cells."""
    return f"{count(n)} {one if n == 1 else many or one + 's'}"


def parameter(key, value):
    """A parameter of the manifest; keys that end in _us are microseconds."""
    if isinstance(value, dict):
        return ", ".join(f"{k} {parameter(k, v)}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(parameter(key, item) for item in value) or NONE
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: NONE}[value]
    if isinstance(value, (int, float)):
        return round_duration(value) if key.endswith("_us") else f"{value:,}"
    return str(value)


def together(text):
    """The text on one line: a number stays with its unit."""
    return text.replace(" ", "\u00a0")


def ms(us):
    """Of a bisection, whose step is a millisecond: 1201000 -> 1,201 ms."""
    return together(f"{us // 1000:,} ms")


def code_html(text):
    """Backquoted names as <code>, everything else escaped."""
    parts = str(text).split("`")  # outside, inside, outside, ...
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    return Markup("").join(
        escape(part) if outside else
        Markup("<code>{}</code>").format(command_html(part) if "/" in part else breakable(part))
        for part, outside in zip(parts, itertools.cycle((True, False))))


def breakable(name):
    """A name that may break after its underscores, as HTML."""
    return Markup(str(escape(name)).replace("_", "_<wbr>"))


def inert_md(text):
    """A whole page of Markdown in which no tag begins, whatever the data's texts are, but for line
    breaks and raised words. Only the fences that our templates open are left as they are: there,
    nothing is a tag."""
    lines, fenced = [], False
    for line in text.split("\n"):
        if fenced:
            fenced = not line.lstrip(" \t>").startswith("```")
        else:
            fenced = line in ("```sh", "```mermaid")
            line = re.sub(r"<(?=[a-zA-Z/!?])(?!(br|/?sup)>)", "&lt;", line)
        lines.append(line)
    return "\n".join(lines)


def command_html(text):
    """A command that may break after a sign, not within a word."""
    return Markup(re.sub(r"([/.=,_-])", r"\1<wbr>", str(escape(text))))


def two_lines(text):
    """The interval in brackets on a line of its own, as HTML."""
    first, bracket, rest = str(escape(text)).partition(" (")
    return Markup(first + (f'<span class="sub">({rest}</span>' if bracket else ""))


def cell_md(text):
    """Text for one cell of a Markdown table."""
    return str(text).replace("|", "\\|").replace("\n", " ")
