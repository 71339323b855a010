// Which keys the Lua text of a script names.
#pragma once

#include <string_view>

namespace locklab {

/// Whether every key that the script names is KEYS[1], as it stands in its calls.
bool names_first_key_alone(std::string_view lua);

}  // namespace locklab
