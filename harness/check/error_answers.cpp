#include "harness/check/error_answers.h"

#include <algorithm>

#include "harness/check/inside.h"
#include "harness/core/printable.h"
#include "harness/core/server_error.h"

namespace locklab {

void ErrorWatch::take(const std::string& words) {
    if (found_.first.empty()) found_.first = printable(words);
    const bool servers =
        !is_model_ && found_.servers.empty() && is_servers_own(words) && !is_by_fault(words);
    if (servers) found_.servers = printable(words);
}

/// A library may add words of its own to those of the fault.
bool ErrorWatch::is_by_fault(const std::string& words) const {
    return std::ranges::any_of(injected_, [&](ErrorKind kind) {
        return words.find(row_of(kind).words) != std::string::npos;
    });
}

void ErrorWatch::see(const Event& event) {
    const auto* fault = std::get_if<event::Fault>(&event.detail);
    if (fault != nullptr && fault->error) injected_.insert(*fault->error);
    if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        if (!replied->reply.is_error()) return;
        ++found_.answers;
        take(replied->reply.text());
    } else if (const auto* failed = std::get_if<event::Failed>(&event.detail)) {
        ++found_.tries;
        take(failed->error);
        failed_.insert(event.client.value);
        latest_ = failed->error;
    } else if (std::holds_alternative<event::Refused>(event.detail)) {
        refused_again_ = !refused_.insert(event.client.value).second || refused_again_;
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        holders_.insert(event.client.value);
        begin_anew();
    } else if (std::holds_alternative<event::Released>(event.detail) || is_crash(event)) {
        if (holders_.erase(event.client.value) > 0) begin_anew();
    }
}

void ErrorWatch::begin_anew() {
    failed_.clear();
    refused_.clear();
    refused_again_ = false;
}

std::string ErrorWatch::error_in_vain(const std::vector<ClientId>& waiting) const {
    const bool all_failed = std::ranges::all_of(
        waiting, [this](ClientId client) { return failed_.contains(client.value); });
    return refused_again_ || waiting.empty() || !all_failed ? "" : printable(latest_);
}

ErrorAnswers error_answers(const History& history) {
    ErrorWatch watch(history.world == "sim");
    for (const Event& event : history.events) watch.see(event);
    return watch.found();
}

}  // namespace locklab
