"""What exists must be listed, or nothing builds it, runs it, draws it or explains it. Each rule
sees all sources, by their paths."""

import re

from source import Finding, words_of

# Folders of tests/.
OF_NO_LAYER = {"corpus", "data", "fuzz", "mutants", "regressions", "spin", "tidy", "wear"}
FAULT_TABLE = "harness/core/hazard.h"
MOST_OF_A_FAULT = 12


def code_at(sources, path):
    return sources[path].code if path in sources else ""


def not_listed(source, where):
    return Finding(source.path, 1, f"is not named in {where}", "add it there, or delete it")


def check_built(sources):
    """Every .cpp and every _test.py is named in the nearest CMakeLists.txt, unless that takes all
    of its folder, and every folder that has one in the next one above."""
    for source in sources.values():
        if not source.path.endswith((".cpp", "_test.py", "/CMakeLists.txt")):
            continue
        # A list stands for its folder, and is named by the list above.
        built = source.folder if source.is_cmake else source.path
        folder = built.rpartition("/")[0]
        while folder and f"{folder}/CMakeLists.txt" not in sources:
            folder = folder.rpartition("/")[0]
        where = f"{folder}/CMakeLists.txt".lstrip("/")
        what = built.removeprefix(folder).lstrip("/")
        code = code_at(sources, where)
        takes_all = "file(GLOB files CONFIGURE_DEPENDS " in code and source.folder == folder
        named = any(word == what or word.endswith("/" + what) for word in words_of(code))
        if not named and not (takes_all and source.path.endswith(".cpp")):
            yield not_listed(source, f"{where} as {what}")


def subject_of(sources, test):
    """The code that a test is named after, of several the one of its own folder."""
    subjects = [source for source in sources.values() if source.path.startswith("harness/")
                and source.is_cpp and source.stem + "_test" == test.stem]
    own = [subject for subject in subjects if subject.room == test.path.split("/")[1]]
    return (own or subjects or [None])[-1]


def check_mirrored(sources):
    """Every test lies in a folder named like the layer that it tests, and NAME_test.cpp in that
    which has NAME.h or NAME.cpp."""
    layers = {source.room for source in sources.values() if not source.path.startswith("tests/")}
    for test in sources.values():
        folder = test.path.removeprefix("tests/").rpartition("/")[0].partition("/")[0]
        is_code = test.is_cpp or test.path.endswith(".py")
        if not test.path.startswith("tests/") or not is_code or folder in OF_NO_LAYER:
            continue
        subject = subject_of(sources, test)
        if subject and subject.room != folder:
            yield Finding(test.path, 1, f"is named after {subject.path}",
                          f"move it to tests/{subject.room}")
        elif folder not in layers - {""}:
            yield Finding(test.path, 1, "is in a folder that is no layer's",
                          "move it to tests/LAYER, where LAYER has the code that it tests")


def check_algorithms_listed(sources):
    rows = words_of(code_at(sources, "algorithms/registry.cpp"))
    for source in sources.values():
        is_algorithm = source.folder == "algorithms" and source.path.endswith(".cpp")
        if is_algorithm and source.stem != "registry" and f"make_{source.stem}" not in rows:
            yield not_listed(source, f"algorithms/registry.cpp as make_{source.stem}")


def check_figures_listed(sources):
    names = words_of(code_at(sources, "plots/figures/__init__.py"))
    for source in sources.values():
        is_figure = source.folder == "plots/figures" and source.path.endswith(".py")
        if is_figure and source.stem not in names and source.stem != "__init__":
            yield not_listed(source, "plots/figures/__init__.py")


def check_readmes(sources):
    """Every folder at the top and in harness/ has a README.md."""
    top = re.compile(r"(harness/[^/]+|(?!harness/)[^./][^/]*)/")
    folders = map(top.match, sources)
    for folder in sorted({match[1] for match in folders if match}):
        if f"{folder}/README.md" not in sources:
            yield Finding(f"{folder}/README.md", 1, "does not exist",
                          "say in ten lines what belongs in this folder, and what does not")


def check_fault_names(sources):
    """A fault's name stands in few files of harness/: its row says what else there is to say."""
    faults = re.search(r"enum class Hazard[^{]*\{([^}]*)\}", code_at(sources, FAULT_TABLE))
    if not faults:
        yield Finding(FAULT_TABLE, 1, "is missing", "it has the table of faults")
        return
    for name in re.findall(r"\w+", faults[1]):
        files = sum(re.search(rf"Hazard::{name}\b", source.text) is not None
                    for source in sources.values() if source.path.startswith("harness/"))
        if files > MOST_OF_A_FAULT:
            yield Finding(FAULT_TABLE, 1, f"Hazard::{name} stands in {files} files",
                          f"let its row say what they ask of it; {MOST_OF_A_FAULT} are the limit")
