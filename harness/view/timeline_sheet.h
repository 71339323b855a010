// The sheet on which a timeline is drafted: it tracks what every lifeline shows, and adds what no
// event tells: a key that expires, a pause that ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/scene.h"
#include "harness/view/timeline_draft.h"
#include "harness/view/timeline_key.h"
#include "harness/view/timeline_words.h"

namespace locklab {

class TimelineSheet {
public:
    TimelineSheet(const Scene& scene, ShortWords& words);

    const std::string& name(std::uint32_t client) const { return names_[client]; }
    const std::vector<std::string>& names() const { return names_; }
    std::size_t servers() const { return keys_.size(); }
    /// The lock's key at a server. A foreign history may name any server: beyond the possible
    /// number, the last one stands for all others.
    KeyTrail& key(NodeId server) {
        return keys_[std::min<std::size_t>(server.value, keys_.size() - 1)];
    }
    std::vector<TimelineDraft>& drafts() { return drafts_; }
    /// Until then the replica is shown with its master's key; from now on it has its own.
    void take_over(NodeId replica);

    /// A row with the current lifelines. Valid until the next one is added.
    TimelineRow& add(TimelineRow::Kind kind, Instant at, std::optional<std::uint32_t> client,
                     TimelineDraft::Role role = TimelineDraft::Role::none);
    /// A row that follows the last one, even if that is joined to another.
    void mark(std::uint32_t by, std::optional<std::uint32_t> other, std::string text,
              std::string detail);

    /// Adds what happens by itself, or was seen of the key, before event `next` and by `until`.
    void advance(std::size_t next, Instant until);
    void tell_remarks_before(std::size_t next);
    /// A command found no key: if there was one, it expired just before.
    void key_was_free(NodeId server, Instant at);
    /// Updates the lifelines for the event at this place; its rows come next.
    void follow(std::size_t place);
    /// Takes what was seen of the key at this event.
    void see_key_after(std::size_t event);

private:
    /// A pause, or a watchdog's stall. Without an end it lasts until its client does something.
    struct Rest {
        std::uint32_t client = 0;
        bool stall = false;
        std::optional<Instant> until;
    };
    void begin_rest(const Event& event, const event::Fault& fault);
    void end_rests(const Event& event);
    void wake(std::size_t rest, Instant at);
    std::size_t first_to_wake(Instant until) const;
    void expire(KeyTrail& key, Instant at);
    void show_keys_from(std::size_t event);
    std::vector<std::optional<TimelineKey>> keys_now() const;
    /// The key that expires first; null: none does.
    KeyTrail* first_to_expire();
    /// " at Redis 2", if there are several.
    std::string where(const KeyTrail& key) const;
    KeyTrail::Change see(const KeySight& sight, Instant at);

    const Scene& scene_;
    ShortWords& words_;
    std::vector<std::string> names_;
    std::vector<Lifeline> lifelines_;
    std::vector<Rest> rests_;
    std::vector<KeyTrail> keys_;      ///< one per server
    std::optional<NodeId> follower_;  ///< a replica that has all that the first server has
    std::vector<TimelineDraft> drafts_;
    std::size_t told_ = 0;  ///< events processed so far, including the current one
    std::size_t sight_ = 0;
    std::size_t remark_ = 0;
};

}  // namespace locklab
