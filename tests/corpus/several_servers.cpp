// Locks on more than one server, which know nothing of one another.

#include <algorithm>

#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;
using Replies = std::vector<Reply>;

std::uint32_t granted_in(const Replies& replies) {
    return static_cast<std::uint32_t>(std::ranges::count_if(replies, &Reply::is_ok));
}

/// SET NX PX at every server at once. Who got too few gives back what it got.
struct Everywhere : TokenLock {
    using TokenLock::TokenLock;
    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Replies replies = co_await client_.ask_all("SET", key_, token_, "NX", "PX", ttl_ms());
        if (granted_in(replies) >= enough()) co_return Grant{token_, options_.ttl};
        co_await undo();
        const bool failed = std::ranges::any_of(replies, &Reply::failed);
        if (failed) co_return Unknown{};
        co_return Refused{};
    }
    Task<Release> release() override {
        const Replies replies = co_await client_.eval_all(kCompareAndDelete, key_, token_);
        const bool failed = std::ranges::any_of(replies, &Reply::failed);
        co_return failed ? Release::unknown : Release::yes;
    }
    virtual std::uint32_t enough() const { return client_.servers(); }
    virtual Task<> undo() { co_await client_.eval_all(kCompareAndDelete, key_, token_); }
};

struct Majority final : Everywhere {
    using Everywhere::Everywhere;
    std::uint32_t enough() const override { return client_.servers() / 2 + 1; }
};

/// A majority of those that have answered.
struct MajorityOfAnswers final : Everywhere {
    using Everywhere::Everywhere;
    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Replies replies = co_await client_.ask_all("SET", key_, token_, "NX", "PX", ttl_ms());
        const auto silent = std::ranges::count_if(replies, &Reply::failed);
        const std::uint32_t answered = client_.servers() - static_cast<std::uint32_t>(silent);
        if (answered > 0 && granted_in(replies) >= answered / 2 + 1) {
            co_return Grant{token_, options_.ttl};
        }
        co_await undo();
        if (silent > 0) co_return Unknown{};
        co_return Refused{};
    }
};

/// Half of the servers is no majority.
struct Half final : Everywhere {
    using Everywhere::Everywhere;
    std::uint32_t enough() const override { return client_.servers() / 2; }
};

/// Gives back by a DEL at every server, also where another's key is.
struct UndoesOthers final : Everywhere {
    using Everywhere::Everywhere;
    Task<> undo() override { co_await client_.ask_all("DEL", key_); }
};

/// One server after the other; the second is asked only if the first has granted.
struct InTurn final : Everywhere {
    using Everywhere::Everywhere;
    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        for (std::uint32_t i = 0; i < client_.servers(); ++i) {
            const Reply reply =
                co_await client_.command(NodeId{i}, "SET", key_, token_, "NX", "PX", ttl_ms());
            if (reply.is_ok()) continue;
            co_await undo();
            if (reply.failed()) co_return Unknown{};
            co_return Refused{};
        }
        co_return Grant{token_, options_.ttl};
    }
};

/// A lock that is whole when its clients ask different servers, which they do by their numbers.
struct OwnServer final : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override {
        const NodeId own{client_.id().value % client_.servers()};
        return ask(own, "SET", key_, token_, "NX", "PX", ttl_ms());
    }
};

void on_two(Entry& entry) { entry.algorithm.redis_servers = 2; }
void on_three(Entry& entry) { entry.algorithm.redis_servers = 3; }

}  // namespace

void add_several_servers(std::vector<Entry>& entries) {
    const Theme two(entries, kLease, on_two);
    const Theme three(entries, kLease, on_three);
    two.correct<Everywhere>("everywhere", "set_nx_lua",
                            {crash, lose_request, lose_reply, delay_request, retry, restart, evict,
                             restart_snapshot, server_clock_jump, clock_jump},
                            "One server that forgets, or whose clock is wrong, leaves the other.");
    two.correct<InTurn>(
        "in_turn", "everywhere",
        {crash, lose_request, lose_reply, delay_request, retry, restart, evict, flush},
        "All must grant it, and it does not matter in what order they are asked.");
    three.correct<Majority>("majority", "everywhere",
                            {crash, lose_request, lose_reply, delay_request, retry},
                            "Two majorities of three have a server in common.");
    three.broken<Majority>("majority_forgotten", "everywhere", {restart}, Cause::lost_data,
                           "The server that two majorities have in common forgets.");
    three.broken<MajorityOfAnswers>("majority_of_answers", "majority", {lose_request, lose_request},
                                    Cause::other_servers,
                                    "One grant is a majority where two servers do not answer.");
    two.broken<Half>("half", "everywhere", {}, Cause::other_servers,
                     "One of two servers is enough, and each has two.");
    two.broken<OwnServer>("own_server", "everywhere", {}, Cause::other_servers,
                          "Each client asks a server of its own, where nobody else asks.");
    two.broken<UndoesOthers>("undoes_others", "everywhere", {}, Cause::foreign_delete,
                             "Who is refused deletes what another has at the servers.");
    two.broken<Everywhere>("everywhere_twice_forgotten", "perfect_lock", {restart, restart},
                           Cause::lost_data, "Both servers forget, one after the other.");
    two.broken<Everywhere>("everywhere_paused", "perfect_lock", {pause}, Cause::expired_while_held,
                           "A pause outlasts the lease at every server.");
}

}  // namespace locklab::corpus
