// What the commands of a history did to the lock's key, if the keyspace was not seen: with a real
// Redis, or in a foreign history. A model runs the same commands in the order of the log.
//
// 1. If the model's reply agrees with the real one, its effect on the key is taken.
// 2. If not, the key was in another state: gone (it had expired, or a stranger deleted it), as it
//    was earlier, or with a value that the command or its reply mentions. The first of these states
//    under which the model gives the real reply is taken, and the model continues from it.
// 3. A live log records a command when its reply came. A command that was sent before the key was
//    found in another state may be the cause of that: it is tried on the key as it was before.
// 4. A command in a transaction is run with EXEC, if that was answered with what its commands gave:
// the real server knows whether a watched key had changed.
// 5. If several states explain the reply with different effects, or none explains it, the effect is
//    marked as uncertain.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/redis/key_delta.h"

namespace locklab {

/// A command of a history runs a script that exceeds ScriptLimits. what(): "scripts of more than
/// ... are not run".
struct ScriptBeyondLimits : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class KeyShadow {
public:
    /// `keys`: the keys that existed at the beginning.
    explicit KeyShadow(const HistoryHead& head,
                       const std::map<NodeId, std::vector<KeyEntry>>& keys = {});

    /// Call for every event in turn. Fills in an effect that is `untold`. Throws
    /// ScriptBeyondLimits.
    void tell(Event& event);

private:
    /// One server, as far as it is known.
    struct Server {
        RedisModel redis;
        Duration clock_offset{0};
        std::vector<KeyEntry> past;  ///< earlier states of the key, the newest last
        /// The state in which the key was no longer found, and when.
        std::optional<KeyEntry> displaced;
        Instant displaced_at;
    };
    /// A client, and whether by a background task, which has a connection of its own.
    using Way = std::pair<ClientId, bool>;
    struct Outcome {
        Reply reply;
        KeyEffect effect;
        std::vector<event::OtherKey> others{};
    };

    WallTime time(Instant at, NodeId node) {
        return began_ + at.time_since_epoch() + servers_[node].clock_offset;
    }
    /// False if no command ran: the transaction goes on, or was dropped. Sets `run_by_it_`.
    bool runs(const Way& way, const event::Executed& ran);
    bool can_run() const;
    Outcome run(RedisModel& redis, const event::Executed& ran, std::string_view key, Instant at);
    Outcome replay(Server& server, const event::Executed& ran, std::string_view key, Instant at);
    Outcome work_out(Server& server, const event::Executed& ran, std::string_view key, Instant at);
    void follow(Server& server, const event::Executed& ran, std::string_view key, Instant at);
    void strike(const event::Fault& fault);
    static void remember(Server& server, std::string_view key);

    const std::string key_;
    const WallTime began_;
    std::map<NodeId, Server> servers_;
    ScriptEngine scripts_;
    KeyDelta delta_;
    std::map<Way, std::vector<Command>> queued_;  ///< since MULTI
    std::vector<Command> run_by_it_;  ///< the commands that the event at hand ran: several by EXEC
};

/// The same for a whole history.
void tell_effects(History& history, const std::map<NodeId, std::vector<KeyEntry>>& keys = {});

}  // namespace locklab
