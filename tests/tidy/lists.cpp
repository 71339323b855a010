#include "tests/tidy/lists.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace locklab::tidy {

namespace {

/// The nearest CMakeLists.txt at or above `folder`.
const Source* nearest_list(const std::vector<Source>& sources, std::string_view folder) {
    for (; !folder.empty(); folder = folder_of(folder)) {
        const Source* list = find(sources, std::string(folder) + "/CMakeLists.txt");
        if (list != nullptr) return list;
    }
    return find(sources, "CMakeLists.txt");
}

/// Whether `list` names `what`, outside of comments.
bool names(const Source& list, std::string_view what) {
    const std::string code = code_of(list);
    const std::string below = "/" + std::string(what);  // ${PROJECT_SOURCE_DIR}/what
    return std::ranges::any_of(words_of(code), [&](std::string_view word) {
        return word == what || word.ends_with(below);
    });
}

/// Whether `list` takes every .cpp of its folder, and sees it when one is added.
bool takes_all(const Source& list, std::string_view path) {
    const std::string code = code_of(list);
    const bool takes = code.find("file(GLOB files CONFIGURE_DEPENDS ") != std::string::npos;
    return takes && path.ends_with(".cpp") && folder_of(path) == folder_of(list.path);
}

bool is_program(std::string_view path) {
    return path.ends_with(".cpp") || path.ends_with("_test.py");
}

Findings not_listed(const Source& source, const std::string& where) {
    return {{source.path, 1, "is not named in " + where, "add it there, or delete it"}};
}

void append(Findings& all, Findings more) { all.insert(all.end(), more.begin(), more.end()); }

/// The folder of which a README.md must tell: algorithms, harness/core, ...; or nothing.
std::string_view explained_folder(std::string_view path) {
    const bool in_harness = path.starts_with("harness/");
    const std::size_t slash = path.find('/', in_harness ? 8 : 0);
    const std::string_view folder = slash == std::string_view::npos ? "" : path.substr(0, slash);
    return folder.starts_with('.') ? "" : folder;
}

constexpr std::array<std::string_view, 7> kOfNoLayer{"corpus",      "data", "fuzz", "mutants",
                                                     "regressions", "spin", "tidy"};

/// "core" for tests/core/x_test.cpp; nothing for what lies in tests/ itself.
std::string_view test_folder(std::string_view path) {
    path.remove_prefix(std::string_view("tests/").size());
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool is_test_code(std::string_view path) {
    return path.starts_with("tests/") && (is_cpp(path) || path.ends_with(".py"));
}

/// The code that `test` is named after, of several the one of its own folder; null: there is none.
const Source* subject_of(const std::vector<Source>& sources, const Source& test) {
    const Source* subject = nullptr;
    for (const Source& source : sources) {
        if (!is_cpp(source.path) || !source.path.starts_with("harness/")) continue;
        if (std::string(stem_of(source.path)) + "_test" != stem_of(test.path)) continue;
        if (room_of(source.path) == test_folder(test.path)) return &source;
        subject = &source;
    }
    return subject;
}

constexpr const char* kFaultTable = "harness/core/hazard.h";
constexpr std::ptrdiff_t kMostOfAFault = 12;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Not as the beginning of a longer one.
bool has_whole(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at < text.size(); at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if (end == text.size() || !is_of_name(text[end])) return true;
    }
    return false;
}

/// What stands between the braces behind `head`.
std::vector<std::string_view> enumerators_of(std::string_view text, std::string_view head) {
    const std::size_t begin = std::min(text.find(head), text.size());
    const std::size_t end = std::min(text.find('}', begin), text.size());
    std::vector<std::string_view> names;
    for (std::size_t at = std::min(text.find('{', begin), end); at < end;) {
        while (at < end && !is_of_name(text[at])) ++at;
        const std::size_t from = at;
        while (at < end && is_of_name(text[at])) ++at;
        if (at > from) names.push_back(text.substr(from, at - from));
    }
    return names;
}

}  // namespace

Findings check_mirrored(const std::vector<Source>& sources) {
    std::set<std::string_view> layers;
    for (const Source& source : sources) {
        if (!source.path.starts_with("tests/")) layers.insert(room_of(source.path));
    }
    Findings findings;
    for (const Source& test : sources) {
        const bool has_layer =
            is_test_code(test.path) && std::ranges::count(kOfNoLayer, test_folder(test.path)) == 0;
        if (!has_layer) continue;
        const std::string_view folder = test_folder(test.path);
        const Source* subject = subject_of(sources, test);
        if (subject != nullptr && room_of(subject->path) != folder) {
            findings.push_back({test.path, 1, "is named after " + subject->path,
                                "move it to tests/" + std::string(room_of(subject->path))});
        } else if (folder.empty() || !layers.contains(folder)) {
            findings.push_back({test.path, 1, "is in a folder that is no layer's",
                                "move it to tests/LAYER, where LAYER has the code that it tests"});
        }
    }
    return findings;
}

Findings check_built(const std::vector<Source>& sources) {
    Findings findings;
    for (const Source& source : sources) {
        if (source.path == "CMakeLists.txt") continue;
        if (!is_cmake(source.path) && !is_program(source.path)) continue;
        // A list stands for its folder, and is named by the list above.
        const std::string_view built = is_cmake(source.path) ? folder_of(source.path) : source.path;
        const Source* list = nearest_list(sources, folder_of(built));
        const std::string where = list == nullptr ? "CMakeLists.txt" : list->path;
        std::string_view what = built;
        if (!folder_of(where).empty()) what.remove_prefix(folder_of(where).size() + 1);
        if (list != nullptr && (names(*list, what) || takes_all(*list, source.path))) continue;
        append(findings, not_listed(source, where + " as " + std::string(what)));
    }
    return findings;
}

Findings check_algorithms_listed(const std::vector<Source>& sources) {
    Findings findings;
    for (const Source& source : sources) {
        const std::string_view stem = stem_of(source.path);
        if (folder_of(source.path) != "algorithms" || !source.path.ends_with(".cpp")) continue;
        if (stem == "registry") continue;
        const Source* rows = find(sources, "algorithms/registry.cpp");
        const std::string make = "make_" + std::string(stem);
        if (rows != nullptr && has_word(code_of(*rows), make)) continue;
        append(findings, not_listed(source, "algorithms/registry.cpp as " + make));
    }
    return findings;
}

Findings check_figures_listed(const std::vector<Source>& sources) {
    Findings findings;
    const Source* list = find(sources, "plots/figures/__init__.py");
    for (const Source& source : sources) {
        if (folder_of(source.path) != "plots/figures" || &source == list) continue;
        if (!source.path.ends_with(".py")) continue;
        if (list != nullptr && has_word(list->text, stem_of(source.path))) continue;
        append(findings, not_listed(source, "plots/figures/__init__.py"));
    }
    return findings;
}

Findings check_readmes(const std::vector<Source>& sources) {
    Findings findings;
    std::set<std::string_view> seen;
    for (const Source& source : sources) {
        const std::string_view folder = explained_folder(source.path);
        if (folder.empty() || !seen.insert(folder).second) continue;
        const std::string readme = std::string(folder) + "/README.md";
        if (find(sources, readme) != nullptr) continue;
        findings.push_back({readme, 1, "does not exist",
                            "say in ten lines what belongs in this folder, and what does not"});
    }
    return findings;
}

Findings check_fault_names(const std::vector<Source>& sources) {
    const Source* const table = find(sources, kFaultTable);
    if (table == nullptr) return {{kFaultTable, 1, "is missing", "it has the table of faults"}};
    Findings findings;
    for (const std::string_view name : enumerators_of(table->text, "enum class Hazard")) {
        const std::string whole = "Hazard::" + std::string(name);
        const auto files = std::ranges::count_if(sources, [&](const Source& source) {
            return source.path.starts_with("harness/") && has_whole(source.text, whole);
        });
        if (files <= kMostOfAFault) continue;
        findings.push_back({kFaultTable, 1,
                            whole + " stands in " + std::to_string(files) + " files",
                            "let its row say what they ask of it; " +
                                std::to_string(kMostOfAFault) + " are the limit"});
    }
    return findings;
}

}  // namespace locklab::tidy
