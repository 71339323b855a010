// What only the history of a run knows: which tokens its clients drew, and how servers answered.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/store/store.h"

namespace locklab {

/// Assumes that a client drew its tokens in the order in which it first showed them.
class ToldTokens {
public:
    explicit ToldTokens(const History& history);

    std::optional<Token> next(ClientId client);

private:
    void look_at(ClientId client, std::string_view word);

    std::vector<std::deque<std::string>> drawn_;  ///< by client
    std::set<std::string, std::less<>> seen_;
};

/// A server that answers as the real one did. Whether Redis can answer so is checked separately:
/// see OrderSearch.
class ToldServer final : public RemoteStore {
public:
    void will_answer(const Reply& reply) { reply_ = reply; }
    void on(const Input& input, WallTime now, Outbox& out) override;

private:
    Reply reply_;
};

}  // namespace locklab
