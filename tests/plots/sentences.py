"""Which functions of plots/ make a computed sentence: a text of words and of values that they work
out, or a list of such values. Each has a test of its name in sentences_test.py; what is listed here
has none, and says why.
"""

import ast
import dataclasses
import re
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
APART = {
    "catalogue": "the page in Chinese: translate_test", "translate": "the same",
    "chinese": "the README's words; report_answer_test and readme_test",
    "command_line": "errors of usage", "compare": "its notes: compare_test",
    "compare_text": "the terminal's comparison: compare_test", "files": "errors of files",
    "library_shape": "a shape", "load": "errors of input: report_input_test",
    "picture": "what is refused of a picture: report_races_test", "race_shape": "a shape",
    "readme_table": "README: readme_test", "report": "errors of files",
    "run_files": "errors of input: report_input_test", "shape": "errors of input",
    "style": "CSS", "words": "forms of single values"}
"""Modules that make no sentence of the page."""
DRAWN = {"plane", "fairness"}
"""Figures whose words are in a legend alone: report_figures_test."""
CHOSEN = (("advice", "needs"), ("claims", "verdict"), ("layers", "ranking"), ("matrix", "matrix"))
"""These give the page a count, a choice or an order without a sentence around it."""


def has_words(text):
    """Whether a word stands in it apart."""
    return re.search(r"[A-Za-z]{2,} |\b a |[ ][A-Za-z]{2,}", text) is not None


def parts(node):
    """The texts that a text is put together of, and a zero character for each value."""
    if isinstance(node, ast.JoinedStr):
        return [v.value if isinstance(v, ast.Constant) else "\0" for v in node.values]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return parts(node.left) + parts(node.right)
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [node.value if is_text else "\0"]


def is_computed(node):
    """Whether the text of a node has words, and values in between."""
    if isinstance(node, (ast.JoinedStr, ast.BinOp)):
        of_node = parts(node)
        return "\0" in of_node and has_words("".join(of_node))
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr == "format")


def is_listing(node):
    """Whether it puts several values into one text."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    of = node.func.value
    if node.func.attr in ("listing", "names", "plural"):
        return isinstance(of, ast.Name) and of.id == "words"
    return (node.func.attr == "join" and isinstance(of, ast.Constant)
            and re.search(r"[,;] ", str(of.value)) is not None)


def functions(body, names):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, (*names, node.name))
        elif isinstance(node, ast.FunctionDef):
            yield (*names, node.name), node


def of_module(path, source=None):
    """[(name of class, if any, name of function)] of those that make a computed sentence, or a
    list that stands in one."""
    tree = ast.parse(source if source is not None else path.read_text(encoding="utf-8"))
    return [names for names, node in functions(tree.body, ())
            if any(is_computed(part) or is_listing(part) for part in ast.walk(node))]


def all_of_them():
    """{name of its test: (module, *names)}: test_advice_use -> ("advice", "use")."""
    table = {}
    for module, name in CHOSEN:
        table[f"test_{module}_{name}"] = (module, name)
    for path in sorted(PLOTS.rglob("*.py")):
        module = ".".join(path.relative_to(PLOTS).with_suffix("").parts)
        if module.split(".")[-1] not in APART:
            for names in of_module(path):
                if names == ("draw",) and path.stem in DRAWN:
                    continue
                test = "_".join(("test", module.replace(".", "_"), *names)).lower()
                table[test] = (module, *names)
    return table


def spoilt(value):
    """The same with other numbers and names: every digit one more, every name of code another. A
    text without any is turned round."""
    if isinstance(value, str):
        other = re.sub(r"[0-9]", lambda d: str((int(d[0]) + 1) % 10), value)
        other = re.sub(r"`([^`]+)`", r"`not_\1`", other)
        return other if other != value else value[::-1]
    if isinstance(value, (list, tuple)):
        return type(value)(map(spoilt, value))
    if isinstance(value, dict):
        return {key: spoilt(one) for key, one in value.items()}
    if dataclasses.is_dataclass(value):
        return type(value)(**spoilt(vars(value)))
    return value
