#include "harness/record/reply_json.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace locklab {

nlohmann::ordered_json to_json(const Reply& reply) {
    switch (reply.kind()) {
        case Reply::Kind::nil: return nullptr;
        case Reply::Kind::status: return {{"ok", reply.text()}};
        case Reply::Kind::integer: return reply.as_integer();
        case Reply::Kind::bulk: return reply.text();
        case Reply::Kind::error: return {{"error", reply.text()}};
        case Reply::Kind::unknown: return {{"unknown", true}};
        case Reply::Kind::array: break;
    }
    nlohmann::ordered_json elements = nlohmann::ordered_json::array();
    for (const Reply& element : reply.elements()) elements.push_back(to_json(element));
    return elements;
}

Reply read_reply(const JsonLine& line, const nlohmann::json& value) {
    if (value.is_null()) return Reply::nil();
    if (value.is_string()) return Reply::bulk(value.get<std::string>());
    const bool fits = !value.is_number_unsigned() ||
                      value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
    if (value.is_number_integer() && fits) return Reply::integer(value.get<std::int64_t>());
    if (value.is_array()) {
        std::vector<Reply> elements;
        for (const nlohmann::json& element : value) elements.push_back(read_reply(line, element));
        return Reply::array(std::move(elements));
    }
    if (value.is_object() && value.size() == 1) {
        const nlohmann::json& inner = value.begin().value();
        const std::string& key = value.begin().key();
        if (key == "ok" && inner.is_string()) return Reply::status(inner.get<std::string>());
        if (key == "error" && inner.is_string()) return Reply::error(inner.get<std::string>());
        if (key == "unknown" && inner == true) return Reply::unknown();
    }
    line.fail(
        "'reply' is none of null, a whole number, a string, {\"ok\":\"OK\"}, "
        "{\"error\":\"...\"}, {\"unknown\":true}, or a list of these");
}

}  // namespace locklab
