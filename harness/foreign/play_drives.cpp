#include "harness/foreign/play_drives.h"

#include <algorithm>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

namespace {

/// One of this many choices takes a fault, or an early move, if there is one.
constexpr std::uint32_t kChoicesPerFault = 24;
constexpr std::uint32_t kChoicesPerEarly = 8;

std::uint32_t draw_below(RandomChoices& choices, std::size_t count) {
    return choices.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(count));
}

/// Counts of the options that are due, due or early, and all.
struct Kinds {
    explicit Kinds(std::span<const PlayOption> options) : all(options.size()) {
        while (calm < all && options[calm].move != PlayMove::fault) ++calm;
        while (due < calm && !options[due].early) ++due;
        LOCKLAB_ASSERT(due > 0);
    }
    /// How many of the options without faults may be taken now: those due, at times also the early
    /// ones.
    std::size_t draw_open(RandomChoices& choices) const {
        return calm > due && draw_below(choices, kChoicesPerEarly) == 0 ? calm : due;
    }

    std::size_t due = 0;
    std::size_t calm = 0;
    std::size_t all = 0;
};

}  // namespace

std::size_t RandomDrive::choose(std::span<const PlayOption> options) {
    const Kinds kinds(options);
    const bool can_strike = kinds.calm < kinds.all;
    if (can_strike && draw_below(choices_, kChoicesPerFault) == 0) {
        return kinds.calm + draw_below(choices_, kinds.all - kinds.calm);
    }
    return draw_below(choices_, kinds.draw_open(choices_));
}

PctDrive::PctDrive(std::uint64_t seed, std::uint64_t play, const Limits& limits)
    : choices_(seed, play) {
    const auto draw = [&](std::multiset<std::uint32_t>& places, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            places.insert(draw_below(choices_, std::max(1U, limits.length)));
        }
    };
    draw(changes_, limits.changes);
    draw(faults_, limits.faults);
}

std::size_t PctDrive::highest(std::span<const PlayOption> open) {
    std::size_t best = 0;
    std::uint32_t its = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const auto [found, fresh] = priorities_.try_emplace(open[i].actor, 0);
        // New actors start above all that were lowered.
        if (fresh) found->second = (1U << 20) + 1 + draw_below(choices_, 1U << 20);
        if (found->second <= its) continue;
        its = found->second;
        best = i;
    }
    return best;
}

std::size_t PctDrive::choose(std::span<const PlayOption> options) {
    const Kinds kinds(options);
    const std::uint32_t place = place_++;
    // A fault that cannot strike at its place strikes as soon as one can.
    if (kinds.calm < kinds.all && !faults_.empty() && *faults_.begin() <= place) {
        faults_.erase(faults_.begin());
        return kinds.calm + draw_below(choices_, kinds.all - kinds.calm);
    }
    const std::span<const PlayOption> open = options.first(kinds.draw_open(choices_));
    const std::size_t best = highest(open);
    if (changes_.erase(place) > 0) priorities_[options[best].actor] = --lowest_;
    return highest(open);
}

std::size_t GivenDrive::choose(std::span<const PlayOption> options) {
    if (next_ >= picks_.size()) return 0;
    const std::uint32_t pick = picks_[next_++];
    return pick < options.size() ? pick : 0;
}

}  // namespace locklab
