#include "harness/foreign/library_manifest.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "algorithms/registry.h"
#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/core/printable.h"
#include "harness/record/files.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestTtlMs = 86'400'000;
/// Three: it can take many, and is given so many.
constexpr std::array<std::string_view, 3> kNodes{"one", "many", "three"};
constexpr std::array<std::string_view, 2> kTtl{"lease", "none"};
constexpr std::array<std::string_view, 2> kTimeouts{"as-is", "scaled"};
constexpr std::array<std::string_view, 2> kGrants{"a lock", "a job"};
/// Keys that a variant cannot change: a folder has one installation, of one release.
constexpr std::array<std::string_view, 7> kOfFolder{"language", "version",  "shared",  "needs",
                                                    "install",  "troubles", "variants"};

void check_no_nul(JsonLine& line, std::string_view key, std::string_view word) {
    if (word.find('\0') == std::string_view::npos) return;
    line.fail(in_quotes(key) + " has a NUL byte in " + in_quotes(word) +
              ", and no name of a file and no argument of a program has one; right would be to "
              "leave it out");
}

std::vector<std::string> words_of(JsonLine& line, std::string_view key) {
    const json& value = line.at(key);
    const bool right = value.is_array() && !value.empty() &&
                       std::all_of(value.begin(), value.end(), [](const json& word) {
                           return word.is_string() && !word.get_ref<const std::string&>().empty();
                       });
    if (!right) line.fail(in_quotes(key) + " is no list of words; right would be [\"node\", ...]");
    return value.get<std::vector<std::string>>();
}

/// Names of files and arguments of programs end where a NUL byte is.
std::vector<std::string> program_words_of(JsonLine& line, std::string_view key) {
    std::vector<std::string> words = words_of(line, key);
    for (const std::string& word : words) check_no_nul(line, key, word);
    return words;
}

/// One pattern of a key, or several.
std::vector<std::string> patterns_of(JsonLine& line, std::string_view key) {
    const json& value = line.at(key);
    const std::vector<std::string> patterns =
        value.is_string() ? std::vector{value.get<std::string>()} : words_of(line, key);
    for (const std::string& pattern : patterns) {
        if (pattern.find(kAskedKey) != std::string::npos) continue;
        line.fail(in_quotes(key) + " is '" + pattern + "', without {key}; right would be \"" +
                  "mutex:{key}\", where {key} stands for the name that `open` has");
    }
    return patterns;
}

/// Reads a list of objects with two texts each; it may be missing if it may be empty.
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

void read_renewal(JsonLine& line, Library& library) {
    const json& renews = line.at("renews");
    library.always_renews = renews == "always";
    if (!library.always_renews && !renews.is_boolean()) {
        line.fail("'renews' is not true, false or \"always\"");
    }
    library.renews = library.always_renews || renews == true;
    if (library.renews && !library.expires) {
        line.fail("'renews' is not false, and 'ttl' is \"none\": what has no TTL is not renewed");
    }
}

void read_extension(JsonLine& line, Library& library) {
    const json& extends = line.at("extends");
    library.extended_by_hand = extends == "by hand";
    if (!library.extended_by_hand && !extends.is_boolean()) {
        line.fail("'extends' is not true, false or \"by hand\"");
    }
    library.extends = library.extended_by_hand || extends == true;
    if (!library.extended_by_hand) return;
    if (library.renews) {
        line.fail(
            "'extends' is \"by hand\", and 'renews' is not false: what renews by itself needs "
            "no caller who extends");
    }
    if (!library.expires) {
        line.fail(
            "'extends' is \"by hand\", and 'ttl' is \"none\": what has no TTL is not extended");
    }
}

/// A holder that works on when the lease that it got last is over has been told too late, where
/// nothing else is said.
constexpr int kUsualTellsWithin = 100;
constexpr int kLongestTellsWithin = 100'000;

void read_telling(JsonLine& line, Library& library) {
    library.tells = line.flag("tells");
    if (library.tells && library.renews) library.tells_within_percent = kUsualTellsWithin;
    if (!line.has("tells_within")) return;
    if (!library.tells) line.fail("'tells_within' is there, and 'tells' is false");
    library.tells_within_percent =
        static_cast<int>(line.whole("tells_within", kLongestTellsWithin));
    if (library.tells_within_percent == 0) {
        line.fail("'tells_within' is 0; right would be a part of the TTL, in percent");
    }
}

/// What a driver is told must fit into a pipe, which may hold 65,536 bytes: it need not read yet.
constexpr std::size_t kMostOptions = 32'000;

void read_lock(JsonLine& line, Library& library) {
    library.like = line.text("like");
    if (algorithm_named(library.like) == nullptr) {
        std::vector<std::string_view> names;
        for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
        line.fail(unknown_word("algorithm", library.like, names) + ", as 'like'");
    }
    const auto ttl = [&](std::string_view key) {
        return std::chrono::milliseconds(line.whole(key, kLongestTtlMs));
    };
    library.least_ttl = ttl("least_ttl_ms");
    library.default_ttl = ttl("default_ttl_ms");
    if (library.least_ttl == Duration::zero()) line.fail("'least_ttl_ms' is 0; the least is 1");
    library.waits = line.flag("waits");
    library.expires = !line.has("ttl") || line.word("ttl", kTtl) == 0;
    library.scales_timeouts = line.has("timeouts") && line.word("timeouts", kTimeouts) == 1;
    library.grants_job = line.has("grants") && line.word("grants", kGrants) == 1;
    read_renewal(line, library);
    read_extension(line, library);
    read_telling(line, library);
    library.fences = line.flag("fences");
    library.cancels = line.has("cancels") && line.flag("cancels");
    const std::size_t nodes = line.word("nodes", kNodes);
    library.many_nodes = nodes > 0;
    library.usual_servers = nodes == 2 ? 3 : 1;
    if (line.has("key")) library.keys = patterns_of(line, "key");
    const json& options = line.at("options");
    if (!options.is_object()) line.fail("'options' is no object");
    library.options = options.dump();
    if (library.options.size() > kMostOptions) {
        line.fail("'options' has " + std::to_string(library.options.size()) +
                  " bytes; right would be at most " + std::to_string(kMostOptions) +
                  ", as a driver is told them in one line");
    }
}

void read_tools(JsonLine& line, const std::string& file, Library& library) {
    read_list(line, file, "needs", [&](JsonLine& each) {
        library.needs.push_back({sentence(each, "program"), sentence(each, "package")});
        check_no_nul(each, "program", library.needs.back().name);
    });
    read_list(line, file, "install", [&](JsonLine& each) {
        library.install.push_back({sentence(each, "step"), program_words_of(each, "words")});
    });
    read_list(line, file, "troubles", [&](JsonLine& each) {
        library.troubles.push_back({sentence(each, "says"), sentence(each, "means")});
    });
    if (line.has("shared")) library.shared = program_words_of(line, "shared");
    for (const std::string& each : library.shared) {
        if (each.find('/') != std::string::npos) {
            line.fail("'shared' names " + in_quotes(each) +
                      "; right would be a file of drivers/shared/, without a folder");
        }
    }
    library.run = program_words_of(line, "run");
    if (line.has("run_in_virtual_time")) {
        library.virtual_run = program_words_of(line, "run_in_virtual_time");
    }
    if (line.has("servers")) library.servers = program_words_of(line, "servers");
}

Library read_row(const std::string& text, const std::string& file) {
    JsonLine line(file, 1, text);
    Library library;
    library.library = sentence(line, "library");
    library.language = sentence(line, "language");
    library.version = sentence(line, "version");
    library.documentation = sentence(line, "documentation");
    library.defaults = sentence(line, "defaults");
    read_lock(line, library);
    if (line.has("cannot_run")) library.cannot_run = sentence(line, "cannot_run");
    if (line.has("stubs")) library.stubs = words_of(line, "stubs");
    if (line.has("no_clock")) library.no_clock = sentence(line, "no_clock");
    if (line.has("no_virtual_time")) library.no_virtual_time = sentence(line, "no_virtual_time");
    read_tools(line, file, library);
    line.done("a manifest");
    return library;
}

bool is_name(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// The manifest with the variant's keys in place of the library's.
json with_variant(const json& base, const std::string& name, const json& changes,
                  const std::string& file) {
    const auto fail = [&](const std::string& what) {
        throw JsonLine::error(file, 1, "the variant " + in_quotes(name) + what);
    };
    if (!is_name(name)) fail(": its name has more than small letters, digits and '-'");
    if (!changes.is_object() || changes.empty()) {
        fail(" says nothing; right would be the keys that differ, as {\"run\": [...]}");
    }
    for (const std::string_view key : kOfFolder) {
        if (changes.contains(key)) fail(" has " + in_quotes(key) + ", which a folder has once");
    }
    json all = base;
    all.merge_patch(changes);
    return all;
}

}  // namespace

std::vector<Library> read_manifest(const std::filesystem::path& path) {
    // To read a pipe would be to wait for somebody who writes.
    if (!std::filesystem::is_regular_file(path)) {
        throw FormatError(path.string() + ": it is no file");
    }
    return read_manifest(read_text(path, kLongestLine, "a manifest"), path.string());
}

std::vector<Library> read_manifest(std::string_view text, const std::string& file) {
    if (!is_utf8(text)) throw FormatError(file + ": it is not UTF-8");
    if (!json::accept(text)) throw FormatError(file + ": it is not JSON");
    // Refuses what a parser accepts: endless nesting, and keys that are given twice.
    JsonLine(file, 1, text);
    json base = json::parse(text);
    json variants = json::object();
    if (base.is_object() && base.contains("variants")) {
        variants = base.at("variants");
        base.erase("variants");
    }
    if (!variants.is_object()) throw JsonLine::error(file, 1, "'variants' is no object");
    std::vector<Library> rows{read_row(base.dump(), file)};
    for (const auto& [name, changes] : variants.items()) {
        const json all = with_variant(base, name, changes, file);
        rows.push_back(read_row(all.dump(), file));
        rows.back().name = name;
    }
    return rows;
}

}  // namespace locklab
