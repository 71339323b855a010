// A stage that tests make moves on, one by one, in words.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "algorithms/registry.h"
#include "harness/stage/sim_world.h"
#include "harness/stage/stage.h"

namespace locklab {

inline constexpr ClientId kA{0};
inline constexpr ClientId kB{1};

/// One fault for the next command to Redis.
class NextFault final : public CommandFaults {
public:
    CommandFault on_send(const Wait& wait) override {
        return wait.node == kOracle ? CommandFault::none : std::exchange(next, CommandFault::none);
    }
    CommandFault next = CommandFault::none;
};

/// The simulated world, and whose connections were closed, each client once.
class WatchedWorld final : public StageWorld {
public:
    std::string_view name() const override { return sim_.name(); }
    void begin(const Algorithm& algorithm) override { sim_.begin(algorithm); }
    Instant now() override { return sim_.now(); }
    void wait_until(Instant at) override { sim_.wait_until(at); }
    Reply execute(NodeId server, const ClientId* client, const Command& command) override {
        return sim_.execute(server, client, command);
    }
    void close(const Route& route) override {
        sim_.close(route);
        const bool is_known = !disconnected.empty() && disconnected.back() == route.client;
        if (!is_known) disconnected.push_back(route.client);
    }
    void restart(NodeId server) override { sim_.restart(server); }
    void restore(NodeId server, Duration age) override { sim_.restore(server, age); }
    void save(NodeId server) override { sim_.save(server); }
    void restore_saved(NodeId server) override { sim_.restore_saved(server); }
    void jump_clock(NodeId server, Duration by) override { sim_.jump_clock(server, by); }
    void take_over(NodeId replica, NodeId master) override { sim_.take_over(replica, master); }

    std::vector<ClientId> disconnected;

private:
    SimWorld sim_;
};

/// A stage in sim with clients A and B, a TTL of 10 s, jobs of 20 s, and time-outs after 1 s.
class StageTest : public testing::Test {
protected:
    void set_up(std::string_view algorithm) {
        StageConfig config;
        config.algorithm = algorithm_named(algorithm);
        config.options = config.algorithm->defaults;
        config.options.ttl = std::chrono::seconds(10);
        config.options.renewal = std::chrono::seconds(3);
        StageClient client;
        client.workload.job = {std::chrono::seconds(20), std::chrono::seconds(20)};
        client.workload.wait = {WaitPolicy::Kind::fixed, std::chrono::milliseconds(250)};
        config.clients = 2;
        config.roles = {client, client};
        config.command_timeout = std::chrono::seconds(1);
        stage_.emplace(std::move(config), client_, faults_);
    }

    /// What can be made now, in short: "A sends SET", "A takes", "A wakes", "A's watchdog wakes".
    std::string offered() {
        std::string text;
        for (const Cue& move : stage_->moves()) text += (text.empty() ? "" : ", ") + words(move);
        return text;
    }
    static std::string words(const Cue& move) {
        const Wait& wait = *move.wait;
        const std::string name = (wait.client == kA ? "A" : "B");
        const std::string who = name + (wait.task.is_worker() ? "" : "'s watchdog");
        switch (move.kind) {
            case Cue::Kind::send:
                return who + " sends " +
                       (wait.command.script() == nullptr ? std::string(wait.command[0]) : "EVAL");
            case Cue::Kind::take: return who + " takes";
            case Cue::Kind::wake: return who + " wakes";
            case Cue::Kind::expire: return who + " gives up";
            case Cue::Kind::arrive: return who + "'s request arrives";
            case Cue::Kind::come: return who + "'s reply comes";
        }
        return "";
    }
    /// Makes the move of these words; it must be there.
    void make(const std::string& wanted) {
        for (const Cue& move : stage_->moves()) {
            if (words(move) == wanted) return stage_->make(move);
        }
        FAIL() << "no '" << wanted << "' in '" << offered() << "'";
    }
    void pass(Duration time) { stage_->pass_until(stage_->time() + time); }
    /// The client goes through the one command of its try, and reads the register.
    void acquire(ClientId client, const std::string& command) {
        const std::string name = client == kA ? "A" : "B";
        stage_->start(client);
        make(name + " sends " + command);
        make(name + " takes");
        EXPECT_EQ(stage_->phase(client), Phase::inside);
        make(name + " sends READ");
        make(name + " takes");
    }
    bool has_key() {
        return client_.execute(NodeId{0}, nullptr, Command::of("EXISTS", "lock")).is_integer(1);
    }

    WatchedWorld client_;
    NextFault faults_;
    std::optional<Stage> stage_;
};

}  // namespace locklab
