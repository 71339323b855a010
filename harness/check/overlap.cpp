#include "harness/check/overlap.h"

#include <utility>

namespace locklab {

namespace {

/// Whether the two overlap in every possible order of events of one instant.
bool overlap_in_any_order(const Inside& one, const Inside& other) {
    return one.from < other.until && other.from < one.until;
}

/// Goes through the stays in order of their grants, and tracks the clients inside.
class Meetings {
public:
    Meetings(std::span<const Inside> stays, std::size_t most)
        : stays_(stays), most_(most), affected_(stays.size(), 0) {}

    /// The stays that `stay` meets.
    std::vector<const Inside*> met_by(const Inside& stay, bool in_order) {
        std::erase_if(present_, [&](const Inside* other) { return other->end <= stay.begin; });
        std::vector<const Inside*> met;
        for (const Inside* other : present_) {
            if (in_order || overlap_in_any_order(*other, stay)) met.push_back(other);
        }
        present_.push_back(&stay);
        return met;
    }
    void add(const Inside& earlier, const Inside& later, std::uint32_t sharing) {
        ++found_.count;
        affected_[static_cast<std::size_t>(&earlier - stays_.data())] = 1;
        affected_[static_cast<std::size_t>(&later - stays_.data())] = 1;
        if (found_.listed.size() < most_) {
            found_.listed.push_back({earlier, later, sharing});
        } else {
            found_.listed_before = std::min(found_.listed_before, later.begin);
        }
    }
    Overlaps end() {
        found_.grants = static_cast<std::uint64_t>(
            std::count(affected_.begin(), affected_.end(), std::uint8_t{1}));
        return std::move(found_);
    }

private:
    const std::span<const Inside> stays_;
    const std::size_t most_;
    std::vector<const Inside*> present_;
    std::vector<std::uint8_t> affected_;
    Overlaps found_;
};

}  // namespace

Overlaps find_overlaps(std::span<const Inside> stays, bool in_order, std::size_t most,
                       Permits permits) {
    Meetings meetings(stays, most);
    for (const Inside& stay : stays) {
        Crowd sharing;
        sharing.add(Mode::shared);
        const Inside* longest = nullptr;
        for (const Inside* other : meetings.met_by(stay, in_order)) {
            if (stay.mode == Mode::alone || other->mode == Mode::alone) {
                meetings.add(*other, stay, 0);
                continue;
            }
            sharing.add(Mode::shared);
            if (longest == nullptr) longest = other;
        }
        const bool one_too_many = longest != nullptr && !sharing.is_allowed(permits);
        if (one_too_many) meetings.add(*longest, stay, sharing.shared);
    }
    return meetings.end();
}

std::vector<Overlap> overlaps(std::span<const Inside> stays, bool in_order, Permits permits) {
    return find_overlaps(stays, in_order, std::numeric_limits<std::size_t>::max(), permits).listed;
}

}  // namespace locklab
