#include "harness/check/error_answers.h"

#include "harness/core/printable.h"
#include "harness/core/server_error.h"

namespace locklab {

namespace {

void take(ErrorAnswers& errors, const std::string& words) {
    if (errors.first.empty()) errors.first = printable(words);
    if (errors.servers.empty() && is_servers_own(words)) errors.servers = printable(words);
}

}  // namespace

ErrorAnswers error_answers(const History& history) {
    ErrorAnswers errors;
    for (const Event& event : history.events) {
        if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            if (!replied->reply.is_error()) continue;
            ++errors.answers;
            take(errors, replied->reply.text());
        } else if (const auto* failed = std::get_if<event::Failed>(&event.detail)) {
            ++errors.tries;
            take(errors, failed->error);
        }
    }
    return errors;
}

}  // namespace locklab
