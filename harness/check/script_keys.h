// Which keys the Lua text of a script uses.
#pragma once

#include <string_view>

namespace locklab {

/// Whether every key in the script's calls is written as KEYS[1].
bool names_first_key_alone(std::string_view lua);

}  // namespace locklab
