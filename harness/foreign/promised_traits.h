// What a driver's `hello` says is what its library's manifest says: a rule for whoever starts one.
#pragma once

#include <string>

#include "harness/driver/driver_lines.h"
#include "harness/foreign/library.h"

namespace locklab {

/// What the manifest says that `hello` is to say.
DriverTraits promised_traits(const Library& library);

/// Empty if they say the same; else how they differ: "its 'hello' says version 9, nodes many, and
/// its manifest says version 1, nodes one". What the library calls itself is not compared.
std::string broken_promise(const DriverTraits& said, const DriverTraits& promised);

}  // namespace locklab
