// What happened to the lock's key, command by command, and which value a grant rests on. A value
// is known by the command that wrote it, and stays the same where it is only extended. A command
// belongs to the round in which it was sent, not to the one in which it ran: a release that arrives
// a round late is a stranger's, though the same client sent it. A lock that is taken again before
// it is given back stays in its round.
//
// A grant rests on what its round wrote into the lock's key; if it wrote nothing there, on the
// value that stands there and that nobody else counts on, on one that its client had before and
// remembers, or on what its round wrote into other keys.
//
// The log keeps what causes need, and no events: a history may be longer than the memory. Of a lock
// that several may have at once it keeps no changes: its key is nobody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>  // lookup only
#include <utility>
#include <vector>

#include "harness/check/inside.h"
#include "harness/check/known_words.h"
#include "harness/check/per_client.h"
#include "harness/check/rounds.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"

namespace locklab {

/// A command that ran and left a key other than it was.
struct KeyChange {
    std::size_t event = 0;  ///< the Executed, by its place in the log
    Instant at;
    Instant sent;
    ClientId client;
    NodeId node;
    std::uint64_t call = 0;
    std::uint32_t round = 0;    ///< numbers the rounds of all clients
    Phase phase = Phase::idle;  ///< of the sender, as it sent
    bool takes = false;         ///< a grant of its round rests on it
    bool found = false;         ///< another grant does
    KeyEffect effect{};
    std::uint32_t key = 0;    ///< 0: the lock's own; others are numbered as they are met
    std::size_t written = 0;  ///< the command that wrote the value, by its place in the log of keys
    /// What the same grant rests on elsewhere, by its place in the log of keys.
    std::optional<std::size_t> beside{};
    /// The arguments of a script that deleted the key, or the words of what wrote another key, each
    /// after a zero byte; else null. What its client had read before it showed it is left out.
    std::unique_ptr<const std::string> arguments{};

    bool has_argument(const std::string& word) const;
};

/// How a grant came by the value that it rests on.
enum class Basis : std::uint8_t {
    nothing,     ///< there is none
    written,     ///< its round wrote it, into the lock's key
    found,       ///< it was there: another wrote it, or its client in an earlier round
    remembered,  ///< its client had it in an earlier round, and it is there no more
    elsewhere,   ///< its round wrote it, into other keys
};

/// What a grant rests on.
struct Claim {
    std::size_t granted = 0;  ///< the Granted, by its place in the log
    Instant told;             ///< when that was
    std::uint32_t round = 0;
    /// The command that took it, by its place in the log of keys; of several, at several servers,
    /// the last.
    std::optional<std::size_t> taking;
    Basis basis = Basis::nothing;
    std::string token;
    Duration lease{0};
    ClientId client;
    std::uint64_t grant = 0;
    std::uint64_t fence = 0;  ///< its fencing token; 0: none
    Mode mode = Mode::alone;
    std::optional<Duration> left{};  ///< of its lease as it was granted, as its lock says
    std::size_t began = 0;  ///< its try's first Sent (without any, what was before), by its place
    bool again = false;     ///< its client had the lock, and takes it a second time
    /// Of a command of its round nobody knows what it did to the key, or to others.
    bool is_unsure = false;
    std::optional<std::size_t> same_round{};  ///< the claim before it of its round

    bool is_on_lock_key() const { return basis == Basis::written || basis == Basis::found; }
};

/// A fault, by its place in the log.
struct Struck {
    std::size_t event = 0;
    Instant at;
    ClientId client;
    Hazard hazard = kNoFault;
    Duration amount{0};
    std::uint64_t call = 0;              ///< of a message that it struck; 0: none
    NodeId node;                         ///< of a server that it struck
    std::optional<std::uint32_t> key{};  ///< of a server that lost this one; else it struck all
};

class KeyLog {
public:
    explicit KeyLog(const HistoryHead& head);
    /// Of a whole history.
    explicit KeyLog(const History& history);

    /// To be called for every event in turn; `place` counts them from 0.
    void see(const Event& event, std::size_t place);

    std::span<const KeyChange> changes() const { return changes_; }
    std::span<const Struck> faults() const { return faults_; }
    std::span<const Claim> claims() const { return claims_; }
    const Claim& claim_of(const Inside& stay) const;
    /// Whether a server's data show what happened at `node` by a place in the log: it is that
    /// server, or it followed it until then.
    bool shows(NodeId server, NodeId node, std::size_t event) const {
        const bool took_over = failover_ && faults_[*failover_].node == server;
        return node == server || (took_over && event < faults_[*failover_].event);
    }
    /// The same of one key.
    bool shows(const KeyChange& here, const KeyChange& change) const {
        return here.key == change.key && shows(here.node, change.node, change.event);
    }
    /// Whether a replica took over before a place in the log: from then on the key is there twice.
    bool failed_over(std::size_t before) const {
        return failover_ && faults_[*failover_].event < before;
    }
    /// What both rest on in one key, by places in the log of keys, the first claim's before the
    /// second's. Of several, the key that the second got last: it had stood in its way.
    std::optional<std::pair<std::size_t, std::size_t>> last_meeting(const Claim& first,
                                                                    const Claim& second) const;
    /// Whether a server lost a key that the first's round had written, before the second took what
    /// it rests on.
    bool lost_between(const Claim& first, const Claim& second) const;
    /// Whether both rest on one and the same value.
    bool rest_on_one_value(const Claim& one, const Claim& other) const;
    /// Whether both rest on something at one server, be it on different keys.
    bool are_at_one_server(const Claim& one, const Claim& other) const;
    /// Whether the round had this token: it was granted the lock with it, or was granted nothing.
    bool may_have_had(std::uint32_t round, const std::string& token) const;
    /// Whether an old value of its client's may have come back before the claim, by a restart.
    bool may_have_come_back(const Claim& claim) const;
    /// Whether between two places in the key's log, of which the second ends the claim, a command
    /// of its round went to the other of two masters.
    bool went_elsewhere(const Claim& claim, std::size_t after, std::size_t before) const;
    /// The earliest instant at which the change can have run: live knows only that it lies
    /// between sending and reply, the simulator knows it exactly.
    Instant earliest(const KeyChange& change) const;
    /// Whether executions stand in the order in which they ran, each at its instant.
    bool is_exact() const { return exact_; }
    /// Whether several may have the lock at once.
    bool is_shared() const { return is_shared_; }
    /// Whether two clients are tasks of one process, and have one lock object.
    bool share_object(ClientId one, ClientId other) const {
        return locklab::share_object(one, other, tasks_);
    }
    /// Whether the lock renews, so that no lease tells when it ends.
    bool renews() const { return renews_; }
    /// Whether every command of ours is told, and strangers may have sent others.
    bool is_live() const { return live_; }
    /// Whether a grant for which no command is told had none: our worlds tell every command.
    bool tells_commands() const { return tells_commands_; }
    /// By how much the deadline may be early that a client wrote into its key, in place of a time
    /// to live: by one of what it counts in, a second if nobody says that, where the lease that it
    /// promises does not tell it more exactly.
    Duration early_by(const Claim& claim) const;
    /// A stay of which only the end of its release is told ended at the latest as its client sent
    /// the command that deleted its key.
    void end_at_release(Inside& stay) const;
    /// Live: a delete whose reply stands elsewhere in the log, and that may have run in between.
    std::optional<std::size_t> perhaps_deleted(const Claim& claim, std::size_t begin,
                                               std::size_t end) const;
    /// Whether the claim's value is a number, which may say when it ends.
    static bool has_deadline_in_value(const Claim& claim);
    /// Whether the change, at this place in the key's log, deleted what its own round had put
    /// there, and what had time left: by the order of the log it deleted nobody else's.
    bool frees_own(std::size_t place) const;
    /// The first fault out of `hazards`, which befall servers, that befell this key of this one
    /// between two places in the log, or null.
    const Struck* fault(HazardSet hazards, NodeId node, std::uint32_t key, std::size_t after,
                        std::size_t before) const;
    /// Whether a fault out of `hazards` struck this client before a place in the log.
    bool struck(HazardSet hazards, ClientId client, std::size_t before) const;
    /// Whether the claim's client was told late of what it sent since `change`, up to its grant.
    bool told_late(const Claim& claim, const KeyChange& change) const;
    /// Whether a command of another round may have run in this time, of which nobody knows
    /// whether it ran at all.
    bool may_have_run(std::uint32_t other_than, Instant since, Instant until) const;
    /// Executions of which it is not certain what they did.
    std::uint64_t uncertain() const { return uncertain_; }

private:
    struct Unknown {
        Instant sent;
        std::uint32_t round = 0;
    };
    struct Taking {
        std::size_t place = 0;
        bool given_back = false;  ///< by a command of the same round
    };
    /// What a key at a server is like, as far as the log tells.
    struct Place {
        NodeId node;
        std::uint32_t key = 0;
        std::size_t last = 0;  ///< the last change, by its place in the log of keys
    };
    struct Client {
        /// What took a key since the round began, or its last grant: at most one for each.
        std::vector<Taking> taking;
        std::uint32_t held_round = 0;  ///< of its last grant
        std::vector<Taking> held;      ///< what that one rests on
        std::size_t try_began = 0;
        bool has_sent = false;   ///< in its try
        bool has_asked = false;  ///< in its round: a command of its ran
        bool is_unsure = false;  ///< in its round: see Claim
        std::optional<std::size_t> last_claim{};
        KnownWords words{};
    };

    void see(const Event& event, std::size_t place, const event::Executed& ran);
    void see(const Event& event, std::size_t place, const event::Granted& granted);
    bool is_other_key(const event::Executed& ran) const;
    /// Which key an eviction took; nothing: it is another fault.
    std::optional<std::uint32_t> key_of(const event::Fault& fault) const;
    void add_other(const Event& event, std::size_t place, const event::Executed& ran,
                   const std::string& key, const KeyEffect& effect);
    void add(const Event& event, std::size_t place, const event::Executed& ran, std::uint32_t key,
             const KeyEffect& effect);
    void see_taking(Client& client, const KeyChange& change);
    /// What the client's grant rests on is in `taking`.
    Basis base(Client& client, const Event& event, const event::Granted& granted,
               std::size_t place);
    bool finds_value(Client& client, const Event& event, const std::string& token,
                     std::size_t place);
    /// Others found a value that was not theirs: it belongs to its writer.
    void take_from_finders(std::size_t written, const std::string& token);
    /// The last change of the key there; null: it was never changed.
    const Place* place_of(NodeId node, std::uint32_t key) const;
    /// The command that wrote the value that is there by then.
    std::optional<std::size_t> standing(const Place& there, Instant now, std::size_t place) const;
    /// Whether the key that was put there has not expired by this place, by any time that it was
    /// given on the way; rounds in `but_for` had a key of their own.
    bool has_time_left(std::size_t put, std::size_t place,
                       const std::vector<std::uint32_t>& but_for) const;

    const std::string key_;
    const WallTime began_;
    const Duration clock_unit_;
    const bool exact_;
    const bool live_;
    const bool is_ours_;  ///< of a world of our own
    const bool is_shared_;
    const bool renews_;
    const std::uint32_t tasks_;
    bool tells_commands_;
    Rounds rounds_;
    PerClient<Client> clients_;
    std::vector<KeyChange> changes_;
    std::vector<Place> places_;
    std::vector<std::string> other_keys_;
    std::vector<Claim> claims_;
    std::unordered_map<std::uint32_t, std::size_t> claims_of_;  ///< the last claim of each round
    std::vector<Struck> faults_;
    std::optional<std::size_t> failover_;  ///< its place in faults_
    /// Live only: commands that were sent, and are not known to have run.
    std::unordered_map<std::uint64_t, Unknown> unknown_;
    std::uint64_t uncertain_ = 0;
};

}  // namespace locklab
