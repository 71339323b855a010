// Options of single clients, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/client_options.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The key in histories and traces; missing if clients are equal.
inline constexpr const char* kUnequalClients = "unequal_clients";

/// [{"client":1,"ttl_us":500000}]; also "renewal_us", "job_us" and "mode".
nlohmann::ordered_json to_json(const UnequalClients& clients);

/// Empty if the line has no such key. `clients`: their number, or zero for any; each time is at
/// most `longest`. Fails on the line.
UnequalClients read_unequal_clients(JsonLine& line, std::uint32_t clients, Duration longest);

}  // namespace locklab
