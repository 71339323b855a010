// The host of clients in real time: the machine's clocks, tokens from the kernel, when a run winds
// down, and what a task waits for. How a command reaches a server, and where events go, is up to
// their transport: a loop with faults and a history, one blocking connection, a driver.
//
// A transport is a class with these members; a template saves a virtual call per wait:
//
// void sleep(const Waiter&, Duration)                      wakes it after this time
// void send(const Waiter&, NodeId server, Command&)        may swap the command for a used one
// void ask_oracle(const Waiter&, Command&)                 the same
// void noted(ClientId, Phase, EventDetail&&, ResourceId)   gets each event of a client
// void threw(TaskId, const std::string& words)             see Host
//
// and these, which Faultless has for a transport without faults:
//
// Duration clock_offset(ClientId)                          how far its wall clock is off
// optional<Duration> slow_job(ClientId, uint32_t round)    see Host
// bool goes_on(ClientId)                                   though the run winds down
//
// As Host says, it answers later, and never from inside these calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "harness/core/assert.h"
#include "harness/core/host.h"
#include "harness/core/random_choices.h"
#include "harness/core/token_text.h"
#include "harness/live/random_hex.h"

namespace locklab {

/// Receiver of an answer.
struct Waiter {
    ClientId client;
    TaskId task;
    std::uint32_t ticket = 0;
};

struct Faultless {
    static Duration clock_offset(ClientId) { return Duration::zero(); }
    static std::optional<Duration> slow_job(ClientId, std::uint32_t) { return std::nullopt; }
    static bool goes_on(ClientId) { return false; }
};

template <class Transport>
class RealHost final : public Host {
public:
    using Clock = std::chrono::steady_clock;

    /// `transport` must outlive it.
    RealHost(Transport& transport, std::uint32_t servers, std::uint64_t seed = 1,
             std::uint64_t run = 0)
        : transport_(transport), servers_(servers), choices_(seed, run) {}
    RealHost(const RealHost&) = delete;
    RealHost& operator=(const RealHost&) = delete;

    /// Time counts from `began`, and there are no grants yet. The run winds down after this many
    /// grants, and after this time; zero: no limit.
    void begin(Clock::time_point began, std::uint64_t grants, Duration duration) {
        began_ = began;
        most_grants_ = grants;
        duration_ = duration;
        grants_ = 0;
    }
    Instant time() const {
        return Instant(std::chrono::duration_cast<Duration>(Clock::now() - began_));
    }
    std::uint64_t grants() const { return grants_; }

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return servers_; }
    WallTime now(ClientId client) override {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        return WallTime(std::chrono::duration_cast<Duration>(now) +
                        transport_.clock_offset(client));
    }
    MonotonicTime monotonic(ClientId) override { return MonotonicTime(time().time_since_epoch()); }
    Token fresh_token(ClientId) override {
        return Token{mixed_token(tokens_.draw(kTokenDigits / 2))};
    }
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override {
        transport_.noted(client, phase, std::move(detail), resource);
    }
    void threw(ClientId, TaskId task, const std::string& words) override {
        transport_.threw(task, words);
    }
    std::uint64_t next_grant(ClientId) override { return ++grants_; }
    bool enough(ClientId client) override {
        if (grants_ >= most_grants_) return !transport_.goes_on(client);
        return duration_ != Duration::zero() && time().time_since_epoch() >= duration_;
    }
    Choices& choices() override { return choices_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override {
        return transport_.slow_job(client, round);
    }

private:
    Transport& transport_;
    const std::uint32_t servers_;
    RandomHex tokens_;
    RandomChoices choices_;
    Clock::time_point began_{};
    std::uint64_t most_grants_ = ~std::uint64_t{0};
    Duration duration_{0};
    std::uint64_t grants_ = 0;
    Command copy_;  ///< of a command that goes to several servers
};

template <class Transport>
void RealHost<Transport>::act(ClientId client, TaskId task, Action& action) {
    const Waiter waiter{client, task, action.ticket};
    if (action.kind == Action::Kind::sleep) return transport_.sleep(waiter, action.sleep);
    if (action.node == kOracle) return transport_.ask_oracle(waiter, action.command);
    // The last server gets the command itself, with the memory that the action will reuse.
    const NodeId last = action.to_all ? NodeId{servers_ - 1} : action.node;
    LOCKLAB_ASSERT(last.value < servers_);
    for (std::uint32_t i = 0; action.to_all && i < last.value; ++i) {
        copy_ = action.command;
        transport_.send(waiter, NodeId{i}, copy_);
    }
    transport_.send(waiter, last, action.command);
}

}  // namespace locklab
