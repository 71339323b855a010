// One name, one type: two classes of one name make a program whose linker takes the destructor of
// the one for the other's (C++ calls it a breach of the one-definition rule, and says nothing).
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

/// No two files define a type of the same name in the same namespace. What is in a nameless
/// namespace is its file's own.
Findings check_types(const std::vector<Source>& sources);

}  // namespace locklab::tidy
