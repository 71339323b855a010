#include "harness/inclusion/told_run.h"

#include <utility>

#include "harness/core/token_text.h"

namespace locklab {

ToldTokens::ToldTokens(const History& history) : drawn_(history.clients) {
    for (const Event& event : history.events) {
        if (event.client.value >= drawn_.size()) continue;
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            for (std::size_t i = 0; i < sent->command.size(); ++i) {
                look_at(event.client, sent->command[i]);
            }
        } else if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
            look_at(event.client, granted->token.text);
        }
    }
}

void ToldTokens::look_at(ClientId client, std::string_view word) {
    const bool is_token = word.size() == kTokenDigits &&
                          word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (!is_token || !seen_.emplace(word).second) return;
    drawn_[client.value].emplace_back(word);
}

std::optional<Token> ToldTokens::next(ClientId client) {
    std::deque<std::string>& left = drawn_[client.value];
    if (left.empty()) return std::nullopt;
    Token token{std::move(left.front())};
    left.pop_front();
    return token;
}

void ToldServer::on(const Input& input, WallTime, Outbox& out) {
    if (std::holds_alternative<Request>(input)) out.reply(reply_);
}

}  // namespace locklab
