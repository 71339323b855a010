// One run as it can be shown to somebody: its history, and what was seen of the lock's key along
// the way. Whoever drives a run step by step makes it; pictures and tables are drawn from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// The lock's key, looked at on the server itself, and not as some client believes it to be.
struct KeySight {
    std::size_t event = 0;  ///< seen after this event, by its place in the history
    Instant at;
    /// The value; of a hash "field: value", several joined by ", ". Nothing: there is no key.
    std::optional<std::string> value;
    /// Time to live; nothing: it never expires, or there is no key.
    std::optional<Duration> ttl;
    NodeId node{};  ///< the server
};

/// Something to be told where it happened: a line of a script that was passed over.
struct Remark {
    std::size_t event = 0;  ///< told before this event, by its place in the history
    Instant at;
    std::string text;
};

struct Scene {
    std::string title;  ///< of the race that is played; may be empty
    History history;
    std::vector<KeySight> key;       ///< in order; one for each change that was seen
    std::vector<Remark> remarks;     ///< in order
    std::vector<std::string> names;  ///< of the clients, by number: "A", "B"
    /// When a reply comes is what the scene is about, and not a matter of milliseconds.
    bool tells_latency = false;
};

}  // namespace locklab
