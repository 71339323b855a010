// The floor under every live figure: hiredis alone sends the commands that a lock sends for one
// grant, without the lock and without locklab.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/core/lock.h"
#include "harness/live/endpoint.h"

namespace locklab {

/// The commands of one client, from its tries to its releases, when no other client wants the lock.
/// Several rounds, since each has a token of its own: Redis is faster with a known token.
struct RecordedRounds {
    std::vector<Command> commands;
    std::vector<Reply> replies;  ///< to these commands
    std::size_t count = 0;

    std::size_t commands_each() const { return commands.size() / count; }
};

/// Recorded from the lock itself, by `clients` with as many keys. Throws std::runtime_error.
std::vector<RecordedRounds> record_rounds(const Algorithm& algorithm, const LockOptions& options,
                                          const Endpoint& endpoint, std::size_t clients);
RecordedRounds ping_rounds();

struct Pace {
    std::uint64_t rounds = 0;
    double seconds = 0;

    Pace& operator+=(const Pace& other) {
        rounds += other.rounds;
        seconds += other.seconds;
        return *this;
    }
    double per_s() const { return static_cast<double>(rounds) / seconds; }
    double us_per_round() const { return 1e6 * seconds / static_cast<double>(rounds); }
};

/// One connection and blocking calls.
class BareClient {
public:
    /// Throws std::runtime_error if there is no connection.
    BareClient(const Endpoint& endpoint, const RecordedRounds& rounds);
    ~BareClient();

    /// Runs for about `window`; `hold` passes before the last command of each round. Throws
    /// std::runtime_error if the kinds of replies differ from the recording.
    Pace run_for(Duration window, Duration hold = Duration::zero());

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// All clients' rounds at once, asynchronous, on libuv, with a connection for each.
Pace run_asynchronous(const Endpoint& endpoint, const std::vector<RecordedRounds>& clients,
                      Duration window);

}  // namespace locklab
