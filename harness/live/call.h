// One command of a client on its way to Redis and back, and what goes wrong with it.
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
    std::uint64_t number = 0;  ///< by which the history knows it
    TaskId task;
    NodeId server;               ///< as its lock calls it
    std::array<NodeId, 2> node;  ///< where each attempt goes
    std::uint32_t ticket = 0;
    Command command;
    /// The fault of messages that struck it, if one did.
    Hazard fault = kNoFault;
    /// When each attempt left for Redis. Only a retry has two.
    std::array<Instant, 2> sent;
    std::uint32_t attempt = 0;  ///< the one whose reply is waited for
    std::uint32_t open = 0;     ///< attempts that are under way or, delayed, will be
    Instant deadline;           ///< when the client gives up on this attempt
    bool settled = false;       ///< it is decided what the client is told
    Link* route = nullptr;      ///< of a delayed request, if it found a connection
    Duration reply_late{0};     ///< by how much its reply is held up
    std::optional<Reply> held;  ///< the reply that is

    /// Whether the client library will send it a second time.
    bool awaits_retry() const { return fault == Hazard::retry && attempt == 0; }
    /// Whether nothing can become of it any more.
    bool is_done() const { return settled && open == 0 && !awaits_retry(); }
    /// For another command, which may use the memory of this one.
    void reset() {
        Command used = std::move(command);
        *this = Call{};
        command = std::move(used);
    }
};

/// Who is told what became of its calls: once for each attempt that was handed to a connection,
/// from the loop. Unknown: the connection broke, or there is none to be had.
class CallListener {
public:
    virtual void answered(Call& call, std::uint32_t attempt, Reply reply) = 0;
    /// A connection broke, or there is none to be had; `why` is to be shown. Before the calls on it
    /// are answered.
    virtual void disconnected(const std::string& why) = 0;

protected:
    ~CallListener() = default;
};

/// The calls of one client, a handful at any time. Their memory is used again.
class Calls {
public:
    Call& add() {
        if (spare_.empty()) spare_.push_back(std::make_unique<Call>());
        current_.push_back(std::move(spare_.back()));
        spare_.pop_back();
        return *current_.back();
    }
    /// Null if there is none of this number.
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
