// The only export of an algorithm's file: a function of this type, make_NAME in NAME.cpp.
#pragma once

#include <memory>

#include "harness/core/lock.h"

namespace locklab {

using MakeLock = std::unique_ptr<Lock>(Client& client, const Key& key, const LockOptions& options);

}  // namespace locklab
