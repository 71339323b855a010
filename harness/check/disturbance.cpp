#include "harness/check/disturbance.h"

#include <algorithm>
#include <vector>

namespace locklab {

namespace {

/// After a restart, connections break and commands fail for a while.
bool strikes_server(const event::Fault& fault) {
    return fault.hazard == Hazard::restart || fault.hazard == Hazard::restart_snapshot;
}

}  // namespace

bool was_disturbed(const History& history, Duration ttl) {
    std::vector<std::uint64_t> struck_calls;
    bool server_struck = false;
    Instant last{};
    for (const Event& event : history.events) {
        if (event.at - last > ttl / 2) return true;
        last = event.at;
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            struck_calls.push_back(fault->call);
            server_struck = server_struck || strikes_server(*fault);
        }
        const auto* replied = std::get_if<event::Replied>(&event.detail);
        if (replied == nullptr || !replied->reply.is_unknown() || server_struck) continue;
        const bool struck = std::find(struck_calls.begin(), struck_calls.end(), replied->call) !=
                            struck_calls.end();
        if (!struck) return true;
    }
    return false;
}

}  // namespace locklab
