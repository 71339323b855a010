// What a director, or a player of a counterexample's steps, can do with a stage, whether its
// clients are coroutines (Stage) or processes (DriverStage in harness/foreign).
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

/// What goes wrong with a command when it is sent.
enum class CommandFault : std::uint8_t {
    none,
    travels,  ///< no fault: on its way until it arrives at its cue
    lose_request,
    lose_reply,
    delay,
    delay_reply,
    retry,
    error,     ///< answered with LOADING, and not executed
    noscript,  ///< answered with NOSCRIPT, and not executed
    reset_request,
    reset_reply,
};

/// Its hazard in histories; nothing: no fault.
std::optional<Hazard> hazard_of(CommandFault fault);
/// The error that is its answer; nothing: none.
std::optional<ErrorKind> error_of(CommandFault fault);

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
    std::uint32_t message = 0;  ///< 0 for a timer
    CommandFault fault = CommandFault::none;
    bool sent = false;
    bool in_network = false;  ///< delayed: sent, and not arrived yet
    bool reply_held = false;  ///< executed, but the reply has not come yet
    bool answered = false;    ///< the reply can be taken
    bool told = false;        ///< its task does not wait for it any more
};

struct Cue {
    enum class Kind : std::uint8_t {
        send,    ///< the request leaves; without a fault it is executed
        take,    ///< the client takes the reply
        wake,    ///< a timer fires
        expire,  ///< the client gives up on the reply
        arrive,  ///< a delayed request is executed
        come,    ///< a delayed reply comes, and can be taken
    };
    Kind kind = Kind::send;
    const Wait* wait = nullptr;  ///< valid until the next move
};

/// Decides the fault of each command when it is sent.
class CommandFaults {
public:
    virtual CommandFault on_send(const Wait& wait) = 0;

protected:
    ~CommandFaults() = default;
};

class PlayStage {
public:
    /// Counts of what a client's worker has done.
    struct Progress {
        std::uint32_t wants = 0;
        std::uint32_t refusals = 0;
        std::uint32_t grants = 0;
        std::uint32_t writes = 0;
        std::uint32_t releases = 0;
        bool wanting = false;     ///< and not granted yet
        bool refused = false;     ///< wanting, and its last try was certainly refused
        bool unanswered = false;  ///< wanting, and its last try had no answer, or an error
        bool gone = false;        ///< crashed, or went home
    };

    using Counts = std::function<bool(const Wait&)>;

    virtual ~PlayStage() = default;

    /// The possible moves, the oldest wait first, and delayed messages last.
    virtual std::vector<Cue> moves() = 0;
    virtual void make(const Cue& move) = 0;
    /// Ends the wait of the client's worker for a timer now, before it is due. False: it waits for
    /// none.
    virtual bool wake_early(ClientId client) = 0;
    /// The client extends its grant by hand now, before that is due. False: it does not do so.
    virtual bool extend_early(ClientId) { return false; }
    /// If tasks run in a process of their own: waits until this task is about to send a command to
    /// this server. False: it does not.
    virtual bool await_command(ClientId, TaskId, NodeId) { return false; }
    /// Whether background tasks have timers of their own, which only they can fire.
    virtual bool keeps_own_timers() const { return false; }
    /// Sets the length of the client's next job.
    virtual void next_job(ClientId client, Duration length) = 0;
    /// The earliest timer or time-out that `counts`, of tasks that are neither paused nor stalled;
    /// nothing: there is none.
    virtual std::optional<Instant> next_due(const Counts& counts) const = 0;
    virtual void pass_until(Instant at) = 0;
    /// The script lets time pass until then, whatever clients do meanwhile.
    virtual void script_waits_until(Instant) {}
    /// Whether the client wants the lock, and somebody has it, or its key is there.
    virtual bool waits_for_lock(ClientId) const { return false; }
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
    /// The client stops wanting the lock for good. No fault.
    virtual void go_home(ClientId client) = 0;
    /// The client stops wanting the lock; it may come back: see come_back().
    virtual void rest(ClientId client) { go_home(client); }
    /// The client wants the lock again after rest(). False: it is gone for good.
    virtual bool come_back(ClientId) { return false; }
    virtual void jump_clock(ClientId client, Duration by) = 0;
    /// The server comes back empty after the outage, and refuses whatever arrives before.
    virtual void restart(Duration outage, NodeId server) = 0;
    virtual void bring_back(NodeId server) = 0;
    /// The server hangs until go_on(): what is sent to it waits, and arrives afterwards.
    virtual void hang(NodeId server) = 0;
    virtual void go_on(NodeId server) = 0;
    /// Notes that nothing gets through between these two until heal(). The drive loses what is sent
    /// meanwhile.
    virtual void cut(ClientId client, NodeId server) = 0;
    virtual void heal(ClientId client, NodeId server) = 0;
    virtual void restore(Duration age, NodeId server) = 0;
    /// The server saves its data; restore_saved() restarts it with them.
    virtual void save(NodeId server) = 0;
    virtual void restore_saved(NodeId server) = 0;
    virtual void jump_server_clock(Duration by, NodeId server) = 0;
    /// The replica gets nothing more from its master.
    virtual void cut_off_replica() = 0;
    /// The replica becomes master with the data that it has; no client has learnt of it.
    virtual void take_over() = 0;
    virtual bool has_taken_over() const = 0;
    /// From now on the client sends to the new master.
    virtual void learn(ClientId client) = 0;
    /// That key disappears; with no name, the lock's own.
    virtual void evict(NodeId server, const std::string& key) = 0;
    virtual void flush(NodeId server) = 0;
    void evict(NodeId server = {}) { evict(server, {}); }

    virtual void remark(std::string text) = 0;
    /// From now on clients stop instead of beginning another round.
    virtual void close() = 0;
    /// Call once, at the end; the caller fills in names. `patience` as in History.
    virtual Scene take_scene(Duration patience) = 0;
};

}  // namespace locklab
