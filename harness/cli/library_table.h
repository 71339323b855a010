// The foreign libraries as a table.
#pragma once

#include <vector>

#include "harness/foreign/library.h"

namespace locklab {

void print_libraries(const std::vector<Library>& libraries);

}  // namespace locklab
