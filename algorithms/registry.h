// The list of algorithms, in report order.
#pragma once

#include <span>
#include <string_view>

#include "harness/core/lock.h"

namespace locklab {

std::span<const Algorithm> algorithms();

/// Null if no algorithm has this name.
const Algorithm* algorithm_named(std::string_view name);

/// The lock for this kind of control; there is one for each kind.
const Algorithm& the_control(Control control);

}  // namespace locklab
