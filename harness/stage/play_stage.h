// What a director, or who plays the steps of a find, can do with a stage: whoever acts there, be it
// coroutines (Stage) or processes (DriverStage in harness/foreign).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"
#include "harness/core/scene.h"

namespace locklab {

/// What goes wrong with a command as it is sent.
enum class CommandFault : std::uint8_t {
    none,
    travels,  ///< nothing: it is on its way until it arrives at its cue
    lose_request,
    lose_reply,
    delay,
    delay_reply,
    retry
};

/// As histories call it; nothing where nothing goes wrong.
std::optional<Hazard> hazard_of(CommandFault fault);

/// A task's wait for a command's reply or for a timer.
struct Wait {
    std::uint32_t id = 0;
    ClientId client;
    TaskId task;
    std::uint32_t ticket = 0;
    Phase phase = Phase::idle;
    /// Of a timer: when it fires. Of a command that was sent: when its client gives up on it.
    Instant due = Instant::max();
    bool is_timer = false;
    NodeId node;
    Command command;
    std::uint32_t message = 0;  ///< unless it is a timer
    CommandFault fault = CommandFault::none;
    bool sent = false;
    bool in_network = false;  ///< delayed: sent, and yet to arrive
    bool reply_held = false;  ///< it was executed, and its reply is yet to come
    bool answered = false;    ///< its reply is there to be taken
    bool told = false;        ///< its task waits for it no more
};

struct Cue {
    enum class Kind : std::uint8_t {
        send,    ///< the request leaves; unless something befalls it, it is executed
        take,    ///< the client takes the reply
        wake,    ///< a timer fires
        expire,  ///< the client gives up on the reply
        arrive,  ///< a delayed request is executed
        come,    ///< a delayed reply comes, and is there to be taken
    };
    Kind kind = Kind::send;
    const Wait* wait = nullptr;  ///< good until the next move
};

/// What befalls commands, as they are sent.
class CommandFaults {
public:
    virtual CommandFault on_send(const Wait& wait) = 0;

protected:
    ~CommandFaults() = default;
};

class PlayStage {
public:
    /// How far a client's worker has come.
    struct Progress {
        std::uint32_t wants = 0;
        std::uint32_t refusals = 0;
        std::uint32_t grants = 0;
        std::uint32_t writes = 0;
        std::uint32_t releases = 0;
        bool wanting = false;     ///< and not granted yet
        bool refused = false;     ///< wanting, and its last try was refused, with certainty
        bool unanswered = false;  ///< wanting, and its last try had no answer, or an error
        bool gone = false;        ///< crashed, or went home
    };

    using Counts = std::function<bool(const Wait&)>;

    virtual ~PlayStage() = default;

    /// What can be made now, the oldest wait first. What is delayed comes last.
    virtual std::vector<Cue> moves() = 0;
    virtual void make(const Cue& move) = 0;
    /// The client's worker waits no longer, whatever the timer says that it waits for. False if it
    /// waits for none.
    virtual bool wake_early(ClientId client) = 0;
    /// Where tasks do what they do in a process of their own: waits until this one waits for its
    /// command to this server to be sent. False: it does not.
    virtual bool await_command(ClientId, TaskId, NodeId) { return false; }
    /// Whether background tasks have timers of their own, which nobody else fires.
    virtual bool keeps_own_timers() const { return false; }
    /// The next job that the client begins takes so long.
    virtual void next_job(ClientId client, Duration length) = 0;
    /// The earliest timer or time-out of a task that is neither paused nor stalled and that
    /// `counts`; none if there is none.
    virtual std::optional<Instant> next_due(const Counts& counts) const = 0;
    virtual void pass_until(Instant at) = 0;
    /// Whether a task still waits for the answer to this wait.
    virtual bool is_waiting(std::uint32_t wait) const = 0;
    /// Whether its worker waits for a delayed reply, or without a limit for the answer to a delayed
    /// request.
    virtual bool waits_for_network(ClientId client) const = 0;
    virtual Instant time() = 0;

    /// The client begins its first round: it wants the lock.
    virtual void start(ClientId client) = 0;
    virtual bool started(ClientId client) const = 0;
    virtual const Progress& progress(ClientId client) const = 0;
    virtual Phase phase(ClientId client) const = 0;
    virtual std::string_view algorithm() const = 0;
    virtual std::uint32_t clients() const = 0;
    virtual Instant last_grant() const = 0;

    virtual void pause(ClientId client) = 0;
    virtual void resume(ClientId client) = 0;
    virtual void stall(ClientId client) = 0;
    virtual void unstall(ClientId client) = 0;
    virtual void crash(ClientId client) = 0;
    /// It stops wanting the lock and is seen no more. No fault.
    virtual void go_home(ClientId client) = 0;
    /// It stops wanting the lock. Who can, comes back: see come_back().
    virtual void rest(ClientId client) { go_home(client); }
    /// It wants the lock again that it gave up. False: it is gone for good.
    virtual bool come_back(ClientId) { return false; }
    virtual void jump_clock(ClientId client, Duration by) = 0;
    /// The server comes back empty after the outage, and refuses whatever arrives before.
    virtual void restart(Duration outage, NodeId server) = 0;
    virtual void bring_back(NodeId server) = 0;
    virtual void restore(Duration age, NodeId server) = 0;
    /// The server takes down its data; later it comes back with them.
    virtual void save(NodeId server) = 0;
    virtual void restore_saved(NodeId server) = 0;
    virtual void jump_server_clock(Duration by, NodeId server) = 0;
    /// The replica gets nothing more from its master.
    virtual void cut_off_replica() = 0;
    /// It becomes master with what it has; nobody has learnt of it.
    virtual void take_over() = 0;
    virtual bool has_taken_over() const = 0;
    /// From now on what the client sends goes to the new master.
    virtual void learn(ClientId client) = 0;
    /// That key disappears; with no name, the lock's own.
    virtual void evict(NodeId server, const std::string& key) = 0;
    void evict(NodeId server = {}) { evict(server, {}); }

    virtual void remark(std::string text) = 0;
    /// From now on clients stop instead of beginning another round.
    virtual void close() = 0;
    /// The caller fills in names. `patience` as History has it. Call it once, in the end.
    virtual Scene take_scene(Duration patience) = 0;
};

}  // namespace locklab
