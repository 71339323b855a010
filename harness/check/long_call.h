// Calls for the lock that blocked longer than promised (HistoryHead::answers_within): from the
// first command of a try to its outcome, or to the end of the history. Time for which the client
// was stopped does not count.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

struct LongCalls {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< calls with a known limit
    Duration longest{0};   ///< of the calls that blocked too long

    void add(const LongCalls& other);
};

/// Follows a history event by event.
class LongCallWatch {
public:
    explicit LongCallWatch(Duration answers_within) : answers_within_(answers_within) {}
    void see(const Event& event);
    /// Call once, at the end of the history.
    LongCalls end(Instant at);

private:
    struct Client {
        std::optional<Instant> since;
        Duration stopped{0};
        bool stopped_for_ever = false;
    };
    void end_call(Client& client, Instant at);

    Duration answers_within_;
    PerClient<Client> clients_;
    LongCalls found_;
};

}  // namespace locklab
