#include "harness/failover/failover_cell.h"

#include <stdexcept>
#include <vector>

#include "algorithms/registry.h"
#include "harness/core/assert.h"
#include "harness/core/nearest.h"
#include "harness/core/random_choices.h"

namespace locklab {

Safeguard safeguard_named(std::string_view name) {
    std::vector<std::string_view> names;
    for (const SafeguardRow& row : kSafeguards) {
        if (row.name == name) return row.safeguard;
        names.push_back(row.name);
    }
    throw std::invalid_argument(unknown_word("safeguard", name, names));
}

const Algorithm& lock_of(const FailoverCell& cell) {
    switch (cell.safeguard) {
        case Safeguard::wait: return *live_algorithm_named("wait_replicated");
        case Safeguard::wait_on_disk: return *live_algorithm_named("wait_on_disk");
        case Safeguard::none:
        case Safeguard::min_replicas: break;
    }
    return *algorithm_named("set_nx_lua");
}

LockOptions options_of(const FailoverCell& cell, const FailoverShape& shape) {
    LockOptions options = with_ttl(lock_of(cell).defaults, shape.ttl);
    options.clock_unit = std::chrono::milliseconds(1);
    return options;
}

Duration draw_kill(const FailoverShape& shape, std::uint64_t run) {
    LOCKLAB_ASSERT(us(shape.within) > 0 && us(shape.within) <= 0xFFFFFFFF);
    RandomChoices choices(shape.seed, run);
    return Duration(choices.pick(ChoiceKind::fault, static_cast<std::uint32_t>(us(shape.within))));
}

}  // namespace locklab
