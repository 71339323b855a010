// Keys that a try left behind: it created the lock's key and ended without a grant, and the key was
// not removed before it expired, if it expires at all. Until then no client has the lock, and all
// are refused.
//
// Counts only what is certain: not a key that another client overwrote or removed, that a server
// lost, or that may still be removed when the history ends; nor one on which a later grant of the
// same client rests.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "harness/check/key_log.h"
#include "harness/check/per_client.h"

namespace locklab {

/// Tries, counted.
struct LeftKeys {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< tries that ended without a grant

    void add(const LeftKeys& other);
};

/// Follows a history event by event.
class LeftKeyWatch {
public:
    void see(const Event& event, std::size_t place);
    /// `log` is of the same history, which ends `at`.
    LeftKeys end(const KeyLog& log, Instant at) const;

private:
    struct Try {
        Instant from;
        Instant until;
        std::size_t end = 0;  ///< the event that ended it, by its place in the log
    };
    struct Client {
        Instant try_from;
        bool has_made = false;           ///< its try created a key
        std::set<std::uint64_t> open{};  ///< commands of its try that may still run
        std::vector<Try> failed{};       ///< failed tries that may have created a key
    };
    void end_try(const Event& event, std::size_t place, bool failed);
    const Try* try_of(const KeyChange& made) const;

    PerClient<Client> clients_;
    std::uint64_t failed_ = 0;
};

}  // namespace locklab
