// What a client can do, learnt from the algorithm's own coroutine. A coroutine's frame cannot be
// copied, so a client's local state is the history of its observations, interned in a trie. Each
// new edge runs the coroutine once from its beginning; after that a step is a look-up. All
// nondeterminism is an observation, so a node of the trie is a local state.
//
// Clients count as alike until a run shows a difference: each new edge is run as each client in
// turn, with tokens of two styles, and all must do the same. If one differs, the lock uses its
// client's number or looks at parts of its tokens; then each client is learnt separately.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/core/machine.h"
#include "harness/explore/actor.h"
#include "harness/explore/coverage.h"
#include "harness/explore/local_state.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

/// What is told apart, though it might be alike.
struct ToldApart {
    bool clients = false;  ///< each client is learnt separately
    bool servers = false;  ///< which server gave which reply counts

    bool operator==(const ToldApart&) const = default;
};

class ClientModel {
public:
    ClientModel(const Algorithm& algorithm, const Bounds& bounds, ToldApart apart);

    struct Next {
        std::uint32_t node = 0;
        /// The client read a clock; another reading could have led elsewhere. A stopwatch is in the
        /// client's state.
        bool reads_clock = false;
    };

    /// The local state in which a client is done, or dead.
    static constexpr std::uint32_t kDone = 0;
    /// The local state before a client's first step.
    std::uint32_t first(std::uint32_t client) const { return apart_ ? kFirst + client : kFirst; }
    /// The local state of a client that rests (its tries or rounds are used up), and that would
    /// come again as a new client. Used only if the bounds let clients rest.
    static constexpr std::uint32_t kEnded = 1 + Bounds::kMostClients;
    /// The same, if it would come again as new only with the tokens of its first tries.
    static constexpr std::uint32_t kEndedWithTokens = kEnded + 1;
    static bool is_ended(std::uint32_t node) { return node == kEnded || node == kEndedWithTokens; }
    static bool is_first(std::uint32_t node) {
        return node >= kFirst && node < kFirst + Bounds::kMostClients;
    }
    /// The node that a step leads to. Runs the coroutine if that is not known yet.
    Next next(std::uint32_t node, const Observed& observed);
    /// The same, or nothing if not known. Safe from several threads while none runs next().
    std::optional<Next> known(std::uint32_t node, const Observed& observed) const;
    const LocalState& at(std::uint32_t node) const { return nodes_[node].state; }

    /// Runs the actor, which is client `client` with its tokens, to that local state.
    void run_to(Actor& actor, std::uint32_t node, std::uint32_t client);
    /// Whether any client that has used up its tries or rounds would act differently from a new one
    /// if it came again, because of what it has seen or a token that it drew.
    bool remembers() const { return remembers_; }

    ServerKind server() const { return algorithm_.server; }
    /// Whether the lock reads its stopwatch only for the time since its try began.
    bool has_stopwatch() const {
        return algorithm_.new_each_try && algorithm_.reads_monotonic_clock;
    }
    /// Whether any step reads a clock that tells the time of day, or since the run began. Whether
    /// any shows another client's token.
    bool reads_clock() const { return reads_clock_; }
    bool any_names_others() const { return any_names_others_; }
    bool is_apart() const { return apart_; }
    /// Whether servers count as alike: replies are observed in order of their numbers, whichever
    /// server gave them.
    bool has_like_servers() const { return has_like_servers_; }
    /// Whether the lock has been seen to tell servers apart that count as alike.
    bool tells_servers() const { return tells_servers_; }
    /// Whether clients that have seen the same do different things.
    bool tells_clients() const { return tells_clients_; }
    /// Whether the lock acts differently with other tokens.
    bool cuts_tokens() const { return cuts_tokens_; }
    void learn_that_tokens_are_cut() { cuts_tokens_ = true; }
    /// Names and texts of the tokens that the search uses, and of those that it compares with.
    TokenNames& names() { return names_; }
    TokenNames& other_names() { return other_names_; }
    /// Whether any grant has a fencing token.
    bool has_fences() const { return has_fences_; }
    /// Whether a background task has outlived its client's work. Such a task is not followed
    /// further.
    bool has_ghosts() const { return has_ghosts_; }
    /// Reading of a correct clock `ms` milliseconds after the run began.
    static WallTime clock_at(std::int32_t ms);
    static MonotonicTime monotonic_at(std::int32_t ms) {
        return MonotonicTime(std::chrono::milliseconds(ms));
    }

    std::uint16_t number_of(const Reply& reply);
    /// The number of the list of these replies, one per server that was asked.
    std::uint16_t number_of_all(const std::vector<std::uint16_t>& replies);
    /// Nothing if the list is not known.
    std::optional<std::uint16_t> known_number_of_all(
        const std::vector<std::uint16_t>& replies) const;
    const Reply& reply(std::uint16_t number) const { return replies_[number]; }
    const Command& command(std::uint16_t number) const { return commands_[number]; }
    /// Whether it contains another client's token, if clients are alike.
    static bool names_others(const Reply& reply);
    static bool names_others(const Command& command);
    std::uint16_t unknown() const { return unknown_; }
    std::uint16_t zero() const { return zero_; }
    std::uint16_t one() const { return one_; }
    /// The number of that error; only where the bounds have error replies.
    std::uint16_t error(ErrorKind kind) const { return errors_[static_cast<std::size_t>(kind)]; }

    std::size_t nodes() const { return nodes_.size(); }
    /// How many times the coroutine was run.
    std::uint64_t runs() const { return runs_; }
    /// Commands sent to a server, each with its phase.
    const std::set<SentCommand>& sent() const { return sent_; }

private:
    /// A step from a node. A clock reading counts only if the step looks at that clock.
    struct Edge {
        Observed seen;
        std::uint32_t child;
        bool reads_clock;
        bool reads_monotonic;
    };
    /// The reading of a clock decides where the step leads, and no client's state has it.
    bool tells_time(const Edge& edge) const {
        return edge.reads_clock || (edge.reads_monotonic && !has_stopwatch());
    }
    struct Node {
        LocalState state;
        std::uint32_t parent = 0;
        Observed observed;
        std::vector<Edge> edges;
    };

    static constexpr std::uint32_t kFirst = 1;
    /// Tickets of waits are greater than those of forget_waits().
    static constexpr std::uint32_t kFirstTicket = 16;

    /// A client between two tries, each of which has a lock object of its own. All histories that
    /// lead here go on alike.
    struct Anew {
        std::uint32_t first = 0;  ///< the client's first node
        BoundedClient::Progress progress;
        std::uint32_t tokens = 0;
        LocalState state;  ///< without its tickets
        std::uint32_t node = 0;

        bool is_like(const Anew& other) const {
            return first == other.first && progress == other.progress && tokens == other.tokens &&
                   state == other.state;
        }
    };
    /// The result of one run of the coroutine, with names in place of the texts of tokens.
    struct Outcome {
        LocalState state;
        std::array<Command, kTasks> commands;
        bool reads_clock = false;
        bool reads_monotonic = false;
        bool ghost = false;
        BoundedClient::Progress progress;
        std::uint32_t tokens = 0;

        bool same_as(const Outcome& other) const;
    };

    Edge run(std::uint32_t parent, const Observed& observed);
    /// How many steps up to this node were made by background tasks alone, outside the lock.
    std::size_t alone_since(std::uint32_t node) const;
    /// `in_place`: the error that it sees in place of each LOADING.
    Outcome run_as(const Actor::Identity& identity, std::span<const Observed> path,
                   ErrorKind in_place = ErrorKind::loading);
    /// Lets the actor observe the path; `real` turns names into texts. False if the same
    /// observations lead this client elsewhere, which a lock that tells clients apart can do.
    template <class Real, class BeforeStep>
    bool follow(Actor& actor, std::span<const Observed> path, Real real,
                BeforeStep before_step) const;
    std::uint32_t first_of(std::uint32_t node) const;
    std::vector<Observed> path_to(std::uint32_t node) const;
    /// Whether the client acts as a new one whose first token is its next token, or its first
    /// again.
    enum class Tokens : std::uint8_t { go_on, begin_again };
    bool comes_again_as_new(std::uint32_t client, std::span<const Observed> path, Tokens tokens);
    void take_down(Outcome& outcome, const Actor& actor, const Actor::Shown& shown,
                   const TokenNames& names) const;
    void compare(std::uint32_t client, std::span<const Observed> path, const Outcome& outcome);
    bool takes_servers_alike(std::uint32_t client, std::uint32_t parent,
                             std::span<const Observed> path, const Outcome& outcome);
    void check_errors(std::uint32_t client, std::span<const Observed> path, const Outcome& outcome);
    bool has_error(const Observed& seen) const;
    /// Reads its stopwatch otherwise than for the time since its try began.
    void check_stopwatch(std::uint32_t client, std::span<const Observed> path,
                         const Outcome& outcome);
    std::uint16_t number_of(const Command& command);

    const Algorithm& algorithm_;
    const Bounds& bounds_;
    const bool apart_;
    const bool has_like_servers_;
    const Bounds returning_;
    TokenNames names_;
    TokenNames other_names_;
    std::vector<Node> nodes_;
    std::vector<Anew> anew_;
    std::vector<Reply> replies_;
    std::vector<Command> commands_;
    std::map<std::pair<Reply::Kind, std::string>, std::uint16_t> reply_numbers_;
    std::map<std::vector<std::uint16_t>, std::uint16_t> lists_;       ///< of replies of all servers
    std::map<std::uint16_t, std::vector<std::uint16_t>> replies_of_;  ///< the same, by its number
    std::map<std::pair<const Script*, std::string>, std::uint16_t> command_numbers_;
    std::uint16_t unknown_ = 0;
    std::uint16_t zero_ = 0;
    std::uint16_t one_ = 0;
    std::array<std::uint16_t, kErrorKinds.size()> errors_{};
    bool reads_clock_ = false;
    bool any_names_others_ = false;
    bool tells_clients_ = false;
    bool cuts_tokens_ = false;
    bool tells_servers_ = false;
    bool has_fences_ = false;
    bool has_ghosts_ = false;
    bool remembers_ = false;
    ScriptEngine scripts_;  ///< of the servers that a returning client finds free
    std::uint64_t runs_ = 0;
    std::set<SentCommand> sent_;
};

template <class Real, class BeforeStep>
bool ClientModel::follow(Actor& actor, std::span<const Observed> path, Real real,
                         BeforeStep before_step) const {
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Observed& seen = path[i];
        actor.expect(clock_at(seen.clock_ms), monotonic_at(seen.now_ms), seen.slow);
        before_step();
        if (i == 0) {
            actor.start();
            continue;
        }
        const Actor::Shown* const wait = actor.wait_of(TaskId{seen.task});
        if (wait == nullptr) return false;
        actor.observe(*wait, with_text(seen.reply == 0 ? Reply() : replies_[seen.reply], real));
    }
    return true;
}

}  // namespace locklab
