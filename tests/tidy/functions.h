// How long a function may be. Whoever reads one should see it whole.
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

struct Function {
    std::string name;       ///< as it is defined: ClientTable::changed
    std::size_t line = 0;   ///< of its opening brace, from 1
    std::size_t lines = 0;  ///< between its braces
};

/// The functions with a body in C++ that is formatted as ours is, and the lambdas that are none of
/// another function's. What is inside a function is part of it.
std::vector<Function> functions_of(const Source& source);

/// In harness/ and algorithms/. A few functions, named with their reasons, may be longer.
Findings check_function_length(const Source& source);

/// Each of these few is still there, and still too long.
Findings check_long_functions(const std::vector<Source>& sources);

}  // namespace locklab::tidy
