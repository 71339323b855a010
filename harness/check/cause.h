// Why two clients were inside at once, inferred from the history: how the claim of the one that
// took the key first ended.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/check/key_log.h"
#include "harness/check/overlap.h"

namespace locklab {

enum class Cause : std::uint8_t {
    expired_while_held,  ///< its lease ran out while its holder was still inside
    late_reply,  ///< the same, because the holder was told of its grant long after the lease began
    foreign_delete,   ///< a command of another grant deleted its key
    foreign_renewal,  ///< another client overwrote its deadline with an earlier one
    overwritten,  ///< another client put its own value into the key while the lease had time left
    revived_key,  ///< a renewal for a grant that was over put its own key back
    clock,        ///< a clock was wrong: a lease was taken for longer or shorter than it was
    lost_data,    ///< the server lost the key: restart, old snapshot, eviction, or a stranger's
                  ///< delete
    token_collision,  ///< a command of another client passed the check, since it had the same token
    stale_write,      ///< a write from a grant that overlapped with no other
    old_token,        ///< a fencing token is not higher than that of an earlier grant
    no_key,         ///< one of the grants rested on no key of the lock that its client had written
    miscounted,     ///< more clients have the lock than permitted, with every lease running
    other_servers,  ///< the grants rested on keys of different servers
    failover,       ///< one of two masters did not know what was done at the other
    shared_object,  ///< a lock object took one task of its client for another
    unexplained,    ///< the history does not tell why
};

struct CauseRow {
    Cause cause;
    std::string_view name;
    std::string_view meaning;
};

/// Every cause, in report order.
inline constexpr std::array<CauseRow, 17> kCauses{{
    {Cause::expired_while_held, "expired_while_held",
     "the lease ran out while its holder was still inside"},
    {Cause::late_reply, "late_reply",
     "the lease began when the server ran the command, and its holder was told of that late"},
    {Cause::foreign_delete, "foreign_delete", "a command of another grant deleted the key"},
    {Cause::foreign_renewal, "foreign_renewal",
     "another client overwrote the deadline with an earlier one"},
    {Cause::overwritten, "overwritten",
     "another put its own value into the key while the lease had time left"},
    {Cause::revived_key, "revived_key",
     "a renewal for a grant that was over put the key back as its own"},
    {Cause::clock, "clock",
     "a clock was wrong, so that a lease was taken for longer or shorter than it was"},
    {Cause::lost_data, "lost_data",
     "the server lost the key (restart, old snapshot, eviction, deleted by a stranger)"},
    {Cause::token_collision, "token_collision",
     "a command of another grant passed the check, for both had the same token"},
    {Cause::stale_write, "stale_write", "a write came from a grant that overlapped with nobody"},
    {Cause::old_token, "old_token",
     "a grant's fencing token is not higher than that of a grant before it"},
    {Cause::no_key, "no_key", "a grant rested on no key of the lock that its client had written"},
    {Cause::miscounted, "miscounted",
     "the lock let in more than may be inside, though every lease had time left"},
    {Cause::other_servers, "other_servers",
     "the two grants rested on keys of different servers, of which neither knows the other"},
    {Cause::failover, "failover",
     "a replica took over, and one master did not know what had been done at the other"},
    {Cause::shared_object, "shared_object",
     "two tasks of one client share a lock object, which took one for the other"},
    {Cause::unexplained, "unexplained", "the history does not tell why"},
}};

constexpr const CauseRow& row_of(Cause cause) { return kCauses[static_cast<std::size_t>(cause)]; }
constexpr std::string_view name_of(Cause cause) { return row_of(cause).name; }

/// How often each cause was found.
class CauseCounts {
public:
    std::uint64_t& operator[](Cause cause) { return counts_[static_cast<std::size_t>(cause)]; }
    std::uint64_t operator[](Cause cause) const { return counts_[static_cast<std::size_t>(cause)]; }
    bool operator==(const CauseCounts&) const = default;

private:
    std::array<std::uint64_t, kCauses.size()> counts_{};
};

/// The cause of an overlap in the history of `log`. If a live history leaves the order of two
/// commands open, the most plausible cause.
Cause cause_of(const KeyLog& log, const Overlap& overlap);

}  // namespace locklab
