#include "tests/tidy/arrows.h"

#include <algorithm>
#include <array>
#include <optional>

namespace locklab::tidy {

namespace {

struct Layer {
    std::string_view name;
    std::string_view layers;     ///< that it may use beside itself; "any" allows everything
    std::string_view libraries;  ///< that it may use beside the standard library
};

constexpr std::array<Layer, 22> kLayers{{
    {"core", "", ""},
    {"algorithms", "core", ""},
    {"check", "core", ""},
    {"store", "core", "Lua"},
    {"inclusion", "core, store, cluster", ""},
    {"cluster", "core, store", ""},
    {"sim", "core, store, cluster", ""},
    {"live", "core, store", "hiredis, libuv, POSIX"},
    {"explore", "core, store, cluster, sim, check", ""},
    {"proxy", "core, live", "libuv, POSIX"},
    {"stage", "core, store, cluster, live, proxy, check", "yaml-cpp"},
    {"record", "core, check", "nlohmann-json, POSIX"},
    {"driver", "core, live, record", "nlohmann-json, POSIX"},
    {"virtual", "core, live", "POSIX"},
    {"foreign",
     "core, algorithms, store, inclusion, live, proxy, stage, check, record, driver, virtual",
     "libuv, nlohmann-json, POSIX"},
    {"view", "core, check", ""},
    {"play", "core, algorithms, sim, live, foreign, explore, stage, check, record, view",
     "nlohmann-json"},
    {"campaign", "core, store, inclusion, live, foreign, explore, check, record", ""},
    {"bench", "core, store, cluster, sim, live, proxy, explore, check, driver, foreign, algorithms",
     "benchmark, hiredis, libuv, nlohmann-json, POSIX"},
    {"suite",
     "core, algorithms, inclusion, live, foreign, explore, stage, check, record, view, play, "
     "campaign, bench",
     "nlohmann-json"},
    {"cli", "any", "any"},
    {"tests", "any", "any"},
}};

/// How a library is called where it is included, and where it is linked.
struct Library {
    std::string_view name;
    std::string_view include;
    std::string_view target;
};
constexpr std::array<Library, 14> kLibraries{{
    {"Lua", "lua", "PkgConfig::lua"},
    {"Lua", "lauxlib.h", ""},
    {"hiredis", "hiredis/", "PkgConfig::hiredis"},
    {"libuv", "uv", "PkgConfig::libuv"},
    {"yaml-cpp", "yaml-cpp/", "yaml-cpp"},
    {"nlohmann-json", "nlohmann/", "nlohmann_json::nlohmann_json"},
    {"boost", "boost/", "Boost::program_options"},
    {"benchmark", "benchmark/", "benchmark::benchmark"},
    {"gtest", "gtest/", "GTest::gtest"},
    {"gmock", "gmock/", "GTest::gmock"},
    {"POSIX", "sys/", ""},
    {"POSIX", "netinet/", ""},
    {"POSIX", "arpa/", ""},
    {"POSIX", "net", ""},
}};
constexpr std::array<std::string_view, 14> kPosix{
    "malloc.h", "unistd.h", "signal.h", "spawn.h", "fcntl.h", "poll.h",    "pthread.h",
    "sched.h",  "pwd.h",    "dirent.h", "dlfcn.h", "glob.h",  "termios.h", "semaphore.h"};

const Layer* layer_named(std::string_view name) {
    const auto found = std::ranges::find(kLayers, name, &Layer::name);
    return found == kLayers.end() ? nullptr : &*found;
}

/// Null for the standard library; "an unlisted library" for what the table does not know.
std::optional<std::string_view> library_of(std::string_view header) {
    const bool standard = header.find_first_of("./") == std::string_view::npos;
    if (standard) return std::nullopt;
    if (std::ranges::find(kPosix, header) != kPosix.end()) return "POSIX";
    for (const Library& library : kLibraries) {
        if (header.starts_with(library.include)) return library.name;
    }
    return "an unlisted library";
}

/// One layer's uses, found one by one.
class Uses {
public:
    Uses(const Source& source, const Layer& layer) : source_(source), layer_(layer) {}

    void layer(std::string_view name, std::size_t line) {
        if (layer_.layers == "any" || name == layer_.name || has_word(layer_.layers, name)) return;
        found(line, "uses " + std::string(name),
              layer_.layers.empty() ? "no other layer" : std::string(layer_.layers));
    }
    void library(std::string_view name, std::size_t line) {
        if (layer_.libraries == "any" || has_word(layer_.libraries, name)) return;
        found(line, "uses " + std::string(name),
              "the standard library " + std::string(layer_.libraries));
    }
    void folder(std::string_view include, std::size_t line) {
        found(line, "includes \"" + std::string(include) + "\"",
              "files named from the top: harness/LAYER/x.h or algorithms/x.h");
    }

    Findings take() { return std::move(findings_); }

private:
    void found(std::size_t line, const std::string& wrong, const std::string& right) {
        findings_.push_back(
            {source_.path, line, std::string(layer_.name) + " " + wrong, "it may use " + right});
    }

    const Source& source_;
    const Layer& layer_;
    Findings findings_;
};

void check_include(Uses& uses, std::string_view line, std::size_t number) {
    const std::size_t open = line.find_first_of("<\"");
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (open == std::string_view::npos || close == std::string_view::npos) return;
    const std::string_view header = line.substr(open + 1, close - open - 1);
    if (line[open] == '<') {
        if (const auto library = library_of(header)) uses.library(*library, number);
        return;
    }
    const std::string_view room = room_of(header);
    if (layer_named(room) == nullptr) return uses.folder(header, number);
    uses.layer(room, number);
}

void check_link(Uses& uses, std::string_view word, std::size_t number) {
    constexpr std::string_view kOurs = "locklab_";
    if (word.starts_with(kOurs) && layer_named(word.substr(kOurs.size())) != nullptr) {
        uses.layer(word.substr(kOurs.size()), number);
    }
    for (const Library& library : kLibraries) {
        if (word == library.target) uses.library(library.name, number);
    }
}

}  // namespace

std::vector<std::string> arrows_table() {
    std::vector<std::string> rows;
    for (const Layer& layer : kLayers) {
        std::string row("|");
        for (const std::string_view cell : {layer.name, layer.layers, layer.libraries}) {
            row.append(cell.empty() ? "" : " ").append(cell).append(" |");
        }
        rows.push_back(row);
    }
    return rows;
}

Findings check_arrows(const Source& source) {
    const std::string_view room = room_of(source.path);
    const bool in_layer =
        source.path.starts_with("harness/") || room == "algorithms" || room == "tests";
    if (!in_layer || room.empty() || !(is_cpp(source.path) || is_cmake(source.path))) return {};
    const Layer* layer = layer_named(room);
    if (layer == nullptr) {
        return {{source.path, 1, "harness/" + std::string(room) + " is a layer without arrows",
                 "give it a row in tests/tidy/arrows.cpp and in CONTRIBUTING.md"}};
    }
    Uses uses(source, *layer);
    const std::string code = code_of(source);
    const std::vector<std::string_view> lines = lines_of(source.text);
    std::size_t number = 0;
    for (const std::string_view line : lines_of(code)) {
        const std::string_view original = lines[number++];
        if (is_cmake(source.path)) {
            for (const std::string_view word : words_of(line)) check_link(uses, word, number);
        } else if (line.starts_with("#include")) {
            check_include(uses, original, number);
        }
    }
    return uses.take();
}

}  // namespace locklab::tidy
