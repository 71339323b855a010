#include "tests/tidy/bans.h"

#include <algorithm>
#include <array>

namespace locklab::tidy {

namespace {

template <std::size_t N>
bool in_rooms(std::string_view path, const std::array<std::string_view, N>& rooms) {
    return is_cpp(path) && std::ranges::find(rooms, room_of(path)) != rooms.end();
}

constexpr std::array<std::string_view, 4> kRun{"core", "algorithms", "sim", "check"};
constexpr std::array<std::string_view, 6> kAroundRuns{"explore", "stage",    "record",
                                                      "play",    "campaign", "suite"};

/// What runs between the first choice and the verdict.
bool in_run(std::string_view path) { return in_rooms(path, kRun); }
/// What starts runs, searches them and writes their results.
bool around_runs(std::string_view path) {
    return in_rooms(path, kAroundRuns) || (is_cpp(path) && room_of(path) == "cli");
}
/// Whatever its results are made of must come in the same order everywhere.
bool ordered(std::string_view path) { return in_run(path) || in_rooms(path, kAroundRuns); }
bool without_files(std::string_view path) {
    return !path.ends_with(".md") && room_of(path) != "live" && room_of(path) != "tests";
}
bool anywhere(std::string_view) { return true; }

const std::string kClocks =
    R"(\b(system|steady|high_resolution|utc|file)_clock\b|\b(gettimeofday|clock_gettime)\b)"
    R"(|\brandom_device\b)";

// Where a ban looks into literals, its own row is written so that it does not match itself.
const std::array kBans{
    Ban{"clock_in_run", std::regex(kClocks), View::code, in_run, "",
        "ask Client for the time and Choices for chance", "harness/sim/x.cpp",
        "auto t = std::chrono::steady_clock::now();"},
    Ban{"clock_around_runs", std::regex(kClocks), View::code, around_runs, "outside any run",
        "let no result depend on it, and say so: // outside any run", "harness/explore/x.cpp",
        "std::random_device device;"},
    Ban{"thread_in_run", std::regex(R"(\bstd::(jthread|thread|async)\b|\bpthread_create\b)"),
        View::code, in_run, "", "a run has one thread; run whole runs side by side, in campaign",
        "harness/check/x.cpp", "std::thread worker(judge);"},
    Ban{"distribution", std::regex(R"(\bstd::\w+_distribution\b|\bstd::(shuffle|sample)\b)"),
        View::code, is_cpp, "", "it differs between libraries; use Choices::pick",
        "tests/x_test.cpp", "std::uniform_int_distribution<int> die(1, 6);"},
    Ban{"generator",
        std::regex(R"(\bs?rand\s*\(|\b(mt19937|minstd_rand|default_random_engine|ranlux|knuth_b))"),
        View::code, is_cpp, "", "use RandomChoices, which is the same everywhere",
        "harness/live/x.cpp", "std::mt19937_64 random(seed);"},
    Ban{"unordered", std::regex(R"(#\s*include\s*<unordered_)"), View::code, ordered, "lookup only",
        "use std::map; or never iterate, and say so: // lookup only", "harness/explore/x.h",
        "#include <unordered_map>"},
    Ban{"ordered_by_address",
        std::regex(R"(\bstd::(multi)?(map|set)<\s*(const\s+)?[\w:]+\s*(const\s*)?\*)"), View::code,
        ordered, "lookup only", "addresses differ from run to run; order by a name or a number",
        "harness/sim/x.h", "std::map<const Client*, int> order_;"},
    Ban{"capturing_coroutine",
        std::regex(R"(\[[^\]]+\]\s*(\([^()]*\))?\s*(mutable\s*)?->\s*(\w+::)*Task<)"), View::code,
        is_cpp, "", "the closure dies before its coroutine; pass what it needs as arguments",
        "algorithms/x.cpp", "auto renew = [this]() -> Task<void> { co_return; };"},
    Ban{"structured_await", std::regex(R"(auto\s*&*\s*\[[^\]]*\]\s*=\s*co_await)"), View::code,
        is_cpp, "", "g++ 12 miscompiles it; name the whole result", "algorithms/x.cpp",
        "const auto [reply, error] = co_await both;"},
    Ban{"conditional_await", std::regex(R"(co_await\s*\([^;]*\?)"), View::code, is_cpp, "",
        "g++ 12 miscompiles it; name what is awaited", "algorithms/x.cpp",
        "co_await (first ? one() : other());"},
    // Each ban ends with an example of what it forbids, which a test must find: the words in these
    // lines are the rules themselves, and nothing is put off, skipped or switched off by them.
    Ban{"promise_of_work", std::regex(R"(\b(TODO|FIXME|XXX|HACK)\b)"), View::code_and_comments,
        anywhere, "", "do it, or leave it out", "harness/core/x.h", "int x = 0;  // TODO: think"},
    Ban{"switched_off_code", std::regex(R"(^\s*#\s*if\s+0\b)"), View::code, is_cpp, "",
        "delete it; git keeps it", "harness/core/x.cpp", "#if 0"},
    Ban{"unbuilt",
        std::regex(R"(#.*\b(add_(test|executable|library|subdirectory)|target_sources)"
                   R"(|gtest_discover_tests|locklab_\w+)\s*\()"),
        View::all, is_cmake, "", "build and run it, or delete it", "tests/CMakeLists.txt",
        "# add_subdirectory(slow)"},
    Ban{"unrun_test", std::regex(R"(//\s*(TYPED_)?TEST(_[FP])?\s*\()"), View::code_and_comments,
        is_cpp, "", "run it, or delete it", "tests/x_test.cpp", "// TEST(Sim, is_calm) {"},
    Ban{"skipped_test", std::regex(R"(\bGTEST_SKIP\b|\bDISABLED_\w|\bDISABLED\s+(TRUE|ON|1)\b)"),
        View::code, anywhere, "", "a test that does not run is no test", "tests/x_test.cpp",
        "TEST(Sim, DISABLED_is_calm) {"},
    Ban{"temporary_file", std::regex("[/]tmp/"), View::all, without_files, "",
        "take the path from the caller", "harness/record/x.cpp", "open(\"\057tmp/x.json\");"},
    Ban{"somebodys_machine", std::regex(R"((^|[\s"'=(:`])/(work|home|root|Users|mnt)/)"), View::all,
        anywhere, "", "name files from the top of the project, or let the caller name them",
        "plots/x.py", "path = '\057home/me/locklab'"},
};

std::string view_of(const Ban& ban, const Source& source) {
    switch (ban.view) {
        case View::code: return code_of(source);
        case View::code_and_comments: return without_literals(source);
        case View::all: break;
    }
    return source.text;
}

}  // namespace

std::span<const Ban> bans() { return kBans; }

Findings check_ban(const Ban& ban, const Source& source) {
    Findings findings;
    if (!ban.applies(source.path)) return findings;
    const std::string view = view_of(ban, source);
    const std::vector<std::string_view> originals = lines_of(source.text);
    const std::string excuse = "// " + std::string(ban.excuse);
    std::size_t number = 0;
    for (const std::string_view line : lines_of(view)) {
        const std::string_view original = originals[number++];
        if (!std::regex_search(line.begin(), line.end(), ban.pattern)) continue;
        const bool excused = !ban.excuse.empty() && original.find(excuse) != std::string_view::npos;
        if (excused) continue;
        findings.push_back({source.path, number, std::string(ban.name), std::string(ban.right)});
    }
    return findings;
}

}  // namespace locklab::tidy
