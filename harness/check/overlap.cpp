#include "harness/check/overlap.h"

namespace locklab {

namespace {

/// Whether no order of the events of one instant keeps the two apart.
bool overlap_in_any_order(const Inside& one, const Inside& other) {
    return one.from < other.until && other.from < one.until;
}

}  // namespace

Overlaps find_overlaps(std::span<const Inside> stays, bool in_order, std::size_t most) {
    Overlaps found;
    std::vector<const Inside*> present;
    std::vector<std::uint8_t> affected(stays.size(), 0);
    for (const Inside& stay : stays) {
        std::erase_if(present, [&](const Inside* other) { return other->end <= stay.begin; });
        for (const Inside* other : present) {
            if (!in_order && !overlap_in_any_order(*other, stay)) continue;
            ++found.count;
            affected[static_cast<std::size_t>(other - stays.data())] = 1;
            affected[static_cast<std::size_t>(&stay - stays.data())] = 1;
            if (found.listed.size() < most) {
                found.listed.push_back({*other, stay});
            } else {
                found.listed_before = std::min(found.listed_before, stay.begin);
            }
        }
        present.push_back(&stay);
    }
    found.grants =
        static_cast<std::uint64_t>(std::count(affected.begin(), affected.end(), std::uint8_t{1}));
    return found;
}

std::vector<Overlap> overlaps(std::span<const Inside> stays, bool in_order) {
    return find_overlaps(stays, in_order, std::numeric_limits<std::size_t>::max()).listed;
}

}  // namespace locklab
