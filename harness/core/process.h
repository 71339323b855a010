// The clients of one process, which share their lock objects.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/machine.h"
#include "harness/core/run_shape.h"

namespace locklab {

struct ClientProcess {
    Locks locks;  ///< they outlive the coroutines in the machines
    std::vector<std::unique_ptr<Machine>> machines;
};

/// `first` is the first client of the process. `host` must outlive the process.
ClientProcess make_process(ClientId first, const RunShape& shape, const Key& key, Host& host);

}  // namespace locklab
