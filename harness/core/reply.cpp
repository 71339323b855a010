#include "harness/core/reply.h"

namespace locklab {

std::string to_string(const Reply& reply) {
    switch (reply.kind()) {
        case Reply::Kind::nil: return "(nil)";
        case Reply::Kind::status: return reply.text();
        case Reply::Kind::integer: return "(integer) " + std::to_string(reply.as_integer());
        case Reply::Kind::bulk: return '"' + reply.text() + '"';
        case Reply::Kind::error: return "(error) " + reply.text();
        case Reply::Kind::unknown: return "(unknown)";
        case Reply::Kind::array: break;
    }
    std::string text = "[";
    for (const Reply& element : reply.elements()) {
        if (text.size() > 1) text += ", ";
        text += to_string(element);
    }
    return text + "]";
}

}  // namespace locklab
