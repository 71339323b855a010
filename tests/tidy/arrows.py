"""Which layer may use which: the table that CONTRIBUTING.md shows. A dependency that is not in it
is an error, in an #include as well as in what CMake links."""

import re

from source import Finding, lines_of, room_of, words_of

# The layers that a layer may use beside itself, and the libraries beside the standard one.
LAYERS = {
    "core": ("", ""),
    "algorithms": ("core", ""),
    "check": ("core", ""),
    "store": ("core", "Lua"),
    "inclusion": ("core, store, cluster", ""),
    "cluster": ("core, store", ""),
    "sim": ("core, store, cluster", ""),
    "live": ("core, store", "hiredis, libuv, POSIX"),
    "explore": ("core, store, cluster, sim, check", ""),
    "ranks": ("core, explore", "MPI, POSIX"),
    "proxy": ("core, live", "libuv, POSIX"),
    "stage": ("core, store, cluster, live, proxy, check", "yaml-cpp"),
    "record": ("core, check", "nlohmann-json, POSIX"),
    "driver": ("core, live, record", "nlohmann-json, POSIX"),
    "virtual": ("core, live", "POSIX"),
    "foreign": ("core, algorithms, store, inclusion, live, proxy, stage, check, record, driver, "
                "virtual", "libuv, nlohmann-json, POSIX"),
    "view": ("core, check", ""),
    "play": ("core, algorithms, sim, live, foreign, explore, stage, check, record, view",
             "nlohmann-json"),
    "campaign": ("core, store, inclusion, live, foreign, explore, check, record", ""),
    "bench": ("core, store, cluster, sim, live, proxy, explore, check, driver, foreign, algorithms",
              "benchmark, hiredis, libuv, nlohmann-json, POSIX"),
    "failover": ("core, algorithms, store, cluster, live, proxy, explore, check, record",
                 "nlohmann-json"),
    "suite": ("core, algorithms, inclusion, live, foreign, explore, stage, check, record, view, "
              "play, campaign, bench, failover", "nlohmann-json"),
    "cli": ("any", "any"),
    "tests": ("any", "any"),
}

# Libraries: their names, how their headers begin, and what links them.
LIBRARIES = (
    ("Lua", "lua", "PkgConfig::lua"),
    ("Lua", "lauxlib.h", None),
    ("hiredis", "hiredis/", "PkgConfig::hiredis"),
    ("libuv", "uv", "PkgConfig::libuv"),
    ("yaml-cpp", "yaml-cpp/", "yaml-cpp"),
    ("nlohmann-json", "nlohmann/", "nlohmann_json::nlohmann_json"),
    ("boost", "boost/", "Boost::program_options"),
    ("benchmark", "benchmark/", "benchmark::benchmark"),
    ("gtest", "gtest/", "GTest::gtest"),
    ("gmock", "gmock/", "GTest::gmock"),
    ("MPI", "mpi.h", "MPI::MPI_CXX"),
)
POSIX = re.compile(r"sys/|linux/|arpa/|net|(malloc|unistd|signal|spawn|fcntl|poll|pthread|sched"
                   r"|pwd|dirent|dlfcn|glob|termios|semaphore)\.h$")


def library_of(header):
    """Nothing of the standard library; "an unlisted library" of what the table does not know."""
    if not re.search(r"[./]", header):
        return None
    known = (name for name, begin, _ in LIBRARIES if header.startswith(begin))
    return "POSIX" if POSIX.match(header) else next(known, "an unlisted library")


def uses_of(source, line):
    """What a line uses: whether that is a layer, a library or no folder of ours, and its name."""
    if source.is_cmake:
        for word in words_of(line):
            layer = word.removeprefix("locklab_")
            if layer != word and layer in LAYERS:
                yield "layer", layer
            yield from (("library", name) for name, _, target in LIBRARIES if word == target)
    elif include := re.match(r'#include\s*([<"])([^>"]+)', line):
        kind, header = include.groups()
        if kind == "<" and library_of(header):
            yield "library", library_of(header)
        elif kind == '"':
            room = room_of(header)
            yield ("layer", room) if room in LAYERS else ("nothing", f'"{header}"')


def check_arrows(source):
    in_layer = source.path.startswith("harness/") or source.room in ("algorithms", "tests")
    if not in_layer or not source.room or not (source.is_cpp or source.is_cmake):
        return
    if source.room not in LAYERS:
        yield Finding(source.path, 1, f"harness/{source.room} is a layer without arrows",
                      "give it a row in tests/tidy/arrows.py and in CONTRIBUTING.md")
        return
    layers, libraries = LAYERS[source.room]
    allowed = {"layer": (layers, layers or "no other layer"),
               "library": (libraries, f"the standard library {libraries}".strip()),
               "nothing": ("", "files named from the top: harness/LAYER/x.h or algorithms/x.h")}
    for number, (code, line) in enumerate(zip(lines_of(source.code), source.lines), 1):
        if source.is_cpp and not code.startswith("#include"):
            continue
        for kind, name in uses_of(source, code if source.is_cmake else line):
            listed, right = allowed[kind]
            if listed != "any" and name not in (source.room, *listed.split(", ")):
                yield Finding(source.path, number, f"{source.room} uses {name}",
                              f"it may use {right}")


def table():
    """The rows as CONTRIBUTING.md has them."""
    for name, cells in LAYERS.items():
        yield f"| {name} |" + "".join(f" {cell} |" if cell else " |" for cell in cells)
