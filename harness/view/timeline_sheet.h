// The paper on which a timeline is drafted: it knows what every lifeline shows at the moment, and
// writes by itself what no event tells: a key that expires, a pause that ends.
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
    /// The lock's key at a server. A history that somebody else wrote may name any: of more servers
    /// than there can be, the last stands for the rest.
    KeyTrail& key(NodeId server) {
        return keys_[std::min<std::size_t>(server.value, keys_.size() - 1)];
    }
    std::vector<TimelineDraft>& drafts() { return drafts_; }
    /// A replica has been shown with its master's key; from now on it has its own.
    void take_over(NodeId replica);

    /// A row with the lifelines as they are now. It is valid until the next one is added.
    TimelineRow& add(TimelineRow::Kind kind, Instant at, std::optional<std::uint32_t> client,
                     TimelineDraft::Role role = TimelineDraft::Role::none);
    /// A row that is to follow the last one, whatever that becomes a part of.
    void mark(std::uint32_t by, std::optional<std::uint32_t> other, std::string text,
              std::string detail);

    /// What comes by itself, or was seen of the key, before event `next` and no later than `until`.
    void advance(std::size_t next, Instant until);
    void tell_remarks_before(std::size_t next);
    /// A command found no key: if there was one, its time ran out just before.
    void key_was_free(NodeId server, Instant at);
    /// Brings the lifelines to where they are after the event at this place; its rows follow.
    void follow(std::size_t place);
    /// What was seen of the key at this event.
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
    /// Whose time runs out first; null: nobody's does.
    KeyTrail* first_to_expire();
    /// " at Redis 2", where there are several.
    std::string where(const KeyTrail& key) const;
    KeyTrail::Change see(const KeySight& sight, Instant at);

    const Scene& scene_;
    ShortWords& words_;
    std::vector<std::string> names_;
    std::vector<Lifeline> lifelines_;
    std::vector<Rest> rests_;
    std::vector<KeyTrail> keys_;      ///< of each server
    std::optional<NodeId> follower_;  ///< a replica that has all that the first server has
    std::vector<TimelineDraft> drafts_;
    std::size_t told_ = 0;  ///< how many events have been told, with the one that is being told
    std::size_t sight_ = 0;
    std::size_t remark_ = 0;
};

}  // namespace locklab
