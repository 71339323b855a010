// One run as it can be shown to people: its history, and what was seen of the lock's key meanwhile.
// A step-by-step driver makes it; pictures and tables are drawn from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// The lock's key as read from the server itself, and not as a client believes it to be.
struct KeySight {
    std::size_t event = 0;  ///< seen after this event, by its index in the history
    Instant at;
    /// The value; for a hash "field: value", joined by ", ". Empty: there is no key.
    std::optional<std::string> value;
    /// Time to live; empty: the key never expires, or there is no key.
    std::optional<Duration> ttl;
    NodeId node{};  ///< the server
};

/// A note at the place where it applies, such as a script line that was passed over.
struct Remark {
    std::size_t event = 0;  ///< shown before this event, by its index in the history
    Instant at;
    std::string text;
};

struct Scene {
    std::string title;  ///< of the race that is shown; may be empty
    History history;
    std::vector<KeySight> key;       ///< in order; one for each change that was seen
    std::vector<Remark> remarks;     ///< in order
    std::vector<std::string> names;  ///< of the clients, by number: "A", "B"
    /// The scene is about when replies come, so that milliseconds of delay count.
    bool tells_latency = false;
};

}  // namespace locklab
