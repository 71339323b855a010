// Options of single clients that differ from the rest, such as a shorter TTL.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/names.h"
#include "harness/core/sharing.h"
#include "harness/core/time.h"

namespace locklab {

/// The options of one client. An empty one is as for the rest.
struct ClientOptions {
    ClientId client;
    std::optional<Duration> ttl{};
    std::optional<Duration> renewal{};  ///< between two renewals; if empty, as often per TTL
    std::optional<Duration> job{};      ///< length of each of its jobs
    std::optional<Mode> mode{};         ///< for a lock with both modes: how it wants the lock

    bool operator==(const ClientOptions&) const = default;
};

/// In the order of the clients, each at most once.
using UnequalClients = std::vector<ClientOptions>;

/// Selects one of a client's times.
using ClientTime = std::optional<Duration> ClientOptions::*;

/// Null: the client has the same options as the rest.
const ClientOptions* options_of(const UnequalClients& clients, ClientId client);
/// Reads "B=500ms,C=2s" into `time`. Clients are named by letters: A is client 0. Throws
/// std::invalid_argument with one sentence that says what is wrong and what would be right.
void read_client_times(std::string_view text, ClientTime time, UnequalClients& clients);
/// The same for "A=alone,B=shared".
void read_client_modes(std::string_view text, UnequalClients& clients);

/// "has a TTL of 500ms, renews every 100ms, has jobs of 2s, wants it alone"
std::string to_string(const ClientOptions& options);

}  // namespace locklab
