// Notices a driver that has taken off the mark by which locklab finds all of its processes.
#pragma once

#include <string>

#include "harness/driver/driver_process.h"

namespace locklab {

/// The sentence that reports this; empty: it has its mark, or has ended.
std::string lost_mark(const DriverProcess& driver, const std::string& library);

}  // namespace locklab
