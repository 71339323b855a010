// Which round of its client a command belongs to: the one in which it was sent.
#pragma once

#include <cstdint>
#include <unordered_map>  // lookup only
#include <utility>
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

/// Who sent a command: a round, and the phase in which the client was.
struct Sender {
    std::uint32_t round = 0;
    Phase phase = Phase::idle;
    bool struck = false;  ///< a fault befell the command: it may run after its answer
};

/// Follows the rounds of every client. A client that takes the lock again before it has given it
/// back stays in its round. They are numbered over all clients; 0 is no round.
class Rounds {
public:
    /// To be called for every event in turn. True if the event began a new round of its client.
    bool see(const Event& event);

    /// The round in which the client is.
    std::uint32_t now(ClientId client) { return clients_[client].round; }
    /// The round to which a command belongs that its client sends in `event`: of a background task
    /// that outlived its round, that one.
    std::uint32_t of_sent(const Event& event, const event::Sent& sent);
    /// The sender of a command that ran in `event`. A background task belongs to the grant that
    /// its client had last. Without its Sent, the instant of sending must do.
    Sender sender(const Event& event, const event::Executed& executed);

private:
    struct Client {
        std::uint32_t round = 0;
        std::uint32_t granted_round = 0;
        std::vector<std::pair<Instant, std::uint32_t>> begun;
        std::vector<std::uint32_t> wanted;  ///< those that began as it wanted the lock
        /// Commands that may yet run, or run again.
        std::unordered_map<std::uint64_t, Sender> sent;
    };

    void begin(Client& client, Instant at);

    PerClient<Client> clients_;
    std::uint32_t last_ = 0;
};

}  // namespace locklab
