// How a script's numbers are printed where a command wants words. Each server does it in its way.
#pragma once

#include <array>
#include <string_view>

#include "harness/core/server_kind.h"

namespace locklab {

using NumberRoom = std::array<char, 40>;

/// The text lies in `room`. Redis prints 17 digits (%.17g), and Valkey the fewest that are read
/// back as the same number (https://github.com/night-shift/fpconv).
std::string_view number_text(double number, ServerKind server, NumberRoom& room);

}  // namespace locklab
