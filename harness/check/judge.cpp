#include "harness/check/judge.h"

#include <optional>

#include "harness/check/inside.h"
#include "harness/check/overlap.h"
#include "harness/check/per_client.h"
#include "harness/core/printable.h"

namespace locklab {

namespace {

using Kind = Violation::Kind;

void add_violations(const History& history, Judgement& judgement) {
    const std::vector<Overlap> pairs = overlaps(stays_inside(history));
    judgement.grants_in_overlap = grants_affected(pairs);
    judgement.violations = violations_of(history, pairs);
    for (const Violation& violation : judgement.violations) {
        switch (violation.kind) {
            case Kind::overlap: ++judgement.overlaps; break;
            case Kind::lost_update: ++judgement.lost_updates; break;
            case Kind::fence_inversion: ++judgement.fence_inversions; break;
        }
        if (violation.counts) ++judgement.causes[violation.cause];
    }
}

struct Client {
    std::uint64_t grants = 0;
    bool crashed = false;
    std::optional<Instant> wants;
};

void count(const History& history, Judgement& judgement) {
    PerClient<Client> clients;
    if (history.clients > 0) clients[ClientId{history.clients - 1}];
    for (const Event& event : history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            if (sent->node != kArbiter) ++judgement.commands;
        } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            if (replied->reply.is_unknown()) ++judgement.unknown_answers;
        } else if (std::holds_alternative<event::Wants>(event.detail)) {
            clients[event.client].wants = event.at;
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            Client& client = clients[event.client];
            ++client.grants;
            ++judgement.grants;
            if (client.wants.has_value()) judgement.waits.push_back(event.at - *client.wants);
            client.wants.reset();
        } else if (is_crash(event)) {
            clients[event.client].crashed = true;
        }
    }
    for (const Client& client : clients.values()) {
        judgement.client_grants.push_back(client.grants);
        judgement.client_lived.push_back(client.crashed ? 0 : 1);
    }
    if (!history.events.empty()) judgement.duration = end_of(history) - history.events.front().at;
}

std::string why_unknown(const History& history, const Judgement& judgement) {
    const std::string& servers = judgement.errors.servers;
    if (judgement.not_modelled) {
        return "the model of Redis does not know " + printable(history.not_modelled);
    }
    if (!judgement.violations.empty()) return {};
    if (judgement.liveness.stuck) {
        return servers.empty() ? "" : "the server refused commands: " + servers;
    }
    if (judgement.grants > 0) return {};
    const std::string& first = judgement.errors.first;
    return first.empty() ? "there was no grant"
                         : "there was no grant, and the server answered: " + first;
}

Verdict verdict_of(const Judgement& judgement) {
    if (!judgement.why_unknown.empty()) return Verdict::unknown;
    if (!judgement.violations.empty()) return Verdict::violated;
    return judgement.liveness.stuck ? Verdict::stuck : Verdict::holds;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return "holds";
        case Verdict::violated: return "violated";
        case Verdict::stuck: return "stuck";
        case Verdict::unknown: return "unknown";
    }
    return "?";
}

Judgement judge(const History& history) {
    Judgement judgement;
    add_violations(history, judgement);
    judgement.liveness = check_liveness(history);
    count(history, judgement);
    judgement.writes = count_writes(history);
    judgement.errors = error_answers(history);
    judgement.not_modelled = !history.not_modelled.empty();
    judgement.why_unknown = why_unknown(history, judgement);
    judgement.verdict = verdict_of(judgement);
    return judgement;
}

}  // namespace locklab
