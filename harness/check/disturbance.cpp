#include "harness/check/disturbance.h"

#include <algorithm>
#include <vector>

#include "harness/check/error_answers.h"

namespace locklab {

namespace {

/// After a restart, connections break and commands fail for a while.
bool strikes_server(const event::Fault& fault) {
    return fault.hazard == Hazard::restart || fault.hazard == Hazard::restart_snapshot;
}

/// An answer that did not come, and that no fault explains.
bool has_unexplained_silence(const History& history) {
    std::vector<std::uint64_t> struck_calls;
    bool server_struck = false;
    for (const Event& event : history.events) {
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

}  // namespace

std::optional<Disturbance> disturbance_of(const History& history) {
    if (const std::string words = error_answers(history).servers; !words.empty()) {
        return Disturbance{Disturbance::Kind::refused, words};
    }
    if (has_unexplained_silence(history)) return Disturbance{Disturbance::Kind::unanswered, {}};
    return std::nullopt;
}

}  // namespace locklab
