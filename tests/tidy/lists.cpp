#include "tests/tidy/lists.h"

#include <algorithm>
#include <set>

namespace locklab::tidy {

namespace {

/// Whether the CMakeLists.txt of `folder` names `what`, outside of comments.
bool cmake_names(const std::vector<Source>& sources, std::string_view folder,
                 std::string_view what) {
    const std::string path =
        folder.empty() ? "CMakeLists.txt" : std::string(folder) + "/CMakeLists.txt";
    const Source* list = find(sources, path);
    if (list == nullptr) return false;
    const std::string code = code_of(*list);
    const std::string below = "/" + std::string(what);  // ${PROJECT_SOURCE_DIR}/what
    return std::ranges::any_of(words_of(code), [&](std::string_view word) {
        return word == what || word.ends_with(below);
    });
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

}  // namespace

Findings check_built(const std::vector<Source>& sources) {
    Findings findings;
    for (const Source& source : sources) {
        const std::string_view folder = folder_of(source.path);
        const bool is_list = is_cmake(source.path) && !folder.empty();
        const std::string_view where = is_list ? folder_of(folder) : folder;
        const std::string_view what = is_list ? name_of(folder) : name_of(source.path);
        if (!is_list && !is_program(source.path)) continue;
        if (cmake_names(sources, where, what)) continue;
        append(findings, not_listed(source, std::string(where) + "/CMakeLists.txt"));
    }
    return findings;
}

Findings check_algorithms_listed(const std::vector<Source>& sources) {
    Findings findings;
    for (const Source& source : sources) {
        const std::string_view stem = stem_of(source.path);
        if (folder_of(source.path) != "algorithms" || !source.path.ends_with(".cpp")) continue;
        if (stem == "registry") continue;
        for (const std::string_view list : {"algorithms/algorithms.h", "algorithms/registry.cpp"}) {
            const Source* where = find(sources, list);
            const std::string make = "make_" + std::string(stem);
            if (where != nullptr && has_word(code_of(*where), make)) continue;
            append(findings, not_listed(source, std::string(list) + " as " + make));
        }
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

}  // namespace locklab::tidy
