// Of a lock that has thrown an exception no search can say anything: it ends there. As the rest
// that is not searched this is a length_error, whose words are for the user.
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
