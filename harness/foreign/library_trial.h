// Tests the driver of a foreign library on a redis-server of its own, through the protocol alone.
// The only fault is a stopped server. It shows that driver and manifest are right, and says nothing
// about how good the lock is.
#pragma once

#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/library.h"

namespace locklab {

struct Trial {
    std::vector<std::string> shown;  ///< "excludes", "releases", ...
    /// Sentences on the library's own behaviour, which is no fault of its driver.
    std::vector<std::string> notes;
    std::string wrong;        ///< one sentence; empty: the driver is right
    std::string stderr_text;  ///< stderr of the drivers, if something is wrong
    bool known = true;        ///< false: the trial could not run, or was stopped; `wrong` says why
};

/// `ttl`: of the locks in the trial, unless the library takes only longer ones.
Trial try_library(const Library& library, Duration ttl, const Watcher& watcher);

}  // namespace locklab
