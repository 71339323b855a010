// Options of single clients, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/client_options.h"
#include "harness/record/json_line.h"

namespace locklab {

/// The key that they have in histories, traces and finds; where clients are equal it is not there.
inline constexpr const char* kUnequalClients = "unequal_clients";

/// [{"client":1,"ttl_us":500000}]; also "renewal_us", "job_us" and "mode".
nlohmann::ordered_json to_json(const UnequalClients& clients);

/// Nothing where the line has no such key. Of `clients` clients, or of any if that is zero; each
/// time up to `longest`. Fails on the line.
UnequalClients read_unequal_clients(JsonLine& line, std::uint32_t clients, Duration longest);

}  // namespace locklab
