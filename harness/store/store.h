// A server, seen from outside: it is given inputs and puts what it answers into an outbox. It is a
// value, and has no clock of its own. A snapshot is a copy.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// Which of a client's connections to a node.
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

    bool operator==(const Route&) const = default;
};

/// A command has arrived. It must be there only during the call.
struct Request {
    Route route;
    const Command* command = nullptr;
};

/// A connection has closed, and its server learns of it.
struct Closed {
    Route route;
};

/// Time has passed, and the server looks what has come to its end.
struct Tick {};

using Input = std::variant<Request, Closed, Tick>;

/// What came of an input. Used again and again, it keeps its memory.
class Outbox {
public:
    /// To be called before each input.
    void clear() {
        reply_.reset();
        delta_.reset();
        others_.clear();
        note_.reset();
    }

    void reply(Reply reply) { reply_ = std::move(reply); }
    /// What the input did to the key that the store watches.
    void delta(const KeyEffect& effect) { delta_ = effect; }
    /// And to others.
    void others(std::vector<event::OtherKey> found) { others_ = std::move(found); }
    /// What the history keeps of it beside the command.
    void note(EventDetail detail) { note_ = std::move(detail); }

    /// For whoever sent the request: there must have been one.
    Reply take_reply() { return std::move(*reply_); }
    /// Nothing where no key is watched.
    const std::optional<KeyEffect>& delta() const { return delta_; }
    std::vector<event::OtherKey> take_others() { return std::move(others_); }
    std::optional<EventDetail>& note() { return note_; }

private:
    std::optional<Reply> reply_;
    std::optional<KeyEffect> delta_;
    std::vector<event::OtherKey> others_;
    std::optional<EventDetail> note_;
};

/// A server that is no value: what it answers is found out elsewhere.
class RemoteStore {
public:
    virtual void on(const Input& input, WallTime now, Outbox& out) = 0;

protected:
    ~RemoteStore() = default;
};

}  // namespace locklab
