#include "harness/play/known_libraries.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/nearest.h"
#include "harness/record/home_folder.h"

namespace locklab {

namespace {

/// In lower case, with one sign between words: "Redis_Py" becomes redis-py.
std::string plain(std::string_view word) {
    std::string text(word);
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        if (c == '_' || c == ' ') return '-';
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

/// The lock that a library is like: of its entry, or else of its driver's manifest.
/// "node-redlock:x" is a variant of "node-redlock". Empty: neither says it.
std::string like_of(const nlohmann::json& library) {
    if (library.contains("like")) return library.at("like");
    const std::string driver = library.value("driver", "");
    const std::size_t colon = driver.find(':');
    std::ifstream file(home_folder() + "/drivers/" + driver.substr(0, colon) + "/manifest.json");
    const auto manifest = nlohmann::json::parse(file, nullptr, false);
    if (!manifest.is_object()) return {};
    const std::string like = manifest.value("like", "");
    if (colon == std::string::npos) return like;
    return manifest.at("variants").at(driver.substr(colon + 1)).value("like", like);
}

}  // namespace

std::string library_hint(std::string_view word) {
    std::ifstream file(home_folder() + "/plots/libraries.json");
    const auto known = nlohmann::json::parse(file, nullptr, false);
    if (known.is_discarded()) return {};
    for (const auto& library : known.at("libraries")) {
        for (const auto& name : library.at("words")) {
            if (plain(name.get<std::string>()) != plain(word)) continue;
            return "there is no lock " + in_quotes(word) + "; " +
                   library.at("name").get<std::string>() + " is like " + like_of(library);
        }
    }
    return {};
}

}  // namespace locklab
