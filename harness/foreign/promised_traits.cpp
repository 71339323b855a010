#include "harness/foreign/promised_traits.h"

#include <string_view>
#include <utility>
#include <vector>

namespace locklab {

namespace {

using Named = std::vector<std::pair<std::string_view, std::string>>;

std::string word_of(bool flag) { return flag ? "true" : "false"; }

Named named(const DriverTraits& traits) {
    return {{"version", traits.version},          {"nodes", traits.many_nodes ? "many" : "one"},
            {"waits", word_of(traits.waits)},     {"renews", word_of(traits.renews)},
            {"extends", word_of(traits.extends)}, {"tells", word_of(traits.tells)},
            {"fences", word_of(traits.fences)}};
}

void add(std::string& text, std::string_view name, const std::string& value) {
    if (!text.empty()) text += ", ";
    text += std::string(name) + " " + (value.empty() ? "''" : value);
}

}  // namespace

DriverTraits promised_traits(const Library& library) {
    DriverTraits traits;
    traits.library = library.library;
    traits.version = library.version;
    traits.many_nodes = library.many_nodes;
    traits.waits = library.waits;
    traits.renews = library.renews;
    traits.extends = library.extends;
    traits.tells = library.tells;
    traits.fences = library.fences;
    return traits;
}

std::string broken_promise(const DriverTraits& said, const DriverTraits& promised) {
    const Named its = named(said);
    const Named manifest = named(promised);
    std::string says;
    std::string promises;
    for (std::size_t i = 0; i < its.size(); ++i) {
        if (its[i] == manifest[i]) continue;
        add(says, its[i].first, its[i].second);
        add(promises, manifest[i].first, manifest[i].second);
    }
    if (says.empty()) return {};
    return "its 'hello' says " + says + ", and its manifest says " + promises;
}

}  // namespace locklab
