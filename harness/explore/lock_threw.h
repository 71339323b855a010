// A lock that throws an exception ends its search, which then shows nothing. A length_error, like
// all else that is not searched, with a message for the user.
#pragma once

#include <stdexcept>

#include "harness/check/judge.h"
#include "harness/core/lock.h"

namespace locklab {

struct LockThrew final : std::length_error {
    LockThrew(const Algorithm& lock, std::string_view words)
        : std::length_error(why_it_threw(lock.name, words)) {}
};

}  // namespace locklab
