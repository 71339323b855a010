#include "harness/foreign/library_manifest.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "algorithms/registry.h"
#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/record/files.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestTtlMs = 86'400'000;
constexpr std::array<std::string_view, 2> kNodes{"one", "many"};

std::vector<std::string> words_of(JsonLine& line, std::string_view key) {
    const json& value = line.at(key);
    const bool right = value.is_array() && !value.empty() &&
                       std::all_of(value.begin(), value.end(), [](const json& word) {
                           return word.is_string() && !word.get_ref<const std::string&>().empty();
                       });
    if (!right) line.fail(in_quotes(key) + " is no list of words; right would be [\"node\", ...]");
    return value.get<std::vector<std::string>>();
}

/// A list of objects with two texts each; it may be missing where it may be empty.
template <class Read>
void read_list(JsonLine& line, const std::string& file, std::string_view key, const Read& read) {
    const json& value = line.at(key);
    if (!value.is_array()) line.fail(in_quotes(key) + " is no list");
    for (const json& item : value) {
        JsonLine each(file, line.number(), item.dump());
        read(each);
        each.done("an entry of " + in_quotes(key));
    }
}

std::string sentence(JsonLine& line, std::string_view key) {
    std::string text = line.text(key);
    if (text.empty()) line.fail(in_quotes(key) + " is empty");
    return text;
}

void read_lock(JsonLine& line, Library& library) {
    library.like = line.text("like");
    if (algorithm_named(library.like) == nullptr) {
        std::vector<std::string_view> names;
        for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
        line.fail(unknown_word("algorithm", library.like, names) + ", as 'like'");
    }
    const auto ttl = [&](std::string_view key) {
        return std::chrono::milliseconds(line.whole(key, kLongestTtlMs));
    };
    library.least_ttl = ttl("least_ttl_ms");
    library.default_ttl = ttl("default_ttl_ms");
    if (library.least_ttl == Duration::zero()) line.fail("'least_ttl_ms' is 0; the least is 1");
    library.waits = line.flag("waits");
    library.renews = line.flag("renews");
    library.extends = line.flag("extends");
    library.tells = line.flag("tells");
    library.fences = line.flag("fences");
    library.many_nodes = line.word("nodes", kNodes) == 1;
    const json& options = line.at("options");
    if (!options.is_object()) line.fail("'options' is no object");
    library.options = options.dump();
}

void read_tools(JsonLine& line, const std::string& file, Library& library) {
    read_list(line, file, "needs", [&](JsonLine& each) {
        library.needs.push_back({sentence(each, "program"), sentence(each, "package")});
    });
    read_list(line, file, "install", [&](JsonLine& each) {
        library.install.push_back({sentence(each, "step"), words_of(each, "words")});
    });
    read_list(line, file, "troubles", [&](JsonLine& each) {
        library.troubles.push_back({sentence(each, "says"), sentence(each, "means")});
    });
    library.run = words_of(line, "run");
}

}  // namespace

Library read_manifest(const std::filesystem::path& path) {
    return read_manifest(read_text(path, kLongestLine, "a manifest"), path.string());
}

Library read_manifest(std::string_view text, const std::string& file) {
    if (!json::accept(text)) throw FormatError(file + ": it is not JSON");
    std::string one_line(text);
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    JsonLine line(file, 1, one_line);
    Library library;
    library.library = sentence(line, "library");
    library.language = sentence(line, "language");
    library.version = sentence(line, "version");
    library.documentation = sentence(line, "documentation");
    library.defaults = sentence(line, "defaults");
    read_lock(line, library);
    if (line.has("no_clock")) library.no_clock = sentence(line, "no_clock");
    if (line.has("no_virtual_time")) library.no_virtual_time = sentence(line, "no_virtual_time");
    read_tools(line, file, library);
    line.done("a manifest");
    return library;
}

}  // namespace locklab
