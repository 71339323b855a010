// The contract of a lock, and the row by which an algorithm is known to everything else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "harness/core/client.h"
#include "harness/core/hazard.h"
#include "harness/core/history.h"
#include "harness/core/sharing.h"
#include "harness/core/task.h"
#include "harness/core/topology.h"

namespace locklab {

/// The lock is held, under `token`, for `lease` (zero: until released). `fence` is a fencing token:
/// a number above that of every grant before it, which the job shows to its resource. Zero: the
/// lock has none.
struct Grant {
    Token token;
    Duration lease{0};
    std::uint64_t fence = 0;
};
/// Somebody else holds it: definite.
struct Refused {};
/// No answer came: the lock may be held by us and nobody knows.
struct Unknown {};

/// Made of a reply that failed: Unknown where no answer came. Else the server answered with an
/// error, which is neither a grant nor a refusal, and says nothing of who holds the lock.
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
    /// The server's error, where it is that; else null.
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

    /// One try. Waiting between tries is the harness' business, the same for all.
    virtual Task<Acquired> try_acquire() = 0;
    /// Called once for each grant, also when the lock has been lost since.
    virtual Task<Release> release() = 0;
};

/// What articles differ in. Durations of zero: the algorithm has none.
struct LockOptions {
    Duration ttl{0};
    /// How long the harness waits between two tries.
    Duration retry{0};
    /// After how long a client stops trying and starts anew; zero: never.
    Duration give_up{0};
    /// Between two renewals.
    Duration renewal{0};
    /// What clock readings and TTLs are counted in: seconds, milliseconds, or microseconds for
    /// an article that keeps a float.
    Duration clock_unit = std::chrono::seconds(1);
};

/// The same for keys that live so long, renewed as often in that time; where keys expire at all.
constexpr LockOptions with_ttl(LockOptions options, Duration ttl) {
    if (options.ttl == Duration::zero()) return options;
    options.renewal = Duration(options.renewal.count() * ttl.count() / options.ttl.count());
    options.ttl = ttl;
    return options;
}

struct Algorithm;

/// What one client's lock is given, where `usual` is what the rest have.
LockOptions its_options(ClientId client, const LockOptions& usual, const UnequalClients& unequal);

/// How the client wants the lock. Where nothing else is said, every second client wants one that
/// can be had both ways alone: B, D and so on.
Mode its_mode(ClientId client, const Algorithm& algorithm, const UnequalClients& unequal);

/// Of all options those that the lock can have: a TTL, a renewal, and a mode only where
/// it has one.
UnequalClients kept_by(const Algorithm& algorithm, UnequalClients clients);

/// Throws UsageError where a client's TTL is no whole number of the lock's clock units.
void check_ttl(const ClientOptions& own, const LockOptions& usual);

/// The longest time for which any client's key lives; zero: for ever.
Duration longest_ttl(const LockOptions& usual, const UnequalClients& unequal);

/// What a lock is there for that is not under test.
enum class Control : std::uint8_t {
    none,           ///< it is under test
    grants_always,  ///< no lock at all: every checker must catch it
    never_wrong,    ///< right by construction: no checker may accuse it
};

/// All that others need to know of a lock. Nobody infers one of these from another;
/// registry_test plays each lock and compares.
struct Algorithm {
    std::string_view name;
    std::string_view label;   ///< for tables and figures
    std::string_view idea;    ///< one sentence
    std::string_view source;  ///< the article, as its file's header names it
    std::string_view colour;  ///< for every figure, "#rrggbb"
    LockOptions defaults;     ///< the article's own
    Control control = Control::none;
    std::uint32_t redis_servers = 1;     ///< how many it talks to; 0: it sends Redis nothing
    bool reads_wall_clock = false;       ///< its client's own, which may be wrong
    bool reads_monotonic_clock = false;  ///< its client's own stopwatch
    bool renews = false;      ///< a background task keeps the lock for jobs of any length
    bool reentrant = false;   ///< its holder may take it again
    Permits permits = 1;      ///< of those who share it, how many may be inside at once
    bool both_modes = false;  ///< a client may share it, or want it alone
    bool fair = false;        ///< who waits is granted in the order of asking
    bool fences = false;      ///< its grants carry fencing tokens
    HazardSet safe_under;     ///< what must hold holds
    HazardSet broken_by;      ///< what must break breaks
    std::unique_ptr<Lock> (*make)(Client& client, const Key& key, const LockOptions& options);

    constexpr bool on_redis() const { return redis_servers > 0; }
    /// The servers that it is run on.
    constexpr Topology topology() const { return {std::max(redis_servers, 1U), 0}; }
};

/// Whether the hazard can strike the lock at all: a stall needs a background task, a lost or
/// late message needs messages, a failover a single master. Where it cannot, there is nothing to
/// claim.
constexpr bool applies(const Algorithm& algorithm, Hazard hazard) {
    if (hazard == Hazard::stall) return algorithm.renews;
    // Replicas of several masters are not known.
    if (takes_over(hazard)) return algorithm.redis_servers <= 1;
    return algorithm.on_redis() || !strikes_messages(hazard);
}

/// With fewer clients not everybody who could be too many, or in another's way, is there.
constexpr std::uint32_t least_clients(const Algorithm& algorithm) {
    return std::max(algorithm.both_modes ? 4U : 2U, algorithm.permits + 1);
}

/// Within what time a watchdog is to tell its holder that the lock is lost: it may have renewed
/// just before, and its next renewal may be answered as late as the time-out. The longest of all
/// clients'. Zero: there is none.
Duration told_within(const Algorithm& algorithm, const LockOptions& options,
                     const UnequalClients& unequal, Duration command_timeout);

}  // namespace locklab
