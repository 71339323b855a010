// A stage: clients whose every step waits for its cue. At any time some moves can be made (a
// request is sent, a reply is taken, a timer fires); Choices picks one. Nothing takes time but
// what is told to: time passes only in pass_until().
//
// The simulator draws how long messages take; a script, and a search, must say it themselves,
// and on a real Redis too. That is why a stage is a world of its own.
//
// It is a drive of a cluster, whose server is the stage's world.
//
// Invariant: a wait is in waits_ until its task was told and, if it is a command, the command has
// arrived or never will.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "harness/cluster/cluster.h"
#include "harness/core/scene.h"
#include "harness/stage/stage_world.h"

namespace locklab {

struct StageClient {
    Workload workload;
    Duration clock_offset{0};
};

struct StageConfig : ClusterConfig {
    std::vector<StageClient> roles{};  ///< of each of its clients
};

/// What goes wrong with a command as it is sent.
enum class CommandFault : std::uint8_t {
    none,
    lose_request,
    lose_reply,
    delay,
    delay_reply,
    retry
};

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

class Stage final : private Agenda, private RemoteStore {
public:
    /// How far a client's worker has come.
    struct Progress {
        std::uint32_t wants = 0;
        std::uint32_t refusals = 0;
        std::uint32_t grants = 0;
        std::uint32_t writes = 0;
        std::uint32_t releases = 0;
        bool wanting = false;  ///< and not granted yet
        bool gone = false;     ///< crashed, or went home
    };

    /// `world` and `faults` must outlive the stage.
    Stage(StageConfig config, StageWorld& world, CommandFaults& faults);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// What can be made now, the oldest wait first. What is delayed comes last.
    std::vector<Cue> moves();
    /// Makes the move that `choices` picks; there must be one.
    void step(Choices& choices);
    void make(const Cue& move);
    /// The client's worker waits no longer, whatever the timer says that it waits for. False if it
    /// waits for none.
    bool wake_early(ClientId client);
    /// The next job that the client begins takes so long.
    void next_job(ClientId client, Duration length) { clients_[client.value].next_job = length; }
    /// The earliest timer or time-out of a task that is neither paused nor stalled and that
    /// `counts`; none if there is none.
    template <class Counts>
    std::optional<Instant> next_due(Counts counts) const;
    void pass_until(Instant at);
    /// Whether a task still waits for the answer to this wait.
    bool is_waiting(std::uint32_t wait) const;
    /// Whether its worker waits for a delayed reply, or without a limit for the answer to a delayed
    /// request.
    bool waits_for_network(ClientId client) const;
    Instant time() { return world_.now(); }

    /// The client begins its first round: it wants the lock.
    void start(ClientId client);
    bool started(ClientId client) const { return clients_[client.value].started; }
    const Progress& progress(ClientId client) const { return clients_[client.value].progress; }
    Phase phase(ClientId client) const { return cluster_.machine(client).phase_of(TaskId{}); }
    std::string_view algorithm() const { return config_.algorithm->name; }
    std::uint32_t clients() const { return static_cast<std::uint32_t>(clients_.size()); }
    Instant last_grant() const { return cluster_.value().last_grant; }
    std::size_t events() const { return cluster_.events(); }

    void pause(ClientId client);
    void resume(ClientId client);
    void stall(ClientId client);
    void unstall(ClientId client);
    void crash(ClientId client);
    /// It stops wanting the lock and is seen no more. No fault.
    void go_home(ClientId client);
    void jump_clock(ClientId client, Duration by);
    /// The server comes back empty after the outage, and refuses whatever arrives before.
    void restart(Duration outage = {}, NodeId server = {});
    void bring_back(NodeId server) { cluster().bring_back(server); }
    void restore(Duration age, NodeId server = {});
    /// The server takes down its data; later it comes back with them.
    void save(NodeId server = {});
    void restore_saved(NodeId server = {});
    void jump_server_clock(Duration by, NodeId server = {});
    /// The replica gets nothing more from its master.
    void cut_off_replica();
    /// It becomes master with what it has; nobody has learnt of it.
    void take_over();
    bool has_taken_over() const { return took_over_; }
    /// From now on what the client sends goes to the new master.
    void learn(ClientId client);
    /// The lock's key disappears.
    void evict(NodeId server = {});

    void remark(std::string text);
    /// From now on clients stop instead of beginning another round.
    void close() { closing_ = true; }
    /// The caller fills in names. `patience` as History has it. Call it once, in the end.
    Scene take_scene(Duration patience);

private:
    struct Client {
        std::optional<Duration> next_job;
        std::optional<std::size_t> paused;  ///< since this event
        std::optional<std::size_t> stalled;
        bool started = false;
        Progress progress;
    };

    bool is_awake(const Wait& wait) const;
    std::optional<Cue::Kind> move_of(const Wait& wait);
    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    Choices& choices() override { return calm_; }
    bool enough(ClientId) override { return closing_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;
    /// The world answers in place of Redis.
    void on(const Input& input, WallTime now, Outbox& out) override;

    /// The cluster, to whom it is now what it is in the world.
    Cluster& cluster();
    Wait& add(const Move& move);
    Wait& wait_for(std::uint32_t message);
    static Move move_of(MoveKind kind, const Wait& wait);
    void send(Wait& wait);
    void depart(Wait& wait, CommandFault fault);
    void execute(Wait& wait);
    void expire(Wait& wait);
    void tell(Wait& wait, MoveKind kind);
    void forget_done();
    void forget(Wait& wait);
    void drop_connections(NodeId server);
    void note_fault(ClientId client, Hazard hazard, Duration amount);
    void note_fault(NodeId server, Hazard hazard, Duration amount);
    void wake_up(std::optional<std::size_t>& since);
    void look();
    void look_at(NodeId server);

    const StageConfig config_;
    StageWorld& world_;
    CommandFaults& faults_;
    CalmChoices calm_;
    std::vector<Client> clients_;
    std::vector<std::unique_ptr<Wait>> waits_;
    std::uint32_t last_wait_ = 0;
    Wait* again_ = nullptr;  ///< its message is being sent again
    std::map<NodeId, Instant> saved_at_;
    bool closing_ = false;
    std::optional<std::size_t> cut_off_;  ///< since this event
    bool took_over_ = false;
    Scene scene_;
    Cluster cluster_;
};

template <class Counts>
std::optional<Instant> Stage::next_due(Counts counts) const {
    std::optional<Instant> next;
    for (const auto& wait : waits_) {
        if (wait->told || wait->due == Instant::max() || !is_awake(*wait) || !counts(*wait)) {
            continue;
        }
        if (!next || wait->due < *next) next = wait->due;
    }
    return next;
}

}  // namespace locklab
