// The round of its client to which a command belongs: the one in which it was sent.
#pragma once

#include <cstdint>
#include <unordered_map>  // lookup only
#include <utility>
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

/// The sender of a command: a round, and the phase of the client.
struct Sender {
    std::uint32_t round = 0;
    Phase phase = Phase::idle;
    bool struck = false;  ///< a fault struck the command: it may run after its reply
};

/// Tracks the rounds of every client. A client that takes the lock again before it has given it
/// back stays in its round. Rounds are numbered over all clients; 0 is no round.
class Rounds {
public:
    /// Call for every event in turn. True if the event began a new round of its client.
    bool see(const Event& event);

    /// The client's current round.
    std::uint32_t now(ClientId client) { return clients_[client].round; }
    /// The round of a command that its client sends in `event`; for a background task that outlived
    /// its round, that older round.
    std::uint32_t of_sent(const Event& event, const event::Sent& sent);
    /// The sender of a command that ran in `event`. A background task belongs to its client's last
    /// grant. If the Sent is missing, the instant of sending decides.
    Sender sender(const Event& event, const event::Executed& executed);

private:
    struct Client {
        std::uint32_t round = 0;
        std::uint32_t granted_round = 0;
        std::vector<std::pair<Instant, std::uint32_t>> begun;
        std::vector<std::uint32_t> wanted;  ///< rounds that began with a Wants
        /// Commands that may still run, or run again.
        std::unordered_map<std::uint64_t, Sender> sent;
    };

    void begin(Client& client, Instant at);

    PerClient<Client> clients_;
    std::uint32_t last_ = 0;
};

}  // namespace locklab
