// A foreign library, as --json shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/foreign/library.h"

namespace locklab {

/// Its row: what its manifest says of the lock, whether it is installed, and what is missing.
nlohmann::ordered_json library_json(const Library& library);

}  // namespace locklab
