// Where a Redis server listens: on a unix socket, or on a host's port.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace locklab {

struct Endpoint {
    std::string socket_path;  ///< of a unix socket; empty: host and port are used
    std::string host;
    std::uint16_t port = 0;
};

/// Reads host:port, or [address]:port for IPv6. Throws std::invalid_argument with one sentence.
Endpoint parse_endpoint(std::string_view text);

/// The same with the host's address in place of its name, so that connecting needs no look-up,
/// which would block the loop. Throws std::runtime_error with one sentence.
Endpoint resolved(const Endpoint& endpoint);

std::string to_string(const Endpoint& endpoint);

}  // namespace locklab
