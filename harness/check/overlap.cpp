#include "harness/check/overlap.h"

namespace locklab {

std::vector<Overlap> overlaps(std::span<const Inside> stays) {
    std::vector<Overlap> found;
    std::vector<const Inside*> present;
    for (const Inside& stay : stays) {
        std::erase_if(present, [&](const Inside* other) { return other->end <= stay.begin; });
        for (const Inside* other : present) found.push_back({*other, stay});
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
