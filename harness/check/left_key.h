// Keys that a try left behind: it made the lock's key, ended without a grant, and nobody removed
// the key before it ran out by itself, or it never does. Until then the lock is nobody's, and all
// are refused.
//
// It counts what is certain, and no more: a key that another overwrote or removed, that a server
// lost, or that may yet be removed as the history ends, does not count. Nor does one that a later
// grant of the same client rests on.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "harness/check/key_log.h"
#include "harness/check/per_client.h"

namespace locklab {

/// Of tries.
struct LeftKeys {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< that ended without a grant

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
        std::size_t end = 0;  ///< what ended it, by its place in the log
    };
    struct Client {
        Instant try_from;
        bool has_made = false;           ///< a key, in its try
        std::set<std::uint64_t> open{};  ///< commands of its try that may yet run
        std::vector<Try> failed{};       ///< those that may have made a key
    };
    void end_try(const Event& event, std::size_t place, bool failed);
    const Try* try_of(const KeyChange& made) const;

    PerClient<Client> clients_;
    std::uint64_t failed_ = 0;
};

}  // namespace locklab
