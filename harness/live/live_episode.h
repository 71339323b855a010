// One run against a real Redis: its clients, and the host that they see. Many are under way in
// one reactor at the same time.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/host.h"
#include "harness/core/random_choices.h"
#include "harness/live/live_client.h"
#include "harness/live/live_run.h"
#include "harness/live/random_hex.h"

namespace locklab {

class LiveEpisode final : public Host, public Reactor::Sleeper {
public:
    LiveEpisode(LiveConfig config, Key key, ServerKeeper& keeper);
    ~LiveEpisode() override;

    void start();
    /// Whether all clients have finished or crashed, or the patience is over.
    bool over() const { return run_.active == 0 || out_of_patience_; }
    /// Once it is over. It must then be destroyed without another turn of the reactor.
    LiveResult take_result();

    bool is(const LiveRun& run) const { return &run == &run_; }
    bool uses(NodeId server) const { return server.value < servers(); }
    /// A fault of another episode strikes one of its servers.
    void note_fault(const PlannedFault& fault);
    bool has_replica() const { return run_.config.topology.replicas > 0; }
    /// From now on the replica takes over after `amount`, and each client learns of it later.
    void let_learn(Duration amount);

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return run_.config.topology.masters; }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    std::uint64_t next_grant(ClientId client) override;
    bool enough(ClientId client) override;
    Choices& choices() override { return choices_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

    void wake(const Reactor::Alarm& alarm) override;

private:
    LiveRun run_;
    RandomChoices choices_;
    RandomHex tokens_;
    std::vector<Locks> locks_;  ///< of each process; they outlive the clients, whose tasks use them
    std::vector<std::unique_ptr<LiveClient>> clients_;
    std::uint64_t grants_ = 0;
    Instant first_grant_;
    Instant last_grant_;
    bool out_of_patience_ = false;
};

}  // namespace locklab
