// How tests are called: a suite is a noun, LikeThis, and a test is what it says of it, like_this.
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

/// Of a file of tests/: GoogleTest's by suite and name, Python's by the name of their method.
Findings check_test_names(const Source& source);

}  // namespace locklab::tidy
