// The list of algorithms, in report order.
#pragma once

#include <span>
#include <string_view>

#include "harness/core/lock.h"

namespace locklab {

std::span<const Algorithm> algorithms();

/// Null if there is none of this name.
const Algorithm* algorithm_named(std::string_view name);

/// The lock that is there for this; there is one for each kind of control.
const Algorithm& the_control(Control control);

}  // namespace locklab
