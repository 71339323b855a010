// The lists of algorithms.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/core/lock.h"

namespace locklab {

/// Those of the articles, and what grew out of them, in report order: the suite's.
std::span<const Algorithm> algorithms();

/// Redlock and its forms, on three servers. The suite does not run them: their searches take
/// minutes.
std::span<const Algorithm> redlocks();

/// Forms that libraries and systems ship, and no article prints. No part of the suite has them:
/// neither its sections nor its page.
std::span<const Algorithm> other_forms();

/// Whether it is one of algorithms().
bool is_in_suite(const Algorithm& algorithm);

/// All of the first three.
std::vector<const Algorithm*> every_algorithm();

/// Null if none of these has this name.
const Algorithm* algorithm_named(std::string_view name);
/// The same, and of the locks that wait for a replica. Only real servers run these: there is no
/// WAIT in the model, so nothing is claimed of them.
const Algorithm* live_algorithm_named(std::string_view name);

/// The lock for this kind of control; there is one for each kind.
const Algorithm& the_control(Control control);

}  // namespace locklab
