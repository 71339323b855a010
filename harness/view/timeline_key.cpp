#include "harness/view/timeline_key.h"

#include <algorithm>

#include "harness/view/timeline_notes.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

}  // namespace

std::optional<Instant> KeyTrail::deadline() const { return now_ ? now_->deadline : std::nullopt; }

std::optional<std::size_t> KeyTrail::cause_of(std::size_t event) const {
    const std::size_t past = std::min(event + 1, history_.events.size());
    for (std::size_t i = past; i-- > accounted_;) {
        const EventDetail& detail = history_.events[i].detail;
        const auto* ran = std::get_if<event::Executed>(&detail);
        const auto* fault = std::get_if<event::Fault>(&detail);
        const bool changes = ran != nullptr && ran->effect.kind != Effect::none;
        if (changes && ran->node == server_) return i;
        const bool strikes = fault != nullptr && strikes_server(fault->hazard);
        if (strikes && fault->node == server_) return i;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> KeyTrail::owner_of(const KeySight& sight,
                                                std::optional<std::size_t> cause) const {
    if (cause) {
        const Event& event = history_.events[*cause];
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        const bool put = ran != nullptr && (ran->effect.kind == Effect::created ||
                                            ran->effect.kind == Effect::replaced);
        if (put) return event.client.value;
    }
    if (now_ && raw_ == *sight.value) return now_->owner;
    const auto known = owners_.find(*sight.value);
    return known == owners_.end() ? std::nullopt : std::optional(known->second);
}

KeyTrail::Change KeyTrail::see(const KeySight& sight) {
    const std::optional<std::size_t> cause = cause_of(sight.event);
    const bool was = now_.has_value();
    const bool same = was == sight.value.has_value() && (!was || raw_ == *sight.value);
    if (sight.value) {
        TimelineKey key{words_.of(std::string_view(*sight.value)), owner_of(sight, cause),
                        std::nullopt};
        if (sight.ttl) key.deadline = sight.at + *sight.ttl;
        if (key.owner) owners_[*sight.value] = *key.owner;
        raw_ = *sight.value;
        now_ = std::move(key);
    } else {
        now_.reset();
    }
    accounted_ = std::max(accounted_, std::min(sight.event + 1, history_.events.size()));
    if (cause) return Change::explained;
    if (same) return Change::none;
    return sight.value ? Change::appeared : Change::vanished;
}

void KeyTrail::extend(Instant at, const KeyEffect& effect) {
    const bool moved = effect.kind == Effect::extended && effect.ttl > Duration::zero();
    if (now_ && moved) now_->deadline = at + effect.ttl;
}

}  // namespace locklab
