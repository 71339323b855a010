// Checks a driver's `hello` against its library's manifest.
#pragma once

#include <string>

#include "harness/driver/driver_lines.h"
#include "harness/foreign/library.h"

namespace locklab {

/// The traits that `hello` should state according to the manifest.
DriverTraits promised_traits(const Library& library);

/// Empty if both agree; else the differences: "its 'hello' says version 9, nodes many, and its
/// manifest says version 1, nodes one". The library's own name is not compared.
std::string broken_promise(const DriverTraits& said, const DriverTraits& promised);

}  // namespace locklab
