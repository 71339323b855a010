// What a stage stands on: Redis servers, and time. One world is simulated, one is real.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/history.h"
#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/store/store.h"

namespace locklab {

/// What came of a command.
struct CommandResult {
    Reply reply;
    KeyEffect effect;
    std::vector<event::OtherKey> others{};
};

class StageWorld {
public:
    virtual ~StageWorld() = default;

    /// As histories call it: "sim" or "live".
    virtual std::string_view name() const = 0;

    /// Time since the play began.
    virtual Instant now() = 0;
    /// Returns at `at`, at once if it is past.
    virtual void wait_until(Instant at) = 0;

    /// Runs a command now, for a client, or for the harness itself if there is none. Unknown if
    /// the server did not answer.
    virtual Reply execute(NodeId server, const ClientId* client, const Command& command) = 0;
    /// The same for a client, and what it did to `key`. Untold by a world that cannot see that.
    virtual CommandResult run(const Route& route, const Command& command, const Key& key) {
        (void)key;
        return {execute(route.node, &route.client, command),
                KeyEffect{.source = KeyEffect::Source::untold}};
    }
    /// The client's connections close.
    virtual void disconnect(ClientId client) = 0;

    /// The server comes back empty; it is there again when this returns. The stage asks it for
    /// nothing before its outage is over.
    virtual void restart(NodeId server) = 0;
    /// The same, with its data of `age` ago.
    virtual void restore(NodeId server, Duration age) = 0;
    /// The server takes down its data, and comes back with what it took down last.
    virtual void save(NodeId server) = 0;
    virtual void restore_saved(NodeId server) = 0;
    virtual void jump_clock(NodeId server, Duration by) = 0;
    /// The replica has what its master has now, gets nothing more from it, and is a master itself.
    virtual void take_over(NodeId replica, NodeId master) = 0;

    /// Sim: what the lock wants of Redis and the model of it does not know; empty: nothing.
    virtual std::string not_modelled() const { return {}; }
    /// Live: the first thing that the server did wrong, by no fault of the play; empty: nothing.
    virtual std::string trouble() const { return {}; }
    /// By how much the world was late, at worst: 0 where time is virtual.
    virtual Duration worst_lag() const { return Duration::zero(); }
    /// Live: how far somebody set the machine's wall clock meanwhile.
    virtual Duration clock_step() { return Duration::zero(); }
};

}  // namespace locklab
