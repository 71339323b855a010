// Which keys an eviction may strike in a search. A step names its key by a number, which must not
// depend on what clients and tokens are called: so the names are taken down beforehand, from
// simulated runs. A name that holds a token stands for one key of each token of each client. A
// search that meets a key that is not among them says so (Coverage::unlisted_key).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/token_text.h"

namespace locklab {

/// So many can be evicted in a search: a server's data say in 64 bits which of them are there. Of
/// more names the shortest are listed, since those that count begin with these.
inline constexpr std::size_t kMostEvictedKeys = 64;

struct EvictedKeys {
    /// The lock's own first, then others by length and alphabet, with "<token>" for a token.
    std::vector<std::string> names;
    /// Why nothing can be said of the lock: it kept something outside of its object in these runs,
    /// where nobody would see it change later. Empty: it did not.
    std::string why_unknown{};
};

EvictedKeys evicted_keys(const Algorithm& algorithm);

/// The keys that these names (Bounds::keys) stand for in a search of so many clients, by their
/// numbers: first those without a token; then those with the first token of each client, with its
/// second, and so on while there is room for all clients.
std::vector<std::string> keys_of(std::span<const std::string> names, std::uint32_t clients,
                                 TokenStyle tokens);

/// The key's number where client i is called `is_now[i]`.
std::uint16_t key_of_renamed(std::uint16_t key, std::span<const std::string> names,
                             std::uint32_t clients, std::span<const std::uint8_t> is_now);

/// The place of a key in the list, or its length.
std::size_t place_of_key(const std::vector<std::string>& keys, std::string_view name);

}  // namespace locklab
