// Unchanged redis-servers and driver processes in real time, with the proxy between them, which
// holds each command and each answer until let_go().
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/foreign/gate_inbox.h"
#include "harness/foreign/play_world.h"
#include "harness/foreign/team.h"
#include "harness/live/managed_servers.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

class RealWorld final : public PlayWorld {
public:
    struct Opening {
        std::uint32_t clients = 2;
        Duration ttl{0};
        Duration timeout{0};         ///< of a command
        bool client_clocks = false;  ///< they must be able to be wrong
    };

    /// Starts all processes; each client has taken and released the lock once. It uses the team
    /// alone until close(). Throws DriverTrouble.
    RealWorld(const Subject& subject, ManagedServers& servers, Team& team, const Opening& opening);

    void close(std::span<const bool> well) override;

    Instant now() const override;
    std::uint32_t clients() const override { return static_cast<std::uint32_t>(players_.size()); }
    std::uint32_t nodes() const override { return servers_.size(); }

    const std::deque<HeldFrame>& held() const override { return held_; }
    bool has_left(std::uint32_t connection) const override { return left_.contains(connection); }
    void let_go(const HeldFrame& frame, const FaultRule* fault) override;

    std::uint64_t ask(std::uint32_t client, DriverOp op,
                      const nlohmann::ordered_json& more) override;
    void cancel(std::uint32_t client, std::uint64_t id) override;
    std::vector<DriverWord> take_words(std::uint32_t client) override;

    /// Anything may happen at any time.
    std::optional<Instant> next_deadline() const override { return now(); }
    std::optional<Instant> deadline(std::uint32_t) const override { return std::nullopt; }
    void move_to(Instant later) override;
    bool fire_one() override { return false; }
    std::uint64_t observed() const override { return observed_; }

    void stop(std::uint32_t client) override;
    void go_on(std::uint32_t client) override;
    void kill(std::uint32_t client) override;
    const std::string& key() const override { return key_; }
    KeyLook look_at_key(NodeId node, const std::string& key) override {
        return watches_[node.value].look(key);
    }
    bool is_up(NodeId node) const override { return servers_.is_up(node); }
    void kill_server(NodeId node) override { servers_.kill(node); }
    void start_server(NodeId node) override { servers_.bring_back(node); }
    void freeze_server(NodeId node) override;
    void thaw_server(NodeId node) override { servers_.thaw(node); }
    std::vector<std::string> keys_to_evict(NodeId node) override {
        return watches_[node.value].keys_to_evict();
    }
    void evict(NodeId node, const std::string& told) override { watches_[node.value].evict(told); }
    void flush(NodeId node) override { watches_[node.value].remove_all(); }
    void set_server_clock(NodeId node, Duration ahead) override {
        servers_.jump_clock(node, ahead - servers_.clock_ahead(node));
    }
    void set_clock(std::uint32_t client, Duration ahead) override {
        team_.clock(client).set_ahead(ahead);
    }

private:
    struct Player {
        bool stopped = false;
        bool dead = false;
        std::vector<DriverWord> words{};
    };

    std::string open(const Opening& opening);
    void look();
    void settle();
    void take(const GateInbox::News& news);
    void hear(std::uint32_t client);

    ManagedServers& servers_;
    Team& team_;
    const LinkTable links_;
    const std::chrono::steady_clock::time_point began_;
    std::string key_;
    std::unique_ptr<GateInbox> inbox_;
    std::unique_ptr<ProxyThread> proxy_;
    std::vector<KeyWatch> watches_;  ///< by node
    std::vector<Player> players_;
    std::deque<HeldFrame> held_;
    std::set<std::uint32_t> left_;
    std::uint64_t observed_ = 0;
};

}  // namespace locklab
