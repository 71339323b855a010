// The world below a stage: Redis servers, and time. One is simulated, one is real.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/history.h"
#include "harness/core/lock.h"
#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/store/store.h"

namespace locklab {

/// Result of a command.
struct CommandResult {
    Reply reply;
    KeyEffect effect;
    std::vector<event::OtherKey> others{};
};

class StageWorld {
public:
    virtual ~StageWorld() = default;

    /// Its name in histories: "sim" or "live".
    virtual std::string_view name() const = 0;

    /// The lock that is played; called before any command. Throws std::invalid_argument with one
    /// sentence if the servers lack what it needs.
    virtual void begin(const Algorithm& algorithm) = 0;

    /// Time since the play began.
    virtual Instant now() = 0;
    /// Returns at `at`, or at once if that has passed.
    virtual void wait_until(Instant at) = 0;

    /// Runs a command now, for a client, or for the harness itself if `client` is null. Unknown if
    /// the server did not answer.
    virtual Reply execute(NodeId server, const ClientId* client, const Command& command) = 0;
    /// The same for a client, with the effect on `key`; untold if the world cannot see it.
    virtual CommandResult run(const Route& route, const Command& command, const Key& key) {
        (void)key;
        return {execute(route.node, &route.client, command),
                KeyEffect{.source = KeyEffect::Source::untold}};
    }
    /// A client's connection closes: nothing is on its way over it.
    virtual void close(const Route& route) = 0;

    /// The server restarts empty, and is up when this returns. The stage sends it nothing before
    /// its outage is over.
    virtual void restart(NodeId server) = 0;
    /// The same, with its data of `age` ago.
    virtual void restore(NodeId server, Duration age) = 0;
    /// save(): the server saves its data; restore_saved(): it restarts with the data saved last.
    virtual void save(NodeId server) = 0;
    virtual void restore_saved(NodeId server) = 0;
    virtual void jump_clock(NodeId server, Duration by) = 0;
    /// The replica has all present data of its master, gets nothing more from it, and becomes a
    /// master itself.
    virtual void take_over(NodeId replica, NodeId master) = 0;

    /// Sim: what the lock needs of Redis and the model lacks; empty: nothing.
    virtual std::string not_modelled() const { return {}; }
    /// Live: the first thing that the server did wrong, through no fault of the play; empty:
    /// nothing.
    virtual std::string trouble() const { return {}; }
    /// The worst delay of the world: 0 if time is virtual.
    virtual Duration worst_lag() const { return Duration::zero(); }
    /// Live: how far the machine's wall clock was set meanwhile.
    virtual Duration clock_step() { return Duration::zero(); }
};

}  // namespace locklab
