// One command of a client on its way to Redis and back, and the faults that strike it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/hazard.h"
#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"

namespace locklab {

class Link;

struct Call {
    std::uint64_t number = 0;  ///< its number in the history
    TaskId task;
    NodeId server;               ///< as its lock names it
    std::array<NodeId, 2> node;  ///< the node that each attempt goes to
    std::uint32_t ticket = 0;
    Command command;
    /// The message fault that struck it, if any.
    Hazard fault = kNoFault;
    /// When each attempt left for Redis. Only a retry has two.
    std::array<Instant, 2> sent;
    std::uint32_t attempt = 0;  ///< the attempt whose reply the client waits for
    std::uint32_t open = 0;     ///< attempts in flight, or delayed
    Instant deadline;           ///< when the client gives up on this attempt
    bool settled = false;       ///< what the client is told is decided
    Link* route = nullptr;      ///< of a delayed request, if it found a connection
    Duration reply_late{0};     ///< delay of its reply
    std::optional<Reply> held;  ///< the delayed reply, or one in place of Redis'
    bool runs = true;           ///< false: a fault keeps it from leaving for Redis

    /// Whether the client library will send it a second time.
    bool awaits_retry() const { return fault == Hazard::retry && attempt == 0; }
    /// Whether nothing more can happen to it.
    bool is_done() const { return settled && open == 0 && !awaits_retry(); }
    /// Prepares it for another command, which may use the memory of this one.
    void reset() {
        Command used = std::move(command);
        *this = Call{};
        command = std::move(used);
    }
};

/// Is told the results of its calls: once for each attempt that was handed to a connection, from
/// the loop. Unknown: the connection broke, or could not be opened.
class CallListener {
public:
    virtual void answered(Call& call, std::uint32_t attempt, Reply reply) = 0;
    /// A connection broke, or could not be opened; `why` can be shown. Called before the calls on
    /// it are answered.
    virtual void disconnected(const std::string& why) = 0;

protected:
    ~CallListener() = default;
};

/// The calls of one client, a handful at a time. Their memory is reused.
class Calls {
public:
    Call& add() {
        if (spare_.empty()) spare_.push_back(std::make_unique<Call>());
        current_.push_back(std::move(spare_.back()));
        spare_.pop_back();
        return *current_.back();
    }
    /// Null if there is no call with this number.
    Call* find(std::uint64_t number) {
        const auto found = std::find_if(current_.begin(), current_.end(),
                                        [&](const auto& call) { return call->number == number; });
        return found == current_.end() ? nullptr : found->get();
    }
    template <class Which>
    void remove_if(Which which) {
        for (std::size_t i = current_.size(); i-- > 0;) {
            if (!which(*current_[i])) continue;
            std::swap(current_[i], current_.back());
            current_.back()->reset();
            spare_.push_back(std::move(current_.back()));
            current_.pop_back();
        }
    }
    void remove(const Call& call) {
        remove_if([&](const Call& other) { return &other == &call; });
    }

    auto begin() { return current_.begin(); }
    auto end() { return current_.end(); }

private:
    std::vector<std::unique_ptr<Call>> current_;
    std::vector<std::unique_ptr<Call>> spare_;
};

}  // namespace locklab
