// Which keys an eviction may strike in a search. A step names its key by a number, which must not
// depend on what clients and tokens are called: so the names are taken down beforehand, from
// simulated runs, and those that hold a token are left out. A search that meets a key that is not
// listed says so (Coverage::unlisted_key).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/lock.h"

namespace locklab {

/// So many are listed at most: the shortest names, since those that count begin with these.
inline constexpr std::size_t kMostEvictedKeys = 64;

struct EvictedKeys {
    /// The lock's own first, then others by length and alphabet.
    std::vector<std::string> names;
    /// Why nothing can be said of the lock: it kept something outside of its object in these runs,
    /// where nobody would see it change later. Empty: it did not.
    std::string why_unknown{};
};

EvictedKeys evicted_keys(const Algorithm& algorithm);

/// The place of a key in the list, or its length.
std::size_t place_of_key(const std::vector<std::string>& keys, std::string_view name);

}  // namespace locklab
