// Our own bugs stop the program, in every build. Trouble from outside is a value, never this.
#pragma once

namespace locklab::detail {
[[noreturn]] void assertion_failed(const char* what, const char* file, int line);
}

#define LOCKLAB_ASSERT(condition)       \
    ((condition) ? static_cast<void>(0) \
                 : ::locklab::detail::assertion_failed(#condition, __FILE__, __LINE__))
