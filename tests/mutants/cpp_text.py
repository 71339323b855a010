"""Where the functions of a C++ file have their bodies: found by its braces, without a compiler."""

import dataclasses
import re

# What holds no braces of the code: comments, strings (raw ones too), characters, directives.
NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"
    |(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE)
SCOPE = re.compile(r"\b(namespace|class|struct|union)\b")
CLOSES = {"(": ")", "{": "}", "[": "]"}


@dataclasses.dataclass
class Function:
    head: str  # all that stands before the body, with each (...) as ()
    begin: int  # the place of its {
    end: int  # after its }

    @property
    def is_constant(self):
        return re.search(r"\b(constexpr|consteval)\b", self.head) is not None


def bare(text):
    """`text` at the same places with blanks for what is no code; a string keeps its quotes."""
    def blank(match):
        found = match.group()
        if '"' in found and found[0] in 'R"':
            return '"' + re.sub(r"[^\n]", " ", found[1:-1]) + '"'
        return re.sub(r"[^\n]", " ", found)
    return NO_CODE.sub(blank, text)


def after_pair(code, place):
    """After the bracket that closes the one at `place`."""
    open_ones = []
    for at in range(place, len(code)):
        if code[at] in CLOSES:
            open_ones.append(CLOSES[code[at]])
        elif code[at] in ")}]":
            if not open_ones or open_ones.pop() != code[at]:
                raise ValueError(f"a '{code[at]}' that closes nothing")
            if not open_ones:
                return at + 1
    raise ValueError(f"a '{code[place]}' that nothing closes")


def without_template(head):
    """`head` without <...> after `template`, whose defaults have a = that initialises nothing."""
    while match := re.search(r"\btemplate\s*<", head):
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[:match.start()] + head[at:]
    return head


def opens(head):
    """What the { after `head` opens: a "scope", a "body" or a "value"."""
    head = re.sub(r"\boperator\s*(?:\(\)|[^\s(]+)", "operator", without_template(head)).strip()
    if "=" in head or re.search(r"\benum\b", head):
        return "value"
    if SCOPE.search(head) and not head.endswith(")") or re.fullmatch(r'extern\s*"\s*"', head):
        return "scope"
    if "()" not in head:
        return "value"
    initialised = re.search(r"\)[^:]*[^:]:(?!:)", head)
    # After `: a_(1), b_` comes b_'s value, after `: a_(1), b_{}` the body.
    return "value" if initialised and head[-1] not in ")}" else "body"


def functions(text):
    """The functions of `text`, in order, with none that is inside another."""
    code, found, head, at, scopes = bare(text), [], "", 0, 0
    while at < len(code):
        sign = code[at]
        if sign in "([":
            at = after_pair(code, at)
            head += "()" if sign == "(" else "[]"
            continue
        if sign == "{":
            what = opens(head)
            if what == "scope":
                head, scopes = "", scopes + 1
            else:
                end = after_pair(code, at)
                if what == "body":
                    found.append(Function(head.strip(), at, end))
                head = "" if what == "body" else head + "{}"
                at = end
                continue
        elif sign in ";}" or sign == ":" and head.strip() in ("public", "private", "protected"):
            head, scopes = "", scopes - (sign == "}")
            if scopes < 0:
                raise ValueError("a '}' that closes nothing")
        else:
            head += sign
        at += 1
    if scopes:
        raise ValueError("a '{' that nothing closes")
    return found
