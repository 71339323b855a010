#include "harness/foreign/run_story.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace locklab {

namespace {

/// Sorts by time; events of one instant keep their order.
void put_in_order(std::vector<Event>& events) {
    std::vector<std::size_t> places(events.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {},
                      [&](std::size_t place) { return std::pair(events[place].at, place); });
    std::vector<Event> ordered;
    ordered.reserve(events.size());
    for (const std::size_t place : places) ordered.push_back(std::move(events[place]));
    events.swap(ordered);
}

}  // namespace

RunStory::RunStory(HistoryHead head, Clock::time_point began,
                   std::function<Clock::time_point()> now)
    : began_(began), now_(std::move(now)) {
    static_cast<HistoryHead&>(history_) = std::move(head);
}

Instant RunStory::stamp() {
    latest_ = std::max(instant_of(now_()), latest_ + Duration(1));
    return latest_;
}

void RunStory::note_at(Instant at, ClientId client, Phase phase, EventDetail detail) {
    history_.events.push_back({at, client, phase, std::move(detail), {}});
}

void RunStory::entered(ClientId client, Phase phase) {
    phases_[client.value][instant_of(now_())] = phase;
}

Phase RunStory::phase_at(ClientId client, Instant at) const {
    const auto its = phases_.find(client.value);
    if (its == phases_.end()) return Phase::idle;
    const auto later = its->second.upper_bound(at);
    return later == its->second.begin() ? Phase::idle : std::prev(later)->second;
}

RunStory::Stay* RunStory::open(ClientId client) {
    const auto found = open_.find(client.value);
    return found == open_.end() ? nullptr : &stays_[found->second];
}

void RunStory::tell(ClientId client, ClientMoment::Kind kind) {
    for (const ProvedOverlap& overlap : prover_.see({client, kind})) {
        Stay* first = open(overlap.first);
        Stay* second = open(overlap.second);
        const bool known = first != nullptr && second != nullptr;
        if (known) {
            proved_grants_.insert(std::minmax(first->grant, second->grant));
            const bool in_order = first->grant < second->grant;
            // The client that stepped first need not be the one that was granted the lock first.
            (in_order ? first : second)->was_there = true;
            pairs_.emplace_back(in_order ? overlap.first : overlap.second,
                                in_order ? overlap.second : overlap.first);
        }
        proved_.push_back(overlap);
    }
}

void RunStory::granted(ClientId client, std::string token, Duration lease, std::uint64_t fence,
                       std::optional<Duration> left) {
    const Instant at = stamp();
    event::Granted granted;
    granted.grant = ++grants_;
    granted.token = Token{std::move(token)};
    granted.lease = lease;
    granted.fence = fence;
    granted.left = left;
    note_at(at, client, Phase::inside, std::move(granted));
    open_[client.value] = last_[client.value] = stays_.size();
    stays_.push_back({client, grants_, at, at});
    tell(client, ClientMoment::Kind::granted);
}

void RunStory::step_asked(ClientId client) {
    if (Stay* stay = open(client)) stay->asked = stamp();
    tell(client, ClientMoment::Kind::step_asked);
}

void RunStory::inside(ClientId client) {
    Stay* stay = open(client);
    if (stay != nullptr && stay->asked) {
        stay->until = *stay->asked;
        seen_inside_.insert(client.value);
    }
    tell(client, ClientMoment::Kind::inside);
}

/// It was inside until now, but that is told only of a time at which no other one was. Else its
/// notice would stand before the loss, as if that were none.
void RunStory::told_lost(ClientId client) {
    if (Stay* stay = open(client)) {
        stay->told = true;
        Instant until = stamp();
        for (const Stay& other : stays_) {
            if (other.from > stay->until) until = std::min(until, other.from - Duration(1));
        }
        stay->until = std::max(stay->until, until);
    }
    tell(client, ClientMoment::Kind::outside);
    open_.erase(client.value);
}

void RunStory::release_asked(ClientId client) {
    tell(client, ClientMoment::Kind::release_asked);
    open_.erase(client.value);
}

void RunStory::released(ClientId client, Release outcome, bool told) {
    if (const auto last = last_.find(client.value); last != last_.end()) {
        stays_[last->second].release = outcome;
        stays_[last->second].is_told_at_release = told;
    }
    note(client, Phase::release, event::Released{outcome});
}

void RunStory::crashed(ClientId client) {
    tell(client, ClientMoment::Kind::outside);
    open_.erase(client.value);
}

void RunStory::died(ClientId client, Phase phase) {
    crashed(client);
    note(client, phase, event::Fault{.hazard = Hazard::crash, .by_itself = true});
}

bool RunStory::suspects(ClientId one, ClientId other) const {
    if (!is_inside(one) || !is_inside(other)) return false;
    const std::uint64_t its = stays_[open_.at(one.value)].grant;
    const std::uint64_t others = stays_[open_.at(other.value)].grant;
    return !proved_grants_.contains(std::minmax(its, others));
}

Told RunStory::told() const {
    Told told;
    for (const Stay& stay : stays_) {
        if (!stay.was_there) continue;
        if (stay.told) {
            ++told.lost;
        } else if (!stay.is_told_at_release || stay.release == Release::yes) {
            ++told.nothing;
        } else {
            ++(stay.release == Release::not_ours ? told.not_ours : told.error);
        }
    }
    return told;
}

/// In the order of grants.
void RunStory::cut_short() {
    for (std::size_t i = 0; i < stays_.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            stays_[k].until = std::min(stays_[k].until, stays_[i].from - Duration(1));
        }
    }
}

History RunStory::finish(std::shared_ptr<const void> scripts) {
    if (proved_.empty()) cut_short();
    for (const Stay& stay : stays_) {
        EventDetail end = event::Leaving{};
        if (stay.told) end = event::Lost{};
        note_at(stay.until, stay.client, Phase::inside, std::move(end));
    }
    put_in_order(history_.events);
    history_.end = stamp();
    history_.scripts = std::move(scripts);
    return std::move(history_);
}

}  // namespace locklab
