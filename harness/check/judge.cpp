#include "harness/check/judge.h"

#include <algorithm>
#include <utility>

#include "harness/core/printable.h"

namespace locklab {

namespace {

/// What was violated before the exception stays violated.
bool ends_by_exception(const HistoryHead& history, const Judgement& judgement) {
    return !history.threw.empty() && judgement.violations.empty();
}

/// `in_vain`: the error with which all tries of the waiting clients ended; or empty.
std::string why_unknown(const HistoryHead& history, const Judgement& judgement,
                        const std::string& in_vain) {
    const std::string& servers = judgement.errors.servers;
    if (history.differs_alone) {
        return why_not_its_own("client " + std::to_string(history.differs_alone->value) +
                               " does something else when it is run again alone");
    }
    if (ends_by_exception(history, judgement)) {
        return why_it_threw(history.algorithm, history.threw);
    }
    if (!history.not_modelled.empty()) {
        return "the model of Redis does not know " + printable(history.not_modelled);
    }
    if (!judgement.violations.empty()) return {};
    if (judgement.liveness.stuck) {
        if (!servers.empty()) return "the server refused commands: " + servers;
        // A driver's error comes from its library, or itself: it does not tell who has the lock.
        const bool shows_nothing = history.world == "driver" && !in_vain.empty();
        if (!shows_nothing) return "";
        return "each try since the last holder left ended with an error: " + in_vain;
    }
    if (judgement.grants > 0) {
        return judgement.register_jumps > 0 ? "the register jumps" : "";
    }
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

std::string why_not_its_own(const std::string& seen) {
    return seen +
           ": the lock keeps something outside of its object, such as a static variable, which "
           "processes do not share, or looks at chance or clocks that are not its client's; right "
           "would be a lock whose state is in its object and on the server, or driver:NAME, whose "
           "clients are processes";
}

std::string why_it_threw(std::string_view lock, std::string_view words) {
    constexpr std::size_t kMost = 2 * kMostShown;
    return "the lock " + (lock.empty() ? "" : printable(lock) + " ") + printable(words, kMost);
}

Judge::Judge(const HistoryHead& head) : head_(head), errors_(head.world == "sim") {
    for (std::uint32_t i = 0; i < head.resources; ++i) locks_.emplace_back(head, ResourceId{i});
    found_.unequal = head.unequal;
    found_.permits = head.permits;
    found_.locks = head.resources;
    found_.tasks = head.tasks;
    found_.exact_clocks = head.has_exact_clocks();
    if (head.clients > 0) clients_[ClientId{head.clients - 1}];
}

void Judge::see(const Event& event) {
    if (events_ == 0) first_ = event.at;
    last_ = event.at;
    for (std::uint32_t i = 0; i < locks_.size(); ++i) {
        if (is_about(event, ResourceId{i})) locks_[i].see(event, events_);
    }
    if (locks_.size() > 1) deadlock_.see(event);
    errors_.see(event);
    busiest_.see(event);
    count(event);
    ++events_;
}

void Judge::count(const Event& event) {
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        if (sent->node != kOracle) ++found_.commands;
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        if (replied->reply.is_unknown()) ++found_.unknown_answers;
    } else if (std::holds_alternative<event::Denied>(event.detail)) {
        ++found_.denied;
    } else if (std::holds_alternative<event::Wants>(event.detail)) {
        clients_[event.client].wants = event.at;
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        Client& client = clients_[event.client];
        ++client.grants;
        ++found_.grants;
        last_grant_ = event.at;
        if (client.wants.has_value()) found_.waits.push_back(event.at - *client.wants);
        client.wants.reset();
    } else if (is_crash(event)) {
        clients_[event.client].crashed = true;
        if (std::get<event::Fault>(event.detail).by_itself) ++found_.deaths;
    }
}

void Judge::judge_locks(Instant at) {
    const bool waited = head_.patience > Duration::zero() && at - last_grant_ >= head_.patience;
    const Duration patience = waited ? head_.patience : Duration::zero();
    for (LockJudge& lock : locks_) found_.add(lock.end(at, events_, patience));
    if (waited && !found_.liveness.stuck) found_.deadlock = deadlock_.found();
    for (const WaitInCircle& wait : found_.deadlock) {
        found_.liveness.stuck = true;
        found_.liveness.waiting.push_back(wait.client);
    }
}

Judgement Judge::end(Instant end, std::uint32_t clients) {
    const Instant at = events_ == 0 ? end : std::max(end, last_);
    judge_locks(at);
    if (clients > 0) clients_[ClientId{clients - 1}];
    for (const Client& client : clients_.values()) {
        found_.client_grants.push_back(client.grants);
        found_.client_lived.push_back(client.crashed ? 0 : 1);
    }
    if (events_ > 0) found_.duration = at - first_;
    found_.errors = errors_.found();
    found_.busiest_second = busiest_.most();
    found_.busiest_from = busiest_.from();
    if (!head_.threw.empty()) ++found_.deaths;
    found_.shows_nothing = !head_.not_modelled.empty() || head_.differs_alone.has_value() ||
                           ends_by_exception(head_, found_);
    found_.why_unknown = why_unknown(head_, found_, errors_.error_in_vain(found_.liveness.waiting));
    found_.verdict = verdict_of(found_);
    return std::move(found_);
}

Judgement judge(const History& history) {
    Judge judge(history);
    for (const Event& event : history.events) judge.see(event);
    return judge.end(history.end, history.clients);
}

}  // namespace locklab
