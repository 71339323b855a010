"""What the house style forbids within a line, one row for each ban. A row carries an example that
it must catch, so that no ban can be vacuous. To forbid something, add a row."""

import re
from typing import Callable, NamedTuple

from source import Finding, Source, lines_of

# Between the first choice and the verdict; and what starts runs, searches them, writes results.
RUN = {"core", "algorithms", "sim", "check"}
AROUND_RUNS = {"explore", "stage", "record", "play", "campaign", "suite"}


def cpp_in(rooms):
    return lambda source: source.is_cpp and source.room in rooms


def cpp(source):
    return source.is_cpp


def cmake(source):
    return source.is_cmake


def anywhere(source):
    """But in this file, which quotes all that it forbids."""
    return source.path != "tests/tidy/bans.py"


def without_files(source):
    is_document = source.path.endswith(".md")
    return anywhere(source) and not is_document and source.room not in ("live", "tests")


class Ban(NamedTuple):
    name: str
    pattern: str
    applies: Callable
    right: str
    example: tuple  # its path and its line
    view: str = "code"  # or "without_literals", or "text"
    excuse: str = ""  # a comment that allows the line


CLOCKS = (r"\b(system|steady|high_resolution|utc|file)_clock\b|\b(gettimeofday|clock_gettime)\b"
          r"|\brandom_device\b")

BANS = (
    Ban("clock_in_run", CLOCKS, cpp_in(RUN), "ask Client for the time and Choices for chance",
        ("harness/sim/x.cpp", "auto t = std::chrono::steady_clock::now();")),
    Ban("clock_around_runs", CLOCKS, cpp_in(AROUND_RUNS | {"cli"}),
        "let no result depend on it, and say so: // outside any run",
        ("harness/explore/x.cpp", "std::random_device device;"), excuse="outside any run"),
    Ban("thread_in_run", r"\bstd::(jthread|thread|async)\b|\bpthread_create\b", cpp_in(RUN),
        "a run has one thread; run whole runs side by side, in campaign",
        ("harness/check/x.cpp", "std::thread worker(judge);")),
    Ban("distribution", r"\bstd::\w+_distribution\b|\bstd::(shuffle|sample)\b", cpp,
        "it differs between libraries; use Choices::pick",
        ("tests/x_test.cpp", "std::uniform_int_distribution<int> die(1, 6);")),
    Ban("generator", r"\bs?rand\s*\(|\b(mt19937|minstd_rand|default_random_engine|ranlux|knuth_b)",
        cpp, "use RandomChoices, which is the same everywhere",
        ("harness/live/x.cpp", "std::mt19937_64 random(seed);")),
    Ban("unordered", r"#\s*include\s*<unordered_", cpp_in(RUN | AROUND_RUNS),
        "use std::map; or never iterate, and say so: // lookup only",
        ("harness/explore/x.h", "#include <unordered_map>"), excuse="lookup only"),
    Ban("ordered_by_address", r"\bstd::(multi)?(map|set)<\s*(const\s+)?[\w:]+\s*(const\s*)?\*",
        cpp_in(RUN | AROUND_RUNS), "addresses differ from run to run; order by a name or a number",
        ("harness/sim/x.h", "std::map<const Client*, int> order_;"), excuse="lookup only"),
    Ban("capturing_coroutine", r"\[[^\]]+\]\s*(\([^()]*\))?\s*(mutable\s*)?->\s*(\w+::)*Task<", cpp,
        "the closure dies before its coroutine; pass what it needs as arguments",
        ("algorithms/x.cpp", "auto renew = [this]() -> Task<void> { co_return; };")),
    Ban("structured_await", r"auto\s*&*\s*\[[^\]]*\]\s*=\s*co_await", cpp,
        "g++ 12 miscompiles it; name the whole result",
        ("algorithms/x.cpp", "const auto [reply, error] = co_await both;")),
    Ban("conditional_await", r"co_await\s*\([^;]*\?", cpp,
        "g++ 12 miscompiles it; name what is awaited",
        ("algorithms/x.cpp", "co_await (first ? one() : other());")),
    Ban("promise_of_work", r"\b(TODO|FIXME|XXX|HACK)\b", anywhere, "do it, or leave it out",
        ("harness/core/x.h", "int x = 0;  // TODO: think"), view="without_literals"),
    Ban("switched_off_code", r"^\s*#\s*if\s+0\b", cpp, "delete it; git keeps it",
        ("harness/core/x.cpp", "#if 0")),
    Ban("unbuilt", r"#.*\b(add_(test|executable|library|subdirectory)|target_sources"
                   r"|gtest_discover_tests|locklab_\w+)\s*\(", cmake,
        "build and run it, or delete it", ("tests/CMakeLists.txt", "# add_subdirectory(slow)"),
        view="text"),
    Ban("unrun_test", r"//\s*(TYPED_)?TEST(_[FP])?\s*\(", cpp, "run it, or delete it",
        ("tests/x_test.cpp", "// TEST(Sim, is_calm) {"), view="without_literals"),
    Ban("skipped_test", r"\bGTEST_SKIP\b|\bDISABLED_\w|\bDISABLED\s+(TRUE|ON|1)\b", anywhere,
        "a test that does not run is no test",
        ("tests/x_test.cpp", "TEST(Sim, DISABLED_is_calm) {")),
    Ban("temporary_file", r"/tmp/", without_files, "take the path from the caller",
        ("harness/record/x.cpp", 'open("/tmp/x.json");'), view="text"),
    Ban("somebodys_machine", r"""(^|[\s"'=(:`])/(work|home|root|Users|mnt)/""", anywhere,
        "name files from the top of the project, or let the caller name them",
        ("plots/x.py", "path = '/home/me/locklab'"), view="text"),
)


def check_ban(ban, source):
    view = getattr(source, ban.view) if ban.applies(source) else ""
    pattern = re.compile(ban.pattern, re.MULTILINE)
    if not pattern.search(view):
        return
    for number, (line, original) in enumerate(zip(lines_of(view), source.lines), 1):
        if pattern.search(line) and not (ban.excuse and "// " + ban.excuse in original):
            yield Finding(source.path, number, ban.name, ban.right)


def check_bans(source: Source):
    for ban in BANS:
        yield from check_ban(ban, source)
