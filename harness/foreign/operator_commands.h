// Commands that change the server itself (SHUTDOWN, CONFIG SET, REPLICAOF), or stop its other
// clients (CLIENT PAUSE, CLIENT KILL TYPE), which are for those who operate it. What goes wrong
// after a driver sent one is neither the lock's doing nor a fault of ours.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/names.h"
#include "harness/foreign/link_table.h"

namespace locklab {

/// Whether this request, as it came, is such a command.
bool changes_server(std::string_view frame);

/// `frame` is a request as it came from this client, a driver of this library. A sentence where it
/// is such a command; else empty.
std::string operator_trouble(std::string_view frame, ClientId client, const std::string& library);

/// The first such command in the log of a proxy with these links, as a sentence; empty: none.
std::string operator_trouble_in(const std::string& log, const LinkTable& links,
                                const std::string& library);

}  // namespace locklab
