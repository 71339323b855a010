// The third oracle: a write under an older grant after a write under a newer one. A resource that
// checks fencing tokens (Kleppmann, "How to do distributed locking", 2016) would have refused it.
// The lock's own tokens tell which grant is older; without tokens, the order of the grants does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>  // lookup only
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct FenceInversion {
    std::size_t event = 0;  ///< the Wrote, by its place in the log
    std::uint64_t grant = 0;
    std::uint64_t highest = 0;  ///< the newest grant that had written before
    Instant at;
    ClientId client;
};

/// Follows a history event by event.
class FenceWatch {
public:
    void see(const Event& event, std::size_t place);
    const std::vector<FenceInversion>& found() const { return found_; }
    /// Number of grants that had a fencing token.
    std::uint64_t tokens() const { return fences_.size(); }

private:
    struct Writer {
        std::uint64_t grant = 0;
        std::uint64_t fence = 0;  ///< 0: none
        bool is_older_than(const Writer& other) const;
    };

    std::vector<FenceInversion> found_;
    Writer newest_;
    std::unordered_map<std::uint64_t, std::uint64_t> fences_;  ///< by grant, if it has one
};

std::vector<FenceInversion> fence_inversions(const History& history);

}  // namespace locklab
