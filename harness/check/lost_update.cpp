#include "harness/check/lost_update.h"

namespace locklab {

void RegisterWatch::see(const Event& event, std::size_t place) {
    const auto* wrote = std::get_if<event::Wrote>(&event.detail);
    if (wrote == nullptr) return;
    if (wrote->previous != wrote->base) {
        lost_.push_back({place, wrote->grant, last_writer_, event.at, event.client});
    }
    const bool continues = writes_.empty() || wrote->previous == writes_.back().version;
    if (!continues) {
        jump(event, place, writes_.back().version, wrote->previous);
    } else if (wrote->version != wrote->previous + 1) {
        jump(event, place, wrote->previous, wrote->version);
    }
    last_writer_ = wrote->grant;
    writes_.push_back({wrote->base, wrote->version});
}

void RegisterWatch::jump(const Event& event, std::size_t place, std::uint64_t from,
                         std::uint64_t to) {
    ++jumps_;
    if (!first_jump_) first_jump_ = RegisterJump{place, event.at, from, to};
}

WriteCount RegisterWatch::writes() const {
    WriteCount count;
    std::optional<std::uint64_t> version;
    for (auto write = writes_.rbegin(); write != writes_.rend(); ++write) {
        ++count.writes;
        const bool remains = !version || write->version == *version;
        if (remains) version = write->base;
        count.erased += remains ? 0 : 1;
    }
    return count;
}

namespace {

RegisterWatch watched(const History& history) {
    RegisterWatch watch;
    for (std::size_t i = 0; i < history.events.size(); ++i) watch.see(history.events[i], i);
    return watch;
}

}  // namespace

std::vector<LostUpdate> lost_updates(const History& history) { return watched(history).lost(); }

WriteCount count_writes(const History& history) { return watched(history).writes(); }

}  // namespace locklab
