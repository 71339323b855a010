// What happened to the lock's key, command by command, and on which value a grant rests. A value is
// identified by the command that wrote it, and stays the same if it is only extended. A command
// belongs to the round in which it was sent, not to the one in which it ran: a release that arrives
// a round late counts as foreign, although the same client sent it. A client that takes the lock
// again before it gives it back stays in its round.
//
// A grant rests on what its round wrote into the lock's key. If it wrote nothing there, it rests on
// the value in the key that no other grant rests on; on a value that its client had before and
// remembers; or on what its round wrote into other keys.
//
// The log keeps what causes need, and no events, since a history may be larger than the memory. For
// a shared lock it keeps no changes: its key belongs to no single client.
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

/// A command that ran and changed a key.
struct KeyChange {
    std::size_t event = 0;  ///< the Executed, by its place in the log
    Instant at;
    Instant sent;
    ClientId client;
    NodeId node;
    std::uint64_t call = 0;
    std::uint32_t round = 0;    ///< number of the round, over all clients
    Phase phase = Phase::idle;  ///< of the sender, when it sent
    bool takes = false;         ///< a grant of its round rests on it
    bool found = false;         ///< a grant of another round rests on it
    KeyEffect effect{};
    std::uint32_t key = 0;    ///< 0: the lock's own; others are numbered when they are first met
    std::size_t written = 0;  ///< the command that wrote the value, by its place in the log of keys
    /// Another change on which the same grant rests, by its place in the log of keys.
    std::optional<std::size_t> beside{};
    /// The arguments of a script that deleted the key, or the words of a command that wrote another
    /// key, each after a zero byte; else null. Words that the client had read before it showed them
    /// are left out.
    std::unique_ptr<const std::string> arguments{};

    bool has_argument(const std::string& word) const;
};

/// Where the value comes from on which a grant rests.
enum class Basis : std::uint8_t {
    nothing,     ///< there is no value
    written,     ///< its round wrote it into the lock's key
    found,       ///< it was there: written by another client, or by this one in an earlier round
    remembered,  ///< its client had it in an earlier round, and it is gone
    elsewhere,   ///< its round wrote it into other keys
};

/// What a grant rests on.
struct Claim {
    std::size_t granted = 0;  ///< the Granted, by its place in the log
    Instant told;             ///< the instant of that Granted
    std::uint32_t round = 0;
    /// The command that took the lock, by its place in the log of keys; with several servers, the
    /// last.
    std::optional<std::size_t> taking;
    Basis basis = Basis::nothing;
    std::string token;
    Duration lease{0};
    ClientId client;
    std::uint64_t grant = 0;
    std::uint64_t fence = 0;  ///< its fencing token; 0: none
    Mode mode = Mode::alone;
    std::optional<Duration> left{};  ///< what is left of its lease at the grant, as its lock says
    std::size_t began = 0;  ///< place of its try's first Sent; if none, of what began the try
    bool again = false;     ///< its client had the lock, and takes it a second time
    /// It is unknown what some command of its round did to the key, or to other keys.
    bool is_unsure = false;
    std::optional<std::size_t> same_round{};  ///< the previous claim of its round

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

    /// Call for every event in turn; `place` counts them from 0.
    void see(const Event& event, std::size_t place);

    std::span<const KeyChange> changes() const { return changes_; }
    std::span<const Struck> faults() const { return faults_; }
    std::span<const Claim> claims() const { return claims_; }
    const Claim& claim_of(const Inside& stay) const;
    /// Whether the data of `server` show what happened at `node` at that place in the log: it is
    /// that server, or it followed it until then.
    bool shows(NodeId server, NodeId node, std::size_t event) const {
        const bool took_over = failover_ && faults_[*failover_].node == server;
        return node == server || (took_over && event < faults_[*failover_].event);
    }
    /// The same for one key.
    bool shows(const KeyChange& here, const KeyChange& change) const {
        return here.key == change.key && shows(here.node, change.node, change.event);
    }
    /// Whether a replica took over before that place in the log: from then on the key exists twice.
    bool failed_over(std::size_t before) const {
        return failover_ && faults_[*failover_].event < before;
    }
    /// The changes of one key on which the claims rest, by places in the log of keys, the first
    /// claim's before the second's. If there are several keys, the one that the second claim got
    /// last.
    std::optional<std::pair<std::size_t, std::size_t>> last_meeting(const Claim& first,
                                                                    const Claim& second) const;
    /// Whether a server lost a key that the first's round had written, before the second took what
    /// it rests on.
    bool lost_between(const Claim& first, const Claim& second) const;
    /// Whether both rest on one and the same value.
    bool rest_on_one_value(const Claim& one, const Claim& other) const;
    /// Whether both rest on something at one server, possibly on different keys.
    bool are_at_one_server(const Claim& one, const Claim& other) const;
    /// Whether the round may have had this token: it was granted the lock with it, or not granted
    /// at all.
    bool may_have_had(std::uint32_t round, const std::string& token) const;
    /// Whether a restart may have brought back an old value of its client before the claim.
    bool may_have_come_back(const Claim& claim) const;
    /// Whether, between two places in the key's log, of which the second ends the claim, a command
    /// of its round went to the other of two masters.
    bool went_elsewhere(const Claim& claim, std::size_t after, std::size_t before) const;
    /// The earliest instant at which the change can have run. Live knows only that it lies between
    /// sending and reply; the simulator knows it exactly.
    Instant earliest(const KeyChange& change) const;
    /// Whether executions stand in the order in which they ran, each at its instant.
    bool is_exact() const { return exact_; }
    /// Whether several clients may have the lock at once.
    bool is_shared() const { return is_shared_; }
    /// Whether two clients are tasks of one process, and so share a lock object.
    bool share_object(ClientId one, ClientId other) const {
        return locklab::share_object(one, other, tasks_);
    }
    /// Whether the lock renews, so that a lease does not tell when it ends.
    bool renews() const { return renews_; }
    /// Whether all our commands are in the history, while strangers may have sent others.
    bool is_live() const { return live_; }
    /// Whether a grant without commands in the history had none: our worlds record every command.
    bool tells_commands() const { return tells_commands_; }
    /// How much too early a deadline may be that a client wrote into its key in place of a time to
    /// live: one clock unit (a second if unknown), unless the promised lease determines it more
    /// exactly.
    Duration early_by(const Claim& claim) const;
    /// For a stay of which only the end of its release is told: ends it, at the latest, when its
    /// client sent the command that deleted its key.
    void end_at_release(Inside& stay) const;
    /// Live: a delete whose reply is elsewhere in the log, and that may have run between both
    /// places.
    std::optional<std::size_t> perhaps_deleted(const Claim& claim, std::size_t begin,
                                               std::size_t end) const;
    /// Whether the claim's value is a number, and so may be a deadline.
    static bool has_deadline_in_value(const Claim& claim);
    /// Whether the change at this place in the key's log deleted what its own round had put there,
    /// with time left: by the order of the log it deleted no other client's value.
    bool frees_own(std::size_t place) const;
    /// The first fault out of `hazards`, which strike servers, that struck this key of this one
    /// between two places in the log, or null.
    const Struck* fault(HazardSet hazards, NodeId node, std::uint32_t key, std::size_t after,
                        std::size_t before) const;
    /// The same from this time on, until a place in the log.
    const Struck* fault_since(HazardSet hazards, NodeId node, std::uint32_t key, Instant since,
                              std::size_t before) const;
    /// Whether a fault of `hazards` struck this client before a place in the log.
    bool struck(HazardSet hazards, ClientId client, std::size_t before) const;
    /// Whether replies to the claim's client, from `change` up to its grant, were late.
    bool told_late(const Claim& claim, const KeyChange& change) const;
    /// Whether in this time a command of another round may have run that is not known to have run.
    bool may_have_run(std::uint32_t other_than, Instant since, Instant until) const;
    /// Executions whose effect is not certain.
    std::uint64_t uncertain() const { return uncertain_; }

private:
    const Struck* fault_from(std::vector<Struck>::const_iterator next, HazardSet hazards,
                             NodeId node, std::uint32_t key, std::size_t before) const;
    struct Unknown {
        Instant sent;
        std::uint32_t round = 0;
    };
    struct Taking {
        std::size_t place = 0;
        bool given_back = false;  ///< by a command of the same round
    };
    /// The state of a key at a server, as far as the log tells.
    struct Place {
        NodeId node;
        std::uint32_t key = 0;
        std::size_t last = 0;  ///< the last change, by its place in the log of keys
    };
    struct Client {
        /// Changes that took a key since the round began, or since its last grant: at most one per
        /// key.
        std::vector<Taking> taking;
        std::uint32_t held_round = 0;  ///< of its last grant
        std::vector<Taking> held;      ///< what that grant rests on
        std::size_t try_began = 0;
        bool has_sent = false;   ///< in its current try
        bool has_asked = false;  ///< in its round: one of its commands ran
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
    /// Leaves in `taking` what the client's grant rests on.
    Basis base(Client& client, const Event& event, const event::Granted& granted,
               std::size_t place);
    bool finds_value(Client& client, const Event& event, const std::string& token,
                     std::size_t place);
    /// Ends the claims of others that found this value: it belongs to its writer.
    void take_from_finders(std::size_t written, const std::string& token);
    /// The key's state at that server; null: it was never changed.
    const Place* place_of(NodeId node, std::uint32_t key) const;
    /// The command that wrote the value which is there at that time.
    std::optional<std::size_t> standing(const Place& there, Instant now, std::size_t place) const;
    /// Whether the key that was put there has not expired by this place, by any time to live that
    /// it got on the way, ignoring rounds in `but_for`, which had a key of their own.
    bool has_time_left(std::size_t put, std::size_t place,
                       const std::vector<std::uint32_t>& but_for) const;

    const std::string key_;
    const WallTime began_;
    const Duration clock_unit_;
    const bool exact_;
    const bool live_;
    const bool is_ours_;  ///< of one of our worlds
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
