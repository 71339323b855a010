#include "harness/check/error_answers.h"

#include "harness/core/printable.h"
#include "harness/core/server_error.h"

namespace locklab {

namespace {

void take(ErrorAnswers& errors, const std::string& words, bool is_model) {
    if (errors.first.empty()) errors.first = printable(words);
    // The model serves always: what sounds like that is a script's.
    const bool servers = !is_model && errors.servers.empty() && is_servers_own(words);
    if (servers) errors.servers = printable(words);
}

}  // namespace

ErrorAnswers error_answers(const History& history) {
    ErrorAnswers errors;
    const bool is_model = history.world == "sim";
    for (const Event& event : history.events) {
        if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            if (!replied->reply.is_error()) continue;
            ++errors.answers;
            take(errors, replied->reply.text(), is_model);
        } else if (const auto* failed = std::get_if<event::Failed>(&event.detail)) {
            ++errors.tries;
            take(errors, failed->error, is_model);
        }
    }
    return errors;
}

}  // namespace locklab
