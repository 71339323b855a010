#include "harness/record/algorithm_json.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

/// Null: a lock under test, not a control.
Json control_json(Control control) {
    switch (control) {
        case Control::none: break;
        case Control::grants_always: return "grants_always";
        case Control::never_wrong: return "never_wrong";
    }
    return nullptr;
}

Json clocks_json(const Algorithm& algorithm) {
    Json clocks = Json::array();
    if (algorithm.reads_wall_clock) clocks.push_back("wall");
    if (algorithm.reads_monotonic_clock) clocks.push_back("monotonic");
    return clocks;
}

}  // namespace

nlohmann::ordered_json facts_json(const Algorithm& algorithm) {
    const Duration ttl = algorithm.defaults.ttl;
    return {{"control", control_json(algorithm.control)},
            {"redis_servers", algorithm.redis_servers},
            {"reads_clocks", clocks_json(algorithm)},
            {"renews", algorithm.renews},
            {"reentrant", algorithm.reentrant},
            {"permits", algorithm.permits},
            {"both_modes", algorithm.both_modes},
            {"fair", algorithm.fair},
            {"fences", algorithm.fences},
            {"ttl_us", ttl == Duration::zero() ? Json(nullptr) : Json(us(ttl))}};
}

}  // namespace locklab
