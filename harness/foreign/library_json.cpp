#include "harness/foreign/library_json.h"

#include <nlohmann/json.hpp>

#include "harness/foreign/install.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

Json library_json(const Library& library) {
    return {{"name", library.row()},
            {"library", library.library},
            {"language", library.language},
            {"version", library.version},
            {"documentation", library.documentation},
            {"defaults", library.defaults},
            {"like", library.like},
            {"least_ttl_us", library.least_ttl.count()},
            {"default_ttl_us", library.default_ttl.count()},
            {"waits", library.waits},
            {"expires", library.expires},
            {"grants", library.grants_job ? "a job" : "a lock"},
            {"renews", library.renews},
            {"always_renews", library.always_renews},
            {"extends", library.extends},
            {"extended_by_hand", library.extended_by_hand},
            {"tells", library.tells},
            {"fences", library.fences},
            {"many_nodes", library.many_nodes},
            {"usual_servers", library.usual_servers},
            {"options", Json::parse(library.options)},
            {"scales_timeouts", library.scales_timeouts},
            {"stubs", library.stubs},
            {"cannot_run", or_null(library.cannot_run)},
            {"has_own_servers", !library.servers.empty()},
            {"no_clock", or_null(library.no_clock)},
            {"why_not_searched", or_null(library.why_not_virtual())},
            {"no_virtual_time", or_null(library.no_virtual_time)},
            {"installed", library.is_installed()},
            {"missing", what_is_missing(library)}};
}

}  // namespace locklab
