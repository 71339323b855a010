// What must be the same for a table of clients to be right: other clients, other tokens, a
// stopwatch that began at another time, and replies that other servers gave.

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "harness/check/judge.h"
#include "harness/explore/client_model.h"

namespace locklab {

namespace {

/// Shifts a stopwatch whose readings must count only as differences, in ms.
constexpr std::int32_t kLater = 12'345;
/// Most orders of replies in which a lock is tried; one that has more is taken to tell servers
/// apart.
constexpr std::size_t kMostOrders = 4'000;

}  // namespace

void ClientModel::check_stopwatch(std::uint32_t client, std::span<const Observed> path,
                                  const Outcome& outcome) {
    std::vector<Observed> later(path.begin(), path.end());
    for (Observed& seen : later) seen.now_ms += kLater;
    const std::uint32_t owner = apart_ ? client : kSelf;
    if (run_as({ClientId{client}, owner, &names_}, later).same_as(outcome)) return;
    throw std::length_error(
        "the lock's row says that each try has a lock object of its own (new_each_try), and it "
        "uses a reading of its stopwatch for more than the time since its try began");
}

bool ClientModel::has_error(const Observed& seen) const {
    const std::uint16_t loading = error(ErrorKind::loading);
    if (seen.reply == 0 || loading == 0) return false;
    const Reply& reply = replies_[seen.reply];
    return reply == replies_[loading] ||
           std::ranges::count(reply.elements(), replies_[loading]) > 0;
}

/// A search answers with LOADING alone, and a digest with NOSCRIPT too, which a client library acts
/// upon. That shows all other errors as well, if clients do the same after each of them.
void ClientModel::check_errors(std::uint32_t client, std::span<const Observed> path,
                               const Outcome& outcome) {
    if (std::ranges::none_of(path, [&](const Observed& seen) { return has_error(seen); })) return;
    const std::uint32_t owner = apart_ ? client : kSelf;
    for (const ErrorKindRow& row : kErrorKinds) {
        if (row.kind == ErrorKind::loading || row.kind == ErrorKind::noscript) continue;
        const Outcome other = run_as({ClientId{client}, owner, &names_}, path, row.kind);
        if (other.same_as(outcome)) continue;
        throw std::length_error("the lock does something else after " + std::string(row.code) +
                                " than after LOADING, which is the only error that a search "
                                "answers with; such a lock is not searched under error_reply, but "
                                "a campaign can judge it");
    }
}

/// Whether another client, or one with other tokens, would do the same.
void ClientModel::compare(std::uint32_t client, std::span<const Observed> path,
                          const Outcome& outcome) {
    const auto does_the_same = [&](std::uint32_t number, TokenNames& names) {
        const std::uint32_t owner = apart_ ? client : kSelf;
        try {
            return run_as({ClientId{number}, owner, &names}, path).same_as(outcome);
        } catch (const LockThrew&) {
            return false;  // such a client need not ever see these replies
        }
    };
    const auto check_itself = [&] {
        if (does_the_same(client, names_)) return;
        throw std::length_error(why_not_its_own("a client does not do the same once more"));
    };
    if (apart_) {
        if (cuts_tokens_ || does_the_same(client, other_names_)) return;
        check_itself();
        cuts_tokens_ = true;
        return;
    }
    // The usual case checks both at once; the cause is looked for only if they differ.
    const std::uint32_t second = std::min(1U, bounds_.clients - 1);
    if (!does_the_same(second, other_names_)) {
        check_itself();
        cuts_tokens_ = cuts_tokens_ || !does_the_same(0, other_names_);
        tells_clients_ = tells_clients_ || !does_the_same(second, names_);
        // Only both together make a difference: so the lock uses both.
        tells_clients_ = tells_clients_ || !cuts_tokens_;
    }
    for (std::uint32_t i = 2; i < bounds_.clients && !tells_clients_; ++i) {
        tells_clients_ = !does_the_same(i, names_);
    }
}

/// Whether the lock asks every server each time, and would do the same had they given the same
/// replies in any other order. Only replies to its present object count: with a new one, a client
/// goes on as any other that is as far.
bool ClientModel::takes_servers_alike(std::uint32_t client, std::uint32_t parent,
                                      std::span<const Observed> path, const Outcome& outcome) {
    for (const LocalWait& wait : outcome.state.waits) {
        const bool asks_one = wait.kind == LocalWait::Kind::redis &&
                              std::popcount(wait.servers) != static_cast<int>(bounds_.servers);
        if (asks_one || wait.kind == LocalWait::Kind::oracle) return false;
    }
    std::vector<Observed> other(path.begin(), path.end());
    std::vector<std::pair<Observed*, std::vector<std::uint16_t>>> lists;
    std::uint32_t node = parent;
    for (std::size_t i = path.size(); i-- > 0; node = nodes_[node].parent) {
        const auto replies = replies_of_.find(path[i].reply);
        if (replies != replies_of_.end()) lists.emplace_back(&other[i], replies->second);
        if (nodes_[node].state.begins_anew) break;
    }
    const Actor::Identity itself{ClientId{client}, apart_ ? client : kSelf, &names_};
    for (std::size_t orders = 0; orders < kMostOrders; ++orders) {
        // Each list in turn goes on to its next order; the last is followed by the first.
        const auto next = [](auto& list) {
            return std::ranges::next_permutation(list.second).found;
        };
        if (std::ranges::none_of(lists, next)) return true;
        for (auto& [seen, replies] : lists) seen->reply = number_of_all(replies);
        try {
            const Outcome its = run_as(itself, other);
            if (!its.same_as(outcome)) return false;
            if (its.progress != outcome.progress || its.tokens != outcome.tokens) return false;
        } catch (const LockThrew&) {
            return false;
        }
    }
    return false;
}

bool ClientModel::Outcome::same_as(const Outcome& other) const {
    const auto same = [](const Command& a, const Command& b) {
        return a.script() == b.script() && to_string(a) == to_string(b);
    };
    return state == other.state && reads_clock == other.reads_clock &&
           reads_monotonic == other.reads_monotonic && ghost == other.ghost &&
           std::equal(commands.begin(), commands.end(), other.commands.begin(), same);
}

}  // namespace locklab
