// The lock's key at one server, through a run: what it holds, whose it is, and when its time runs
// out.
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

    /// When it will be gone by itself.
    std::optional<Instant> deadline() const;
    void expire() { now_.reset(); }

    /// The last event, up to `event`, after the last sight, that did something to the key.
    std::optional<std::size_t> cause_of(std::size_t event) const;

    enum class Change { none, explained, vanished, appeared };
    /// `explained`: an event since the last sight is why the key is other than it was.
    Change see(const KeySight& sight);

    /// From now on it is a copy of what the key is at another server.
    void copy(const KeyTrail& master) { owners_ = master.owners_; }

    /// A command moved the deadline. Sights may come later, or not at all.
    void extend(Instant at, const KeyEffect& effect);

private:
    std::optional<std::uint32_t> owner_of(const KeySight& sight,
                                          std::optional<std::size_t> cause) const;

    const History& history_;
    ShortWords& words_;
    NodeId server_;
    std::optional<TimelineKey> now_;
    std::size_t accounted_ = 0;  ///< events before this one were accounted for
    std::string raw_;            ///< the value as it was seen
    std::map<std::string, std::uint32_t> owners_;
};

}  // namespace locklab
