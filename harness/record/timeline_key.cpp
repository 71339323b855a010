#include "harness/record/timeline_key.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

}  // namespace

std::optional<Instant> KeyTrail::deadline() const { return now_ ? now_->deadline : std::nullopt; }

bool KeyTrail::explains(std::size_t event) const {
    if (event >= history_.events.size() || explained_ == event) return false;
    const EventDetail& detail = history_.events[event].detail;
    const auto* ran = std::get_if<event::Executed>(&detail);
    return std::holds_alternative<event::Fault>(detail) ||
           (ran != nullptr && ran->effect.kind != Effect::none);
}

std::optional<std::uint32_t> KeyTrail::owner_of(const KeySight& sight) const {
    if (sight.event < history_.events.size()) {
        const Event& event = history_.events[sight.event];
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
    const bool was = now_.has_value();
    const bool same = was == sight.value.has_value() && (!was || raw_ == *sight.value);
    if (sight.value) {
        TimelineKey key{words_.of(std::string_view(*sight.value)), owner_of(sight), std::nullopt};
        if (sight.ttl) key.deadline = sight.at + *sight.ttl;
        if (key.owner) owners_[*sight.value] = *key.owner;
        raw_ = *sight.value;
        now_ = std::move(key);
    } else {
        now_.reset();
    }
    if (explains(sight.event)) {
        explained_ = sight.event;
        return Change::explained;
    }
    if (same) return Change::none;
    return sight.value ? Change::appeared : Change::vanished;
}

void KeyTrail::extend(Instant at, const KeyEffect& effect) {
    const bool moved = effect.kind == Effect::extended && effect.ttl > Duration::zero();
    if (now_ && moved) now_->deadline = at + effect.ttl;
}

std::optional<std::uint32_t> KeyTrail::owner_other_than(ClientId by) const {
    const bool others = now_ && now_->owner && *now_->owner != by.value;
    return others ? now_->owner : std::nullopt;
}

}  // namespace locklab
