// One run against a real Redis: its clients, and what they share. One reactor has many at a time.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/passed_over.h"
#include "harness/live/live_client.h"
#include "harness/live/live_run.h"
#include "harness/live/real_host.h"

namespace locklab {

class LiveEpisode final : public Reactor::Sleeper {
public:
    LiveEpisode(LiveConfig config, Key key, ServerKeeper& keeper);
    ~LiveEpisode();

    /// `before`: earlier faults of servers whose effects last.
    void start(const std::vector<event::Fault>& before = {});
    /// Whether all clients have finished or crashed, or the patience is over.
    bool over() const { return run_.active == 0 || out_of_patience_; }
    /// Call it once over() is true. Then destroy the episode without another turn of the reactor.
    LiveResult take_result();

    bool is(const LiveRun& run) const { return &run == &run_; }
    bool uses(NodeId server) const { return server.value < host_.servers(); }
    /// A fault of another episode strikes one of its servers.
    void note_fault(const event::Fault& fault);
    bool has_replica() const { return run_.config.topology.replicas > 0; }
    /// The replica has stopped following: it takes over after `amount`, and each client learns of
    /// it later.
    void let_learn(Duration amount);

    void wake(const Reactor::Alarm& alarm) override;

private:
    friend RealHost<LiveEpisode>;

    void sleep(const Waiter& waiter, Duration time) { client_of(waiter).sleep(waiter, time); }
    void send(const Waiter& waiter, NodeId server, Command& command) {
        client_of(waiter).send(waiter, server, command);
    }
    void ask_oracle(const Waiter& waiter, Command& command) {
        client_of(waiter).ask_oracle(waiter, command);
    }
    void noted(ClientId client, Phase phase, EventDetail&& detail, ResourceId resource);
    void threw(TaskId task, const std::string& words);
    /// Whether the client continues though the run winds down.
    bool goes_on(ClientId client) const { return passed_over_.is(client); }
    Duration clock_offset(ClientId client) const { return clients_[client.value]->clock_offset(); }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round);
    LiveClient& client_of(const Waiter& waiter) { return *clients_[waiter.client.value]; }

    LiveRun run_;
    RealHost<LiveEpisode> host_;
    std::vector<Locks> locks_;  ///< by process; they outlive the clients, whose tasks use them
    std::vector<std::unique_ptr<LiveClient>> clients_;
    PassedOver passed_over_;
    Instant first_grant_;
    Instant last_grant_;
    bool out_of_patience_ = false;
    std::string threw_;  ///< see HistoryHead
};

}  // namespace locklab
