#include "harness/core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace locklab::detail {

void assertion_failed(const char* what, const char* file, int line) {
    std::fprintf(stderr, "locklab: bug: %s does not hold (%s:%d)\n", what, file, line);
    std::abort();
}

}  // namespace locklab::detail
