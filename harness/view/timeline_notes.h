// A timeline's words for single events: predicates, to follow a client's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/violation.h"
#include "harness/core/history.h"

namespace locklab {

/// "pauses for 15 s". For a server's fault the whole sentence: "Redis restarts, ...", or "Redis 2
/// ...".
std::string fault_text(const event::Fault& fault, bool inside, bool several_servers);

/// Whether the fault strikes a server, and not a client.
bool strikes_server(Hazard hazard);

std::string released_text(Release outcome);

/// The whole sentence. `other` may be unknown. `locks`: how many each client takes.
std::string violation_text(const Violation& violation, const std::string& who,
                           const std::optional<std::string>& other, std::uint32_t locks);

/// "expired_while_held: the lease ran out while its holder was still inside".
std::string cause_text(Cause cause);

}  // namespace locklab
