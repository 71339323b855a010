// How a play in virtual time ends. Threads of a library that still do something for it are let do
// so, since their commands would come in the next play.

#include <chrono>

#include "harness/foreign/virtual_world.h"

namespace locklab {

namespace {

/// Clients that send a command again do so within this, since all servers are up.
constexpr Duration kUntilAllIsDone = std::chrono::seconds(10);
/// Who has done with sending by then has come to rest.
constexpr Duration kUntilAtRest = kUntilAllIsDone / 2;
/// Commands and answers; who has more to say at once, or until it rests, never ends.
constexpr int kMostMessages = 2'000;

}  // namespace

void VirtualWorld::close(std::span<const bool> well) {
    for (const NodeId node : all_nodes()) set_server_clock(node, Duration(0));
    for (std::uint32_t i = 0; i < clients(); ++i) set_clock(i, Duration(0));
    for (std::uint32_t i = 0; i < clients(); ++i) {
        if (drivers_[i].driver == nullptr) continue;
        if (drivers_[i].stopped) go_on(i);
        if (well[i]) {
            check_alone(i);
            ask_and_await(i, DriverOp::close);
        } else {
            kill(i);
        }
    }
    end_connections();
    start_servers();
    let_run_out();
    left_.clear();
}

void VirtualWorld::end_drivers() {
    for (std::uint32_t i = 0; i < clients(); ++i) kill(i);
    end_connections();
    let_arrive();
    start_servers();
    left_.clear();
}

void VirtualWorld::end_connections() {
    for (; connections_ < proxy_->connections(); ++connections_) proxy_->reset(connections_ + 1);
    begun_ = true;
    look();
}

bool VirtualWorld::let_arrive() {
    for (int messages = 0; messages < kMostMessages && !held_.empty(); ++messages) {
        let_go(held_.front(), nullptr);
    }
    return held_.empty();
}

bool VirtualWorld::has_timer(std::uint32_t client, Instant until) const {
    const std::optional<Instant> next = deadline(client);
    return next && *next < until;
}

void VirtualWorld::let_pass(Duration time) {
    const Instant end{std::chrono::ceil<std::chrono::seconds>((now() + time).time_since_epoch())};
    for (int messages = 0; messages < kMostMessages; messages += held_.empty() ? 0 : 1) {
        const std::optional<Instant> next = next_deadline();
        if (held_.empty() && (!next || *next > end)) break;
        go_on_by_itself();
    }
    begin_second(end);
}

void VirtualWorld::look_at_timers(std::uint32_t client) {
    drivers_[client].ticks = has_timer(client, now() + kUntilAllIsDone);
}

/// Lets all clients do what they still do, and ends those that do not come to an end: who sends,
/// and whose timers go on as they did not when it had begun.
void VirtualWorld::let_run_out() {
    const Instant begin = now();
    const Instant end = begin + kUntilAllIsDone;
    std::vector<Instant> sent(clients(), begin);
    const auto has_next = [&] {
        if (!held_.empty()) return true;
        for (std::uint32_t i = 0; i < clients(); ++i) {
            if (has_timer(i, end)) return true;
        }
        return false;
    };
    int messages = 0;
    while (now() < end && messages < kMostMessages && has_next()) {
        if (!held_.empty()) {
            sent[held_.front().client] = now();
            ++messages;
        }
        go_on_by_itself();
    }
    for (std::uint32_t i = 0; i < clients(); ++i) {
        const bool ticks = now() > begin + kUntilAtRest && has_timer(i, end + kUntilAllIsDone);
        const bool rests = messages < kMostMessages && sent[i] < begin + kUntilAtRest &&
                           (drivers_[i].ticks || !ticks);
        if (!rests && drivers_[i].driver != nullptr) kill(i);
    }
    end_connections();
    let_arrive();
}

}  // namespace locklab
