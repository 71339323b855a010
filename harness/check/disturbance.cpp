#include "harness/check/disturbance.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "harness/check/error_answers.h"

namespace locklab {

namespace {

/// The server to which a command was sent.
NodeId server_of(std::uint64_t call, std::span<const Event> before) {
    const auto sent = std::find_if(before.rbegin(), before.rend(), [&](const Event& event) {
        const auto* left = std::get_if<event::Sent>(&event.detail);
        return left != nullptr && left->call == call;
    });
    return sent == before.rend() ? NodeId{} : std::get<event::Sent>(sent->detail).node;
}

/// Whether some reply never came, and no fault explains that.
bool has_unexplained_silence(const History& history) {
    std::vector<std::uint64_t> struck_calls;
    std::set<NodeId> struck_servers;
    for (const Event& event : history.events) {
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            struck_calls.push_back(fault->call);
            if (silences_server(fault->hazard)) struck_servers.insert(fault->node);
        }
        const auto* replied = std::get_if<event::Replied>(&event.detail);
        if (replied == nullptr || !replied->reply.is_unknown()) continue;
        const bool struck = std::find(struck_calls.begin(), struck_calls.end(), replied->call) !=
                            struck_calls.end();
        if (struck) continue;
        const std::span before(history.events.data(), &event);
        if (!struck_servers.contains(server_of(replied->call, before))) return true;
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

std::optional<Disturbance> disturbance_by_machine(Duration lag, Duration clock_step,
                                                  Duration most) {
    using Kind = Disturbance::Kind;
    if (clock_step > most) return Disturbance{Kind::clock, {}};
    return lag > most ? std::optional(Disturbance{Kind::late, {}}) : std::nullopt;
}

}  // namespace locklab
