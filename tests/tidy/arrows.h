// Which layer may use which: the table that CONTRIBUTING.md shows. A dependency that is not in
// it is an error, in an #include as well as in what CMake links.
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

/// Of a .h, a .cpp or a CMakeLists.txt of a layer.
Findings check_arrows(const Source& source);

/// The rows of the table, as CONTRIBUTING.md has them.
std::vector<std::string> arrows_table();

}  // namespace locklab::tidy
