#include "harness/view/timeline_sheet.h"

#include <algorithm>
#include <utility>

#include "harness/check/inside.h"
#include "harness/core/topology.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;

/// Redis counts milliseconds: a key expires when its deadline is past, not when it is reached.
constexpr Duration kTick = std::chrono::milliseconds(1);
/// How far a deadline that was seen may differ from the one that Redis keeps.
constexpr Duration kClocksDiffer = std::chrono::milliseconds(50);

std::size_t clients_of(const Scene& scene) {
    std::size_t count = std::max<std::size_t>(scene.names.size(), scene.history.clients);
    for (const Event& event : scene.history.events) {
        count = std::max(count, std::size_t{event.client.value} + 1);
    }
    return count;
}

/// Redis servers that the scene mentions: at least one.
std::size_t servers_of(const Scene& scene) {
    std::size_t count = 1;
    const auto meet = [&](NodeId node) {
        if (node != kOracle) count = std::max(count, std::size_t{node.value} + 1);
    };
    for (const KeySight& sight : scene.key) meet(sight.node);
    for (const Event& event : scene.history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) meet(sent->node);
        if (const auto* ran = std::get_if<event::Executed>(&event.detail)) meet(ran->node);
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) meet(fault->node);
    }
    return std::min<std::size_t>(count, Topology::kMostMasters);
}

/// The replica that takes over in the scene, if one does.
std::optional<NodeId> replica_of(const Scene& scene) {
    for (const Event& event : scene.history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault != nullptr && takes_over(fault->hazard)) return fault->node;
    }
    return std::nullopt;
}

/// "A", or "A.1" if a process has several tasks.
std::string name_of_client(std::size_t client, std::uint32_t tasks) {
    if (tasks > 1) {
        return name_of_client(client / tasks, 1) + "." + std::to_string(client % tasks + 1);
    }
    if (client < 26) return std::string(1, static_cast<char>('A' + client));
    return "C" + std::to_string(client);
}

}  // namespace

TimelineSheet::TimelineSheet(const Scene& scene, ShortWords& words)
    : scene_(scene), words_(words), lifelines_(clients_of(scene)), follower_(replica_of(scene)) {
    for (std::uint32_t i = 0; i < servers_of(scene); ++i) {
        keys_.emplace_back(scene.history, words, NodeId{i});
    }
    for (std::size_t i = 0; i < lifelines_.size(); ++i) {
        const bool named = i < scene.names.size() && !scene.names[i].empty();
        names_.push_back(named ? words.of(std::string_view(scene.names[i]))
                               : name_of_client(i, scene.history.tasks));
    }
}

TimelineRow& TimelineSheet::add(Kind kind, Instant at, std::optional<std::uint32_t> client,
                                TimelineDraft::Role role) {
    const Instant last = drafts_.empty() ? at : drafts_.back().row.at;
    TimelineDraft draft;
    draft.role = role;
    draft.told = told_;
    draft.row.kind = kind;
    draft.row.at = draft.row.since = std::max(at, last);
    draft.row.client = client;
    draft.row.lifelines = lifelines_;
    draft.row.keys = keys_now();
    drafts_.push_back(std::move(draft));
    return drafts_.back().row;
}

void TimelineSheet::mark(std::uint32_t by, std::optional<std::uint32_t> other, std::string text,
                         std::string detail) {
    TimelineRow row;
    row.kind = Kind::violation;
    row.client = by;
    row.other = other;
    row.text = std::move(text);
    row.detail = std::move(detail);
    drafts_.back().marks.push_back(std::move(row));
}

std::size_t TimelineSheet::first_to_wake(Instant until) const {
    std::size_t first = rests_.size();
    for (std::size_t i = 0; i < rests_.size(); ++i) {
        // A rest that ends right now is ended by its client's action, or as time passes: see
        // end_rests().
        if (!rests_[i].until || *rests_[i].until >= until) continue;
        if (first == rests_.size() || *rests_[i].until < *rests_[first].until) first = i;
    }
    return first;
}

void TimelineSheet::advance(std::size_t next, Instant until) {
    for (;;) {
        const bool sight = sight_ < scene_.key.size() && scene_.key[sight_].event < next;
        const Instant seen = sight ? std::min(scene_.key[sight_].at, until) : until;
        const std::size_t rest = first_to_wake(seen);
        KeyTrail* const first = first_to_expire();
        const bool expires = first != nullptr && *first->deadline() + kTick <= seen;
        if (rest < rests_.size() && !(expires && *first->deadline() < *rests_[rest].until)) {
            wake(rest, *rests_[rest].until);
        } else if (expires) {
            expire(*first, *first->deadline());
        } else if (sight) {
            see(scene_.key[sight_++], seen);
        } else {
            return;
        }
    }
}

void TimelineSheet::wake(std::size_t rest, Instant at) {
    const Rest over = rests_[rest];
    rests_.erase(rests_.begin() + static_cast<std::ptrdiff_t>(rest));
    const bool again = std::ranges::any_of(rests_, [&over](const Rest& other) {
        return other.client == over.client && other.stall == over.stall;
    });
    if (again || lifelines_[over.client].crashed) return;
    if (!over.stall) lifelines_[over.client].paused = false;
    add(Kind::fault, at, over.client).text = over.stall ? "'s watchdog goes on" : "goes on";
}

std::vector<std::optional<TimelineKey>> TimelineSheet::keys_now() const {
    std::vector<std::optional<TimelineKey>> now;
    for (const KeyTrail& key : keys_) {
        now.push_back(key.server() == follower_ ? keys_.front().now() : key.now());
    }
    return now;
}

void TimelineSheet::take_over(NodeId replica) {
    key(replica).copy(key(NodeId{0}));
    follower_.reset();
}

KeyTrail* TimelineSheet::first_to_expire() {
    KeyTrail* first = nullptr;
    for (KeyTrail& key : keys_) {
        const bool sooner = first == nullptr || *key.deadline() < *first->deadline();
        if (key.deadline() && sooner) first = &key;
    }
    return first;
}

std::string TimelineSheet::where(const KeyTrail& key) const {
    if (keys_.size() == 1) return {};
    return " at Redis " + std::to_string(key.server().value + 1);
}

void TimelineSheet::expire(KeyTrail& key, Instant at) {
    key.expire();
    TimelineRow& row = add(Kind::expired, at, std::nullopt);
    row.text = "the key" + where(key) + " expires: its time to live has run out";
    row.key_changed = true;
}

void TimelineSheet::key_was_free(NodeId server, Instant at) {
    KeyTrail& free = key(server);
    const std::optional<Instant> deadline = free.deadline();
    if (deadline && *deadline <= at + kClocksDiffer) expire(free, at);
}

KeyTrail::Change TimelineSheet::see(const KeySight& sight, Instant at) {
    KeyTrail& seen = key(sight.node);
    const std::optional<Instant> deadline = seen.deadline();
    const bool ran_out = deadline && *deadline <= at + kClocksDiffer;
    const KeyTrail::Change change = seen.see(sight);
    if (change == KeyTrail::Change::vanished && ran_out) {
        expire(seen, at);
    } else if (change == KeyTrail::Change::vanished || change == KeyTrail::Change::appeared) {
        TimelineRow& row = add(Kind::expired, at, std::nullopt);
        row.text = "the key" + where(seen) + (sight.value ? " is another now" : " is gone");
        row.key_changed = true;
    }
    return change;
}

void TimelineSheet::see_key_after(std::size_t event) {
    const Instant at = scene_.history.events[event].at;
    for (; sight_ < scene_.key.size(); ++sight_) {
        const KeySight& sight = scene_.key[sight_];
        const KeyTrail& seen = key(sight.node);
        const std::optional<std::size_t> cause = seen.cause_of(event);
        const std::optional<Instant> deadline = seen.deadline();
        const bool expired = !sight.value && deadline && *deadline + kTick <= sight.at;
        if (sight.event != event || (sight.at > at && (!cause || expired))) break;
        if (see(sight, at) == KeyTrail::Change::explained) show_keys_from(*cause);
    }
}

void TimelineSheet::show_keys_from(std::size_t event) {
    for (std::size_t i = drafts_.size(); i-- > 0 && drafts_[i].told > event;) {
        drafts_[i].row.keys = keys_now();
        const bool first = i == 0 || drafts_[i - 1].told <= event;
        if (first && drafts_[i].told == event + 1) drafts_[i].row.key_changed = true;
    }
}

void TimelineSheet::tell_remarks_before(std::size_t next) {
    for (; remark_ < scene_.remarks.size() && scene_.remarks[remark_].event <= next; ++remark_) {
        const Remark& remark = scene_.remarks[remark_];
        add(Kind::remark, remark.at, std::nullopt).text = words_.of(std::string_view(remark.text));
    }
}

void TimelineSheet::begin_rest(const Event& event, const event::Fault& fault) {
    const bool stall = fault.hazard == Hazard::stall;
    if (!stall && fault.hazard != Hazard::pause) return;
    Rest rest{event.client.value, stall, std::nullopt};
    if (fault.amount > Duration::zero()) rest.until = event.at + fault.amount;
    rests_.push_back(rest);
    if (!stall) lifelines_[event.client.value].paused = true;
}

void TimelineSheet::end_rests(const Event& event) {
    const bool by_redis = std::holds_alternative<event::Executed>(event.detail) ||
                          std::holds_alternative<event::Fault>(event.detail);
    if (by_redis) return;
    const bool background = event.phase == Phase::background;
    for (std::size_t i = rests_.size(); i-- > 0;) {
        const Rest& rest = rests_[i];
        if (rest.client != event.client.value || (rest.stall && !background)) continue;
        wake(i, event.at);
    }
}

void TimelineSheet::follow(std::size_t place) {
    const Event& event = scene_.history.events[place];
    end_rests(event);
    told_ = place + 1;
    Lifeline& lifeline = lifelines_[event.client.value];
    if (const auto* fault = std::get_if<event::Fault>(&event.detail)) begin_rest(event, *fault);
    if (is_crash(event)) {
        lifeline = {false, false, true};
    } else if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
        lifeline.inside = true;
        lifeline.mode = granted->mode;
    } else if (std::holds_alternative<event::Leaving>(event.detail) ||
               std::holds_alternative<event::Lost>(event.detail) ||
               std::holds_alternative<event::Released>(event.detail)) {
        lifeline.inside = false;
    }
}

}  // namespace locklab
