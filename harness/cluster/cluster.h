// Clients, servers, and the messages between them. This class defines which moves are possible and
// what each does; the agenda decides when they are made.
//
// Invariants: 1. A message is in flight until it has arrived (or never will) and the client's wait
// has ended; then its slot is reused. 2. On a connection nothing arrives before what was sent
// earlier, unless its client has given up on that. 3. A machine is run only by start(), apply() and
// answer(). 4. A request is sent as soon as its task waits, and stays on its way if the task is
// cancelled or its client crashes. 5. A connection that its client has left closes once nothing is
// on its way there; until then its server keeps what belongs to it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "harness/cluster/agenda.h"
#include "harness/cluster/probe.h"
#include "harness/cluster/value.h"
#include "harness/core/fault.h"
#include "harness/core/machine.h"
#include "harness/core/process.h"
#include "harness/core/run_shape.h"
#include "harness/core/tape.h"
#include "harness/core/token_text.h"

namespace locklab {

struct ClusterConfig : RunShape {
    Key key{"lock"};
    TokenStyle tokens = TokenStyle::mixed;
    WallTime epoch = kEpoch;      ///< what every correct clock shows at the start
    bool keep_snapshots = false;  ///< for Hazard::restart_snapshot, and for a replica that lags
    /// How old the data is that a modelled replica has. Above zero it needs keep_snapshots.
    Duration replica_lag{0};
    bool record = true;           ///< whether events are noted
    bool keeps_history = true;    ///< whether noted events are kept after the agenda has seen them
    bool looks_at_fences = true;  ///< whether the resource checks fencing tokens
    bool taped = false;  ///< whether the history names a client that differs when run alone
};

class Cluster final : public Host {
public:
    /// With modelled Redis servers. `agenda` and `scripts` must outlive the cluster.
    Cluster(const ClusterConfig& config, Agenda& agenda, ScriptEngine& scripts);
    /// With `server` as Redis.
    Cluster(const ClusterConfig& config, Agenda& agenda, RemoteStore& server);
    ~Cluster() override;
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// The client begins its first round.
    void start(ClientId client, const Workload& workload);
    /// The client ends, without a fault: rest() and leave_for_good().
    void go_home(ClientId client);
    /// The client stops wanting the lock, and waits where it is until want_again().
    void rest(ClientId client);
    void want_again(ClientId client);
    /// A resting client never wants the lock again.
    void leave_for_good(ClientId client);

    /// Makes a possible move: an arrival, or a move that its client waits for and is not held up
    /// from.
    void apply(const Move& move);
    /// Call this instead for a move that no task waits for any more.
    void drop(const Move& move);
    /// Whether the wait that the move would end still goes on.
    bool is_waited_for(const Move& move) const;
    /// The end of a pause or stall that keeps the client from the move; in the past: nothing does.
    Instant held_up_until(const Move& move) const;

    /// A ready message leaves its client; `fault`, if any, strikes it.
    void depart(std::uint32_t message, const PlannedFault* fault = nullptr);
    /// A ready message will never be sent: its client is gone.
    void withdraw(std::uint32_t message);
    /// Gives the client this reply at once, instead of sending the message to a node.
    void answer(std::uint32_t message, Reply&& reply);
    /// The message that has to arrive before this one, on the same connection; nothing: none has.
    std::optional<std::uint32_t> ahead_of(std::uint32_t message) const;
    bool waits_behind_another(std::uint32_t message) const { return ahead_of(message).has_value(); }
    /// Every connection to the node breaks: what is on its way is lost, and each client learns of
    /// it at the latest when it gives up.
    void break_connections(NodeId id);
    /// For `outage` from now on, the node refuses whatever arrives; bring_back() ends that.
    void take_down(NodeId id, Duration outage);
    void bring_back(NodeId id) { node(id).down_until = value_.now; }
    /// A server that hangs goes on. While it hangs, nothing may arrive there: the drive waits.
    void end_hang(NodeId id) { node(id).hangs_until = value_.now; }
    /// Whether nothing gets through between the client's process and the node.
    Instant cut_until(ClientId client, NodeId id) const {
        return value_.cut_until[link_of(client, id)];
    }
    /// What the client's process and the node send to each other gets through again.
    void heal(ClientId client, NodeId id) { value_.cut_until[link_of(client, id)] = value_.now; }
    /// The client will take no reply to the message, and closes the connection: what it sends next
    /// does not wait behind it.
    void will_expire(std::uint32_t message);
    /// A fault strikes `client`, or a server, when the client is about to make a move. Messages
    /// whose replies have `reached` their clients, but are not taken yet, survive the loss of their
    /// connections.
    void strike(ClientId client, const PlannedFault& fault,
                std::span<const std::uint32_t> reached = {});

    /// A pause of the client's process that began at `since`, which may be in the past.
    void pause(ClientId client, Instant since, Duration length);
    void note_fault(ClientId client, const PlannedFault& fault, std::uint64_t call = 0);
    /// Whether every task of the client's process has finished.
    bool process_finished(ClientId client) const;
    /// Ends a pause of the client, or a stall of its background tasks, early.
    void end_pause(ClientId client) { value_.clients[client.value].paused_until = value_.now; }
    void end_stall(ClientId client) { value_.clients[client.value].stalled_until = value_.now; }
    /// A modelled server saves its data; its next restart with a snapshot brings them back.
    void save(NodeId id) { node(id).saved = node(id).data().keys_only(); }
    /// Whether the node is a replica that can take over: it has its master's data, and no client
    /// uses it.
    bool is_following(NodeId id) const {
        return id.value >= config_.topology.masters && id.value < nodes() && id != value_.master;
    }
    /// Makes a modelled server delete expired keys.
    void tick(NodeId id);
    /// The fault noted as this event lasted until now.
    void end_fault(std::size_t event);

    /// Lets time pass, never back.
    void pass_to(Instant now) { value_.now = now; }
    /// When the client gives up on a message.
    Instant patience_ends(const Message& message) const {
        return message.sent + config_.command_timeout;
    }
    const ClusterValue& value() const { return value_; }
    /// The reading of a node's own clock.
    WallTime clock_of(NodeId id) const { return time_at(value_.nodes[place_of(id)]); }
    const Message& message(std::uint32_t id) const { return value_.messages[id]; }
    /// The agenda calls this before the message departs.
    void set_arrival(std::uint32_t message, Instant at) { value_.messages[message].arrives = at; }
    Move move_of(MoveKind kind, std::uint32_t message) const;
    /// Over the connection that the client uses now.
    Route present_route(Route route) const {
        route.connection =
            value_.connections[place_of(route)][static_cast<std::size_t>(route.channel)];
        return route;
    }
    /// How often each rule was used.
    const Probes& probes() const { return probes_; }
    const Machine& machine(ClientId client) const { return *machines_[client.value]; }
    std::size_t events() const { return history_.events.size(); }
    /// The recorded history; the caller fills in how it was run. Call it once, after the run.
    History take_history();

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return config_.topology.masters; }
    /// Masters plus replicas.
    std::uint32_t nodes() const { return config_.topology.nodes(); }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    void threw(ClientId client, TaskId task, const std::string& words) override;
    /// What the lock threw first; empty: nothing.
    const std::string& thrown() const { return history_.threw; }
    std::uint64_t next_grant(ClientId client) override;
    bool enough(ClientId client) override { return agenda_.enough(client); }
    Choices& choices() override { return agenda_.choices(); }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

private:
    Cluster(const ClusterConfig& config, Agenda& agenda, ScriptEngine* scripts,
            RemoteStore* server);
    void add_node(Node node);
    std::uint32_t new_message(ClientId client, TaskId task, std::uint32_t ticket, NodeId server);
    void note_depart(const Message& message);
    void put_in_line(std::uint32_t id);
    void strike_message(Message& message, const PlannedFault& planned);
    void cut_link(const Route& route, const PlannedFault& fault);
    void lose(Message& message, Hazard how);
    void arrive(std::uint32_t id);
    void break_off(std::uint32_t id);
    void execute(Message& message);
    bool is_guarded_off(const Message& message) const;
    void count_execution(const Message& message);
    void send_again(const Move& move);
    void let_through_next(Message& message, std::uint32_t id);
    void leave_connection(const Route& route);
    void leave_connections(ClientId client);
    void close_if_over(const Route& route);
    void free_if_over(std::uint32_t id);
    void observe(const Move& move, std::uint64_t call, Reply&& reply);
    void end_wait(const Move& move);

    void strike_one(ClientId client, const PlannedFault& fault,
                    std::span<const std::uint32_t> reached);
    /// Calls `does` with each unfinished task of the client's process.
    template <class Does>
    void for_process(ClientId client, Does does) const;
    void crash(ClientId client);
    Tape* tape_of(ClientId client) {
        return tapes_.empty() ? nullptr : tapes_[client.value / config_.tasks].get();
    }
    std::optional<ClientId> differs_alone() const;
    void restart(const PlannedFault& fault, std::span<const std::uint32_t> reached);
    void fail_over(const PlannedFault& fault);
    void learn(ClientId client);
    /// The one of a client's locks that is at this node.
    ResourceId resource_at(NodeId id) const {
        return ResourceId{config_.resources > 1 && id != kOracle ? id.value : 0};
    }
    /// The node that stands for a server of the lock, from the client's view.
    NodeId node_for(ClientId client, NodeId server) const {
        const bool has_role = config_.topology.replicas > 0 && server != kOracle;
        return has_role ? value_.clients[client.value].master : server;
    }
    static void hold_up(Instant& held_until, Instant until);
    /// Call after the server's data may have changed: keeps a snapshot for a restart.
    void keep_snapshot(Node& server);
    /// The data of a modelled server as it was this long ago, from its snapshots.
    RedisModel data_before(const Node& server, Duration ago) const;

    /// The oracle's number is special; it is the last node.
    std::size_t place_of(NodeId id) const {
        return id == kOracle ? value_.nodes.size() - 1 : id.value;
    }
    Node& node(NodeId id) { return value_.nodes[place_of(id)]; }
    WallTime time_at(const Node& node) const;
    std::size_t place_of(const Route& route) const;
    /// All tasks of a process have one link to each node.
    std::size_t link_of(ClientId client, NodeId id) const {
        return first_task(client, config_.tasks).value * value_.nodes.size() + place_of(id);
    }
    std::uint32_t& last_sent(const Route& route) {
        return value_.last_sent[place_of(route)][static_cast<std::size_t>(route.channel)];
    }
    std::uint32_t& connection(const Route& route) {
        return value_.connections[place_of(route)][static_cast<std::size_t>(route.channel)];
    }

    const ClusterConfig config_;
    Agenda& agenda_;
    ScriptEngine* scripts_;
    ClusterValue value_;
    std::vector<std::unique_ptr<Tape>> tapes_;  ///< per process; empty unless taped
    std::vector<Locks> locks_;  ///< per process; they outlive the coroutines in the machines
    std::vector<std::unique_ptr<Machine>> machines_;
    std::vector<std::string> tokens_held_;  ///< of each client's last grant
    Outbox outbox_;
    Probes probes_;
    History history_;
};

}  // namespace locklab
