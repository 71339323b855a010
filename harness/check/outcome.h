// What came of a play, told from its history alone.
#pragma once

#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/stage/script.h"

namespace locklab {

/// `ttl` is what half a TTL is measured in.
Outcome outcome_of(const History& history, Duration ttl);

/// "A and B inside together; B's key deleted by A; B stuck for ever", or "nothing goes wrong".
std::string in_words(const Outcome& outcome, const std::vector<Role>& cast);

bool is_harmless(const Outcome& outcome);

}  // namespace locklab
