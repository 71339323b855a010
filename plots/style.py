"""Colours and type, for the page and the figures alike, in a light and a dark scheme.

Figures are drawn with placeholder colours (INK, MUTED, LINE, HEAT, PAPER, `algorithm_colour`) that
`svg` turns into CSS variables, so that one drawing serves both schemes. Lengths are CSS pixels.
"""

import io
import math
import re

from matplotlib import rcdefaults, rcParams
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

LIGHT = {
    "paper": "#ffffff", "ink": "#1b2026", "muted": "#57616b", "line": "#d8dee4",
    "wash": "#f4f6f8", "link": "#0a558c", "heat": "#0072b2",
    "holds": "#e2edf6", "holds-ink": "#0b4a78", "violated": "#bf4d00", "violated-ink": "#ffffff",
    "stuck": "#55348b", "stuck-ink": "#ffffff", "unknown": "#f4f6f8", "unknown-ink": "#57616b",
    "alarm": "#fdf1e7",
}
DARK = {
    "paper": "#13171b", "ink": "#e3e7eb", "muted": "#9ba6b1", "line": "#323a42",
    "wash": "#1c2127", "link": "#83bdf0", "heat": "#56a8e0",
    "holds": "#1a3144", "holds-ink": "#a5cff3", "violated": "#e9853c", "violated-ink": "#1d0e02",
    "stuck": "#b99de8", "stuck-ink": "#190b2e", "unknown": "#1c2127", "unknown-ink": "#9ba6b1",
    "alarm": "#33231a",
}
"""Verdicts differ in lightness as well as in hue (blue, orange, purple: safe for the common
forms of colour blindness), and always carry their letter."""

INK, MUTED, LINE, HEAT, PAPER = "#010101", "#010102", "#010103", "#010104", "#010105"
PLACEHOLDERS = {INK: "ink", MUTED: "muted", LINE: "line", HEAT: "heat", PAPER: "paper"}

WIDE, NARROW = 1000, 350
"""The two widths in which each figure is drawn: a desktop's column, and a phone's."""


def luminance(colour):
    """Relative luminance of "#rrggbb", 0 to 1, as WCAG 2 defines it."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """WCAG contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour, towards, share):
    """`colour` with `share` (0 to 1) of `towards` in it."""
    pairs = [(int(colour[i:i + 2], 16), int(towards[i:i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def seen_on(colour, paper, least=3.0):
    """`colour`, moved towards black or white until it stands out from the paper."""
    end = "#000000" if luminance(paper) > 0.5 else "#ffffff"
    steps = (mixed(colour, end, share / 20) for share in range(21))
    return next(step for step in steps if contrast(step, paper) >= least)


def algorithm_colour(index):
    """The placeholder of the algorithm in this row of the registry."""
    return f"#0200{index:02x}"


def declarations(algorithms, scheme):
    """CSS custom properties of one scheme; --a0, --a1, ... are the algorithms' own colours."""
    own = {f"a{i}": seen_on(row["colour"].lower(), scheme["paper"])
           for i, row in enumerate(algorithms)}
    return "".join(f"--{key}:{value};" for key, value in {**scheme, **own}.items())


def css_variables(algorithms):
    """Both schemes; print is always light."""
    return (f":root{{--sans:{SANS};{declarations(algorithms, LIGHT)}}}"
            "@media screen and (prefers-color-scheme:dark){"
            f":root{{{declarations(algorithms, DARK)}}}}}")


def prepare():
    """Sets matplotlib up from its own defaults, whatever the user's matplotlibrc says."""
    rcdefaults()
    rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "locklab", "font.family": ["DejaVu Sans"],
        "font.size": 12.5, "text.color": INK, "axes.labelcolor": MUTED, "axes.edgecolor": LINE,
        "xtick.color": LINE, "ytick.color": LINE, "xtick.labelcolor": MUTED,
        "ytick.labelcolor": INK, "axes.spines.top": False, "axes.spines.right": False,
        "axes.spines.left": False, "axes.grid": True, "axes.grid.axis": "x",
        "grid.color": LINE, "grid.linewidth": 0.8, "axes.axisbelow": True,
        "ytick.left": False, "xtick.major.size": 4, "xtick.minor.size": 0,
        "figure.facecolor": "none", "axes.facecolor": "none", "axes.titlesize": 13,
        "axes.titleweight": "semibold", "axes.titlelocation": "left", "legend.frameon": False,
    })


def panels(width, count, labels, *, row=24, head=34, foot=48, top=0, right=12):
    """A figure of `count` panels with one row per label: side by side, or stacked if narrow.

    Rows are `row` px high; each panel has `head` px above and `foot` px below, the figure `top`
    more. Returns the figure and its axes; row i of a panel is at y = i, counted downwards.
    """
    across = min(count, 4) if width >= 600 else 1
    left = 8 + max(len(label) for label in labels) * 7.0
    gap, body = 26, len(labels) * row
    height = top + math.ceil(count / across) * (head + body + foot)
    inner = (width - left - right - gap * (across - 1)) / across
    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    axes = []
    for index in range(count):
        down, along = divmod(index, across)
        x, y = left + along * (inner + gap), top + down * (head + body + foot) + head
        axis = figure.add_axes((x / width, 1 - (y + body) / height, inner / width, body / height))
        axis.set_ylim(len(labels) - 0.5, -0.5)
        axis.set_yticks(range(len(labels)), labels if along == 0 else [])
        axes.append(axis)
    return figure, axes


def strips(width, count, names, parts, *, head=24, top=24, right=12):
    """Panels like `panels` in which each name has one line per part, from above: the figure, its
    axes and the y of each part, counted from the name's own."""
    figure, axes = panels(width, count, names, row=12 * parts + 8, head=head, top=top, right=right)
    for axis in axes:
        for between in range(1, len(names)):
            axis.axhline(between - 0.5, color=LINE, linewidth=0.8)
    step = 12 / (12 * parts + 8)
    return figure, axes, [(part - (parts - 1) / 2) * step for part in range(parts)]


def grid(width, names, *, body=128, head=26, foot=44, left=44, top=0, most=4):
    """A figure with one panel per name, `most` side by side, or two if narrow.

    Each panel is `body` px high, with `head` px for its name above, `foot` px below and `left` px
    for numbers; the figure has `top` px more. Returns the figure and {name: axis}.
    """
    across = most if width >= 600 else 2
    height = top + math.ceil(len(names) / across) * (head + body + foot)
    inner = width / across - left - 12
    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    axes = {}
    for index, name in enumerate(names):
        down, along = divmod(index, across)
        x, y = along * width / across + left, top + down * (head + body + foot) + head
        axis = figure.add_axes((x / width, 1 - (y + body) / height, inner / width, body / height))
        axis.grid(True, axis="both")
        axis.tick_params(labelsize=11, labelcolor=MUTED, pad=2)
        axis.set_title(name, x=-left / inner * 0.9, pad=8, fontsize=12.5 if width >= 600 else 10)
        axes[name] = axis
    return figure, axes


def legend(figure, rows, columns, up=""):
    """Explains marks above the panels; rows are (word, properties of a line), `up` is what
    their upright axes count."""
    handles = [Line2D([], [], **{"label": word, "color": MUTED, **look}) for word, look in rows]
    figure.legend(handles=handles, loc="upper left", ncols=columns, bbox_to_anchor=(0, 1),
                  borderaxespad=0, borderpad=0, columnspacing=1.4, handletextpad=0.5)
    wide = figure.get_figwidth() * 72 >= 600
    down = 0 if wide else 20 * math.ceil(len(rows) / columns)
    figure.text(0.997 if wide else 0.01, 1 - (down + 2) / (figure.get_figheight() * 72), up,
                ha="right" if wide else "left", va="top", color=MUTED)


def log_axis(axis, low, high, formatter, ticks=6):
    """A logarithmic `axis` (an XAxis or a YAxis) over low..high with few, plain labels."""
    along_x = axis.axis_name == "x"
    (axis.axes.set_xscale if along_x else axis.axes.set_yscale)("log")
    (axis.axes.set_xlim if along_x else axis.axes.set_ylim)(low / 1.4, high * 1.4)
    decades = high / low
    subs = (1, 2, 5) if decades < 30 and ticks > 4 else (1, 3) if decades < 100 else (1,)
    axis.set_major_locator(LogLocator(subs=subs, numticks=ticks if decades >= 1e3 else 12))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: formatter(value)))


def short(value):
    """20000 -> 20k."""
    for factor, unit in ((1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:g}"


def short_number(value):
    """A measurement in few letters: 117090 -> 117k; 1245.4 -> 1.25k; 38.2 -> 38."""
    if value is None:
        return "–"
    for factor, unit in ((1e6, "M"), (1e3, "k")):
        if value >= factor * 0.9995:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.3g}"


def svg(figure, name, title):
    """The figure as one <svg> element that inherits the page's colours and fonts.

    Ids are prefixed by `name`, so that figures do not meet in one page.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(
        ("Creator", "Date", "Format", "Type")))
    text = buffer.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="|url\()#', rf"\1#{name}-", text)
    text = re.sub(r' transform="rotate\(-0 [^)]*\)"|\n +', lambda m: m[0][:1].strip(" "), text)
    text = text.replace("'DejaVu Sans'", "var(--sans)")
    for placeholder, variable in PLACEHOLDERS.items():
        text = text.replace(placeholder, f"var(--{variable})")
    text = re.sub(r"#0200([0-9a-f]{2})\b", lambda m: f"var(--a{int(m[1], 16)})", text)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    opening = (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
               f' {box[0]} width="{box[1]}" height="{box[2]}" role="img" aria-label="{title}">')
    return re.sub(r"<svg[^>]*>", lambda _: opening, text, count=1).strip()


def standalone(drawing, algorithms):
    """The same drawing as a file of its own: it brings both schemes and its paper along."""
    style = f"<style>{css_variables(algorithms)}svg{{background:var(--paper)}}</style>"
    return drawing.replace(">", ">" + style, 1) + "\n"
