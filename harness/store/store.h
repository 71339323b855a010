// A server, seen from outside: it takes inputs and puts its replies into an outbox. It is a value
// without a clock of its own. A snapshot is a copy.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// One of a client's connections to a node.
enum class Channel : std::uint8_t { worker, background };
inline constexpr std::size_t kChannels = 2;

inline Channel channel_of(TaskId task) {
    return task.is_worker() ? Channel::worker : Channel::background;
}

/// A connection.
struct Route {
    ClientId client;
    Channel channel = Channel::worker;
    NodeId node;
    std::uint32_t connection = 0;  ///< how many connections its client had there before

    bool operator==(const Route&) const = default;
};

/// A command has arrived. The pointer must be valid only during the call.
struct Request {
    Route route;
    const Command* command = nullptr;
};

/// A connection has closed, and its server learns of it.
struct Closed {
    Route route;
};

/// Time has passed, and the server removes what has expired.
struct Tick {};

using Input = std::variant<Request, Closed, Tick>;

/// The result of an input. Reuse one object: it keeps its memory.
class Outbox {
public:
    /// Call before each input.
    void clear() {
        reply_.reset();
        delta_.reset();
        others_.clear();
        note_.reset();
    }

    void reply(Reply reply) { reply_ = std::move(reply); }
    /// The effect of the input on the key that the store watches.
    void delta(const KeyEffect& effect) { delta_ = effect; }
    /// The effects on other keys.
    void others(std::vector<event::OtherKey> found) { others_ = std::move(found); }
    /// An event for the history besides the command.
    void note(EventDetail detail) { note_ = std::move(detail); }

    /// For the sender of the request; there must have been a reply.
    Reply take_reply() { return std::move(*reply_); }
    /// Empty if no key is watched.
    const std::optional<KeyEffect>& delta() const { return delta_; }
    std::vector<event::OtherKey> take_others() { return std::move(others_); }
    std::optional<EventDetail>& note() { return note_; }

private:
    std::optional<Reply> reply_;
    std::optional<KeyEffect> delta_;
    std::vector<event::OtherKey> others_;
    std::optional<EventDetail> note_;
};

/// A server that is not a value: its replies come from elsewhere.
class RemoteStore {
public:
    virtual void on(const Input& input, WallTime now, Outbox& out) = 0;

protected:
    ~RemoteStore() = default;
};

}  // namespace locklab
