// Commands that change the server itself (SHUTDOWN, CONFIG SET, REPLICAOF), which are for those who
// operate it. What goes wrong after a driver sent one is neither the lock's doing nor a fault of
// ours.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/names.h"

namespace locklab {

/// `frame` is a request as it came from this client, a driver of this library. A sentence where it
/// is such a command; else empty.
std::string operator_trouble(std::string_view frame, ClientId client, const std::string& library);

}  // namespace locklab
