// The algorithms, in report order. To add one: its file, its make_ function here, and its row
// in registry.cpp.
#pragma once

#include <memory>

#include "harness/core/lock.h"

namespace locklab {

using MakeLock = std::unique_ptr<Lock>(World& world, const Key& key, const LockOptions& options);

MakeLock make_no_lock;
MakeLock make_setnx_del;
MakeLock make_setnx_expire;
MakeLock make_setnx_timestamp_del;
MakeLock make_setnx_getset_objects;
MakeLock make_setnx_getset_epoch;
MakeLock make_set_nx_del;
MakeLock make_set_nx_lua;
MakeLock make_watchdog_unowned;
MakeLock make_watchdog_owned;
MakeLock make_reentrant_watchdog;
MakeLock make_perfect_lock;

}  // namespace locklab
