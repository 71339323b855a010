// The contract of a lock, and the registry row that describes an algorithm to everything else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "harness/core/client.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"
#include "harness/core/server_kind.h"
#include "harness/core/sharing.h"
#include "harness/core/task.h"
#include "harness/core/topology.h"

namespace locklab {

/// The lock is held, under `token`, for `lease` (zero: until released). `fence` is a fencing token:
/// a number above that of every earlier grant, which the job shows to its resource. Zero: the lock
/// has none.
struct Grant {
    Token token;
    Duration lease{0};
    std::uint64_t fence = 0;
};
/// Another client holds the lock, with certainty.
struct Refused {};
/// No answer came: we may hold the lock without knowing it.
struct Unknown {};

/// Made from a reply that failed: Unknown if no answer came. Otherwise the server answered with an
/// error, which is neither a grant nor a refusal, and does not tell who holds the lock.
class Failed {
public:
    explicit Failed(const Reply& reply) : reply_(reply) {}

    bool unknown() const { return !reply_.is_error(); }
    const std::string& error() const { return reply_.text(); }
    operator Release() const { return unknown() ? Release::unknown : Release::error; }

private:
    Reply reply_;
};

class [[nodiscard]] Acquired {
public:
    Acquired(Grant grant) : outcome_(std::move(grant)) {}
    Acquired(Refused refused) : outcome_(refused) {}
    Acquired(Unknown unknown) : outcome_(unknown) {}
    Acquired(Failed failed) : outcome_(std::move(failed)) {
        if (std::get<Failed>(outcome_).unknown()) outcome_ = Unknown{};
    }

    const Grant* grant() const { return std::get_if<Grant>(&outcome_); }
    Grant* grant() { return std::get_if<Grant>(&outcome_); }
    bool unknown() const { return std::holds_alternative<Unknown>(outcome_); }
    /// The server's error, if the outcome is one; else null.
    const std::string* error() const {
        const Failed* failed = std::get_if<Failed>(&outcome_);
        return failed == nullptr ? nullptr : &failed->error();
    }

private:
    std::variant<Grant, Refused, Unknown, Failed> outcome_;
};

/// One client's handle on one lock.
class Lock {
public:
    virtual ~Lock() = default;

    /// One try. The harness waits between tries, in the same way for all locks.
    virtual Task<Acquired> try_acquire() = 0;
    /// Called once for each grant, even if the lock was lost since. Workload::always_releases calls
    /// it after refused tries too.
    virtual Task<Release> release() = 0;
};

/// The parameters of articles. A zero duration: the algorithm has none.
struct LockOptions {
    Duration ttl{0};
    /// How long the harness waits between two tries.
    Duration retry{0};
    /// After this time a client stops trying and starts anew; zero: never.
    Duration give_up{0};
    /// Time between two renewals.
    Duration renewal{0};
    /// The unit of clock readings and TTLs: seconds, milliseconds, or microseconds for an article
    /// that keeps a float.
    Duration clock_unit = std::chrono::seconds(1);
};

/// The same options for another TTL, with renewals in proportion; unchanged if keys never expire.
constexpr LockOptions with_ttl(LockOptions options, Duration ttl) {
    if (options.ttl == Duration::zero()) return options;
    options.renewal = Duration(options.renewal.count() * ttl.count() / options.ttl.count());
    options.ttl = ttl;
    return options;
}

struct Algorithm;

/// The options of one client's lock; `usual` are those of the rest.
LockOptions its_options(ClientId client, const LockOptions& usual, const UnequalClients& unequal);

/// The mode in which the client wants the lock. If a lock has both modes and nothing else is said,
/// every second client (B, D and so on) wants it alone.
Mode its_mode(ClientId client, const Algorithm& algorithm, const UnequalClients& unequal);

/// Keeps only the options that the lock has: a TTL, a renewal time, a mode.
UnequalClients kept_by(const Algorithm& algorithm, UnequalClients clients);

/// Throws UsageError if a client's TTL is no whole number of the lock's clock units.
void check_ttl(const ClientOptions& own, const LockOptions& usual);

/// The longest life of any client's key; zero: for ever.
Duration longest_ttl(const LockOptions& usual, const UnequalClients& unequal);

/// The purpose of a lock that is not under test.
enum class Control : std::uint8_t {
    none,           ///< none: the lock is under test
    grants_always,  ///< no lock at all: every checker must catch it
    never_wrong,    ///< right by construction: no checker may flag it
};

/// All that others need to know of a lock. Nothing is inferred from another field; registry_test
/// runs each lock and compares.
struct Algorithm {
    std::string_view name;
    std::string_view label;   ///< for tables and figures
    std::string_view idea;    ///< one sentence
    std::string_view source;  ///< the article, as its file's header names it
    std::string_view colour;  ///< for every figure, "#rrggbb"
    LockOptions defaults;     ///< as in the article
    Control control = Control::none;
    std::uint32_t redis_servers = 1;  ///< how many it uses; 0: it sends Redis nothing
    /// Valkey: it needs a command that Redis lacks.
    ServerKind server = ServerKind::redis;
    bool reads_wall_clock = false;       ///< its client's own, which may be wrong
    bool reads_monotonic_clock = false;  ///< its client's own stopwatch
    bool renews = false;      ///< a background task keeps the lock for jobs of any length
    bool reentrant = false;   ///< its holder may take it again
    Permits permits = 1;      ///< how many of the clients that share it may be inside at once
    bool both_modes = false;  ///< a client may share it, or want it alone
    bool fair = false;        ///< waiting clients are granted the lock in the order of asking
    bool fences = false;      ///< its grants carry fencing tokens
    bool cancels = false;     ///< its callers can cancel a try that is under way
    /// Each try has a lock object of its own, as in libraries that return one for each grant. It
    /// reads its stopwatch only for the time since its try began, and its background tasks end with
    /// its release. So nothing but Redis remembers an earlier try.
    bool new_each_try = false;
    HazardSet safe_under;  ///< hazards under which every run must hold
    HazardSet broken_by;   ///< hazards that must break it
    /// Of these, the hazards that break it too rarely for a campaign of the usual size: the proof
    /// is a search's.
    HazardSet rarely_broken_by{};
    std::unique_ptr<Lock> (*make)(Client& client, const Key& key, const LockOptions& options);

    constexpr bool on_redis() const { return redis_servers > 0; }
    /// The servers on which it runs.
    constexpr Topology topology() const { return {std::max(redis_servers, 1U), 0}; }
};

/// Whether the hazard can strike the lock at all: a stall needs a background task, a lost or late
/// message needs messages, an eviction a key, a failover a single master. If it cannot, there is
/// nothing to claim.
constexpr bool applies(const Algorithm& algorithm, Hazard hazard) {
    if (hazard == Hazard::stall) return algorithm.renews;
    if (strikes_calls(hazard)) return algorithm.cancels;
    // Replicas of several masters are not supported.
    if (takes_over(hazard)) return algorithm.redis_servers <= 1;
    return algorithm.on_redis() || !(strikes_messages(hazard) || deletes_keys(hazard));
}

/// The fewest clients that can exceed the permits, and exclude each other in every way.
constexpr std::uint32_t least_clients(const Algorithm& algorithm) {
    return std::max(algorithm.both_modes ? 4U : 2U, algorithm.permits + 1);
}

/// The time within which a watchdog must tell its holder that the lock is lost: it may have renewed
/// just before, and the reply to its next renewal may take until the time-out. The longest of all
/// clients' times. Zero: there is no watchdog.
Duration told_within(const Algorithm& algorithm, const LockOptions& options,
                     const UnequalClients& unequal, Duration command_timeout);

}  // namespace locklab
