"""Pictures of races: the SVG that `locklab scenario --svg` prints, let into a page of ours.

It is read as XML and written anew, so that a browser sees exactly what was looked at here. Only
what such a picture is made of may be in it: no script, no handler, nothing from elsewhere.
"""

import re
import xml.etree.ElementTree as xml

import shape as s

SPACE = "http://www.w3.org/2000/svg"
ELEMENTS = {"svg", "title", "desc", "style", "defs", "pattern", "g", "rect", "line", "circle",
            "polygon", "text"}
TEXTS = {"title", "desc", "style", "text"}
"""Elements that hold words, and no others."""
ATTRIBUTES = {
    "class", "id", "role", "aria-labelledby", "width", "height", "viewBox", "x", "y", "x1", "y1",
    "x2", "y2", "cx", "cy", "r", "rx", "points", "patternUnits", "patternTransform", "data-step"}
STYLE = r"(?:[^<&\\@]|@media\b)*"
"""No end of the element, no escapes, no @import."""


def bare(tag):
    """A name without the namespace of SVG; one of another namespace keeps it, and fits nothing."""
    return tag.removeprefix(f"{{{SPACE}}}")


def parsed(text):
    """The tree of an <svg>; ValueError for what is not XML, or brings declarations of its own."""
    if "<!" in text or "<?" in text:
        raise ValueError("a declaration, comment or instruction")
    try:
        return xml.fromstring(text)
    except xml.ParseError as error:
        raise ValueError(f"no XML: {error}") from None


def foreign(root):
    """What in the tree no picture of ours has, in words; None if there is nothing."""
    if root.tag != f"{{{SPACE}}}svg":
        return "no <svg> around it"
    for element in root.iter():
        tag, words = bare(element.tag), element.text or ""
        if tag not in ELEMENTS or not element.tag.startswith("{"):
            return f"<{tag}>"
        if tag in TEXTS and len(element):
            return f"an element inside <{tag}>"
        if tag not in TEXTS and words.strip() or (element.tail or "").strip():
            return f"words inside <{tag}>"
        if tag == "style" and not re.fullmatch(STYLE, words):
            return "a style with <, &, \\ or an @-rule other than @media"
        for name, value in element.attrib.items():
            if name not in ATTRIBUTES:
                return f"the attribute {name}"
            if "url(" in value.lower():
                return f"a reference in {name}"
        if re.search(r"url\((?!#)|image\(|image-set\(|src\(|expression\(", words, re.I)\
                and tag == "style":
            return "a style that loads something"
    return None


def svg(value, where):
    """The shape of a picture's text."""
    s.text(value, where)
    try:
        strange = foreign(parsed(value))
    except ValueError as error:
        strange = str(error)
    if strange:
        raise s.Misfit(f"{where} has {strange}; it must be a picture as `locklab scenario --svg`"
                       " prints it")


def part(text, tag):
    return parsed(text).find(f"{{{SPACE}}}{tag}")


def style_of(text):
    """The style sheet, which all pictures of one program share; the page has it once."""
    style = part(text, "style")
    return "" if style is None else style.text or ""


def defs_of(text):
    """The <defs> with the pattern of a pause, which they share too."""
    defs = part(text, "defs")
    return "" if defs is None else written(defs)


def written(element):
    """The element as markup for a page of HTML."""
    xml.register_namespace("", SPACE)
    return xml.tostring(element, encoding="unicode").strip()


def inline(text, prefix):
    """The picture without its style sheet and <defs>; its other ids begin with `prefix`."""
    root = parsed(text)
    for element in list(root):
        if bare(element.tag) in ("style", "defs"):
            root.remove(element)
    for element in root.iter():
        for name in ("id", "aria-labelledby"):
            if name in element.attrib:
                words = element.attrib[name].split()
                element.attrib[name] = " ".join(prefix + word for word in words)
    return written(root)
