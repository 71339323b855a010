// Whether a client that tries alone, for as long as it takes, gets a lock that no live client
// holds, from the servers as they were left. The client is a newcomer, or one of the search with
// what it has seen. If it does not, other clients may have to have the lock first: PlainRun answers
// that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "harness/explore/actor.h"
#include "harness/explore/rules.h"

namespace locklab {

class OrphanProbe {
public:
    static constexpr std::uint32_t kNewcomer = Bounds::kMostClients;

    OrphanProbe(const Algorithm& algorithm, Rules& rules);

    /// How long the client, which is at rest, waits for the lock if it tries now; nothing: for
    /// ever.
    std::optional<Duration> wait(const State& state, std::uint32_t client);
    /// The same, if it is known that the client gets the lock; nothing: for ever, or not known.
    /// Safe from several threads while none asks wait().
    std::optional<Duration> known_wait(const State& state, std::uint32_t client) const;
    /// The same for a newcomer.
    std::optional<Duration> wait(const State& state) { return wait(state, kNewcomer); }
    void forget() { known_.clear(); }

private:
    /// The asking client: its number and state, or kNewcomer for any client that acts as a
    /// newcomer.
    using Who = std::pair<std::uint32_t, std::uint32_t>;
    Who who(const State& state, std::uint32_t client) const;
    std::optional<Duration> try_for(const State& state, const Who& who);

    const Algorithm& algorithm_;
    Rules& rules_;
    Bounds patient_;
    Bounds returning_;
    /// The time, whether the oracle's mutex is free, the data of each server, and the asking
    /// client.
    using Key = std::tuple<std::uint32_t, bool, std::vector<std::uint64_t>, Who>;
    Key key_of(const State& state, const Who& who) const;

    std::map<Key, std::optional<Duration>> known_;
};

}  // namespace locklab
