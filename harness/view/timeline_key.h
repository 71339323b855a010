// The lock's key at one server, through a run: its value, its owner, and when it expires.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "harness/core/scene.h"
#include "harness/view/timeline_words.h"

namespace locklab {

class KeyTrail {
public:
    KeyTrail(const History& history, ShortWords& words, NodeId server)
        : history_(history), words_(words), server_(server) {}

    NodeId server() const { return server_; }
    const std::optional<TimelineKey>& now() const { return now_; }

    /// When the key expires by itself.
    std::optional<Instant> deadline() const;
    void expire() { now_.reset(); }

    /// The last event up to `event`, after the last sight, that changed the key.
    std::optional<std::size_t> cause_of(std::size_t event) const;

    enum class Change { none, explained, vanished, appeared };
    /// `explained`: an event since the last sight explains the change.
    Change see(const KeySight& sight);

    /// From now on the key is a copy of the one at another server.
    void copy(const KeyTrail& master) { owners_ = master.owners_; }

    /// A command moved the deadline. A sight may come later, or never.
    void extend(Instant at, const KeyEffect& effect);

private:
    std::optional<std::uint32_t> owner_of(const KeySight& sight,
                                          std::optional<std::size_t> cause) const;

    const History& history_;
    ShortWords& words_;
    NodeId server_;
    std::optional<TimelineKey> now_;
    std::size_t accounted_ = 0;  ///< events before this one are accounted for
    std::string raw_;            ///< the value as it was seen
    std::map<std::string, std::uint32_t> owners_;
};

}  // namespace locklab
