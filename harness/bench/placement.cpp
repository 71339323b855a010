#include "harness/bench/placement.h"

namespace locklab {

std::string_view name_of(Placement placement) {
    switch (placement) {
        case Placement::same: return "same";
        case Placement::two: return "two";
        case Placement::free: break;
    }
    return "free";
}

std::vector<Placement> placements() {
    if (processors().size() < 2) return {Placement::same};
    return {Placement::same, Placement::two, Placement::free};
}

Placed::Placed(Placement placement, pid_t server) {
    if (placement == Placement::free) return;
    const std::vector<int>& numbers = processors();
    const bool apart = placement == Placement::two && numbers.size() > 1;
    client_.emplace(numbers[0]);
    server_.emplace(numbers[apart ? 1 : 0], server);
}

}  // namespace locklab
