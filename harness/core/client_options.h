// What single clients are given otherwise than the rest: one with a shorter TTL, say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/names.h"
#include "harness/core/sharing.h"
#include "harness/core/time.h"

namespace locklab {

/// Of one client. What is nothing is as it is for the rest.
struct ClientOptions {
    ClientId client;
    std::optional<Duration> ttl{};
    std::optional<Duration> renewal{};  ///< between two renewals; else as often in its TTL
    std::optional<Duration> job{};      ///< how long each of its jobs is
    std::optional<Mode> mode{};         ///< how it wants a lock that can be had both ways

    bool operator==(const ClientOptions&) const = default;
};

/// In the order of the clients, each once at most.
using UnequalClients = std::vector<ClientOptions>;

/// Which of a client's options.
using ClientTime = std::optional<Duration> ClientOptions::*;

/// Null: the client is as the rest.
const ClientOptions* options_of(const UnequalClients& clients, ClientId client);
/// Reads "B=500ms,C=2s" into `time`. Clients are named by letters: A is client 0. Throws
/// std::invalid_argument with one sentence that says what is wrong and what would be right.
void read_client_times(std::string_view text, ClientTime time, UnequalClients& clients);
/// The same for "A=alone,B=shared".
void read_client_modes(std::string_view text, UnequalClients& clients);

/// "has a TTL of 500ms, renews every 100ms, has jobs of 2s, wants it alone"
std::string to_string(const ClientOptions& options);

}  // namespace locklab
