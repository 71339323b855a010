// Replies as JSON: see harness/record/README.md.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/reply.h"
#include "harness/record/json_line.h"

namespace locklab {

nlohmann::ordered_json to_json(const Reply& reply);
/// Fails, with a sentence of that line, for anything else.
Reply read_reply(const JsonLine& line, const nlohmann::json& value);

}  // namespace locklab
