// A stage: clients whose every step waits for its cue. At any time some moves are possible (a
// request is sent, a reply is taken, a timer fires); Choices picks one. Time passes only in
// pass_until(); nothing else takes time.
//
// The simulator draws how long messages take; a script or a search must say it, also on a real
// Redis. So a stage is a separate world.
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
#include "harness/stage/play_stage.h"
#include "harness/stage/stage_world.h"

namespace locklab {

struct StageClient {
    Workload workload;
    Duration clock_offset{0};
};

struct StageConfig : ClusterConfig {
    std::vector<StageClient> roles{};  ///< of each client
};

class Stage final : public PlayStage, private Agenda, private RemoteStore {
public:
    /// `world` and `faults` must outlive the stage.
    Stage(StageConfig config, StageWorld& world, CommandFaults& faults);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    std::vector<Cue> moves() override;
    /// Makes the move that `choices` picks; at least one must be possible.
    void step(Choices& choices);
    void make(const Cue& move) override;
    bool wake_early(ClientId client) override;
    void next_job(ClientId client, Duration length) override {
        clients_[client.value].next_job = length;
    }
    std::optional<Instant> next_due(const Counts& counts) const override;
    void pass_until(Instant at) override;
    bool is_waiting(std::uint32_t wait) const override;
    bool waits_for_network(ClientId client) const override;
    Instant time() override { return world_.now(); }

    void start(ClientId client) override;
    bool started(ClientId client) const override { return clients_[client.value].started; }
    const Progress& progress(ClientId client) const override {
        return clients_[client.value].progress;
    }
    Phase phase(ClientId client) const override {
        return cluster_.machine(client).phase_of(TaskId{});
    }
    std::string_view algorithm() const override { return config_.algorithm->name; }
    std::uint32_t clients() const override { return static_cast<std::uint32_t>(clients_.size()); }
    Instant last_grant() const override { return cluster_.value().last_grant; }
    std::size_t events() const { return cluster_.events(); }

    void pause(ClientId client) override;
    void resume(ClientId client) override;
    void stall(ClientId client) override;
    void unstall(ClientId client) override;
    void crash(ClientId client) override;
    void go_home(ClientId client) override;
    void rest(ClientId client) override;
    bool come_back(ClientId client) override;
    void jump_clock(ClientId client, Duration by) override;
    void restart(Duration outage = {}, NodeId server = {}) override;
    void bring_back(NodeId server) override { cluster().bring_back(server); }
    void hang(NodeId server) override;
    void go_on(NodeId server) override;
    void cut(ClientId client, NodeId server) override;
    void heal(ClientId client, NodeId server) override;
    void restore(Duration age, NodeId server = {}) override;
    void save(NodeId server = {}) override;
    void restore_saved(NodeId server = {}) override;
    void jump_server_clock(Duration by, NodeId server = {}) override;
    void cut_off_replica() override;
    void take_over() override;
    bool has_taken_over() const override { return took_over_; }
    void learn(ClientId client) override;
    using PlayStage::evict;
    void evict(NodeId server, const std::string& key) override;
    void flush(NodeId server) override;

    void remark(std::string text) override;
    void close() override { closing_ = true; }
    Scene take_scene(Duration patience) override;

private:
    struct Client {
        std::optional<Duration> next_job;
        std::optional<std::size_t> paused;  ///< since this event
        std::optional<std::size_t> stalled;
        bool started = false;
        bool rests = false;  ///< it gave up
        Progress progress;
    };

    bool is_awake(const Wait& wait) const;
    std::optional<Cue::Kind> move_of(const Wait& wait);
    bool may_come_in_time(const Wait& wait);
    void is_ready(std::uint32_t message) override;
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    Choices& choices() override { return calm_; }
    bool enough(ClientId) override { return closing_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;
    /// The world answers in place of Redis.
    void on(const Input& input, WallTime now, Outbox& out) override;

    /// The cluster, with its time set to the world's.
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
    void note_fault(NodeId server, Hazard hazard, Duration amount, const std::string& key = {});
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
    Wait* again_ = nullptr;  ///< the wait whose message is being sent again
    std::map<NodeId, Instant> saved_at_;
    std::map<NodeId, std::size_t> hung_;  ///< servers that hang, since this event
    std::map<std::pair<ClientId, NodeId>, std::size_t> cut_;  ///< links, since this event
    bool closing_ = false;
    std::optional<std::size_t> cut_off_;  ///< the replica, since this event
    bool took_over_ = false;
    Scene scene_;
    Cluster cluster_;
};

}  // namespace locklab
