// The algorithms, in report order. To add one: its file, its make_ function here, and its row
// in registry.cpp.
#pragma once

#include <memory>

#include "harness/core/lock.h"

namespace locklab {

using MakeLock = std::unique_ptr<Lock>(World& world, const Key& key, const LockOptions& options);

MakeLock make_set_nx_lua;

}  // namespace locklab
