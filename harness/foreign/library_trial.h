// Whether the driver of a library that is not ours works: it is tried on a redis-server of its own,
// through the protocol alone. No fault strikes but a server that is stopped. It shows that driver
// and manifest are right, and nothing of how good the lock is.
#pragma once

#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/library.h"

namespace locklab {

struct Trial {
    std::vector<std::string> shown;  ///< "excludes", "releases", ...
    /// Sentences of what the library itself does, which is no fault of its driver.
    std::vector<std::string> notes;
    std::string wrong;        ///< one sentence; empty: all is as it should be
    std::string stderr_text;  ///< what the drivers said there, where something is wrong
    bool known = true;        ///< false: it could not be tried, or was stopped; `wrong` says why
};

/// `ttl`: of the locks that it takes, unless the library takes none so short.
Trial try_library(const Library& library, Duration ttl, const Watcher& watcher);

}  // namespace locklab
