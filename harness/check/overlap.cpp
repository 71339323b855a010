#include "harness/check/overlap.h"

namespace locklab {

namespace {

/// Whether no order of the events of one instant keeps the two apart.
bool overlap_in_any_order(const Inside& one, const Inside& other) {
    return one.from < other.until && other.from < one.until;
}

}  // namespace

std::vector<Overlap> overlaps(std::span<const Inside> stays, bool in_order) {
    std::vector<Overlap> found;
    std::vector<const Inside*> present;
    for (const Inside& stay : stays) {
        std::erase_if(present, [&](const Inside* other) { return other->end <= stay.begin; });
        for (const Inside* other : present) {
            if (in_order || overlap_in_any_order(*other, stay)) found.push_back({*other, stay});
        }
        present.push_back(&stay);
    }
    return found;
}

std::uint64_t grants_affected(std::span<const Overlap> overlaps) {
    std::vector<std::size_t> grants;
    for (const Overlap& overlap : overlaps) {
        grants.push_back(overlap.earlier.begin);
        grants.push_back(overlap.later.begin);
    }
    std::sort(grants.begin(), grants.end());
    return static_cast<std::uint64_t>(std::unique(grants.begin(), grants.end()) - grants.begin());
}

}  // namespace locklab
