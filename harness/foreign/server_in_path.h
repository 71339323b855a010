// Which redis-server this machine has.
#pragma once

#include <string>

namespace locklab {

/// "Redis server v=7.0.15": the version line of the redis-server in PATH, asked once. Empty: there
/// is none.
const std::string& server_in_path();

}  // namespace locklab
