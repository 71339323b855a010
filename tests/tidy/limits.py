"""How long files and lines may be, and how a file opens. .clang-tidy says how long functions may
be."""

from source import Finding

# The first row whose beginning and end fit a path says how many lines it may have.
LIMITS = (
    ("harness/record/README.md", "", 120),  # is the reference of the history format
    ("README.md", "", 450),  # has a row for each library
    ("scenarios/README.md", "", 400),  # is the reference of the scenario language
    ("tests/mutants/README.md", "", 25),  # is the reference of their format
    ("", "/README.md", 10),
    ("algorithms/registry.cpp", "", 500),  # grows by a row with each algorithm
    ("algorithms/", ".cpp", 80),
    ("algorithms/", ".h", 80),
    ("harness/check/", ".cpp", 180),
    ("harness/virtual/shim_turn.cpp", "", 440),  # one state machine, whose parts share a lock
    ("harness/", ".cpp", 300),
    ("harness/", ".h", 300),
    ("tests/", "", 400),
    ("plots/", ".py", 300),
)
COLUMNS = 100


def check_file_length(source):
    lines = len(source.lines)
    most = next((most for begin, end, most in LIMITS
                 if source.path.startswith(begin) and source.path.endswith(end)), lines)
    if lines > most:
        yield Finding(source.path, most + 1, f"has {lines} lines",
                      f"split what has two ideas; {most} is the limit here")


def quotes_json(source, line):
    """A line of a history or another file format, quoted whole in a test."""
    return source.path.startswith("tests/") and (line.startswith('{"') or 'R"(' in line)


def check_line_length(source):
    """Not of Markdown, nor of what several locks make of a race: that stands under all their names,
    a key that YAML cannot break."""
    if source.path.endswith(".md") or source.path.startswith("scenarios/"):
        return
    for number, line in enumerate(source.lines, 1):
        if len(line) > COLUMNS and not quotes_json(source, line):
            yield Finding(source.path, number, f"has {len(line)} columns", f"break it at {COLUMNS}")


def check_header_opening(source):
    if not source.path.endswith(".h"):
        return
    if not source.text.startswith("// "):
        yield Finding(source.path, 1, "opens without a comment",
                      "begin with a sentence that says why this file exists")
    if "\n#pragma once\n" not in source.code:
        yield Finding(source.path, 1, "may be included twice", "add #pragma once")


def check_algorithm_opening(source):
    is_algorithm = source.path.startswith("algorithms/") and source.path.endswith(".cpp")
    if not is_algorithm or source.stem == "registry":
        return
    fields = ["// Article:", "// Idea:", "// Claims:", "// Breaks:"]
    number = 0
    for number, line in enumerate(source.lines, 1):
        if fields and line.startswith(fields[0]):
            fields.pop(0)
        if not line.startswith("//") or len(fields) == 4:
            break
    if fields:
        yield Finding(source.path, number, f"lacks {fields[0]}",
                      "open with // Article:, // Idea:, // Claims:, // Breaks:, in this order")
