// Whether fencing tokens of grants go up, in a search. It keeps only what the rest of a run depends
// on: the last token told to each client, and the highest that others had been told when it took
// the lock. A grant that was told before another client took the lock must have the lower token:
// else the resource refuses the later holder, or accepts writes of one whose lock is over. The
// judge of a history applies the same rule (check/token_order.h); both forms of the rules use this
// class.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/explore/bounds.h"

namespace locklab {

class TokenOrder {
public:
    /// A command of the client takes the lock.
    void takes(std::uint32_t client) {
        std::uint64_t& floor = floors_[client];
        floor = 0;
        for (std::uint32_t i = 0; i < told_.size(); ++i) {
            if (i != client) floor = std::max(floor, told_[i]);
        }
    }
    /// The client is told of its grant. It may get a token of its own again.
    void tell(std::uint32_t client, std::uint64_t token) {
        is_broken_ = is_broken_ || token <= floors_[client] || token < told_[client];
        told_[client] = token;
        floors_[client] = 0;
    }
    /// Some token was not higher than that of an earlier grant.
    bool is_broken() const { return is_broken_; }
    /// No client has been told of a token.
    bool is_empty() const {
        return std::ranges::all_of(told_, [](std::uint64_t token) { return token == 0; });
    }

    /// Client i of the result was client `from[i]`.
    template <class Permutation>
    TokenOrder renamed(const Permutation& from) const {
        TokenOrder renamed = *this;
        for (std::uint32_t i = 0; i < told_.size(); ++i) {
            renamed.told_[i] = told_[from[i]];
            renamed.floors_[i] = floors_[from[i]];
        }
        return renamed;
    }

    std::uint64_t hash() const {
        std::uint64_t hash = is_broken_ ? 1 : 0;
        for (std::uint32_t i = 0; i < told_.size(); ++i) {
            hash = (hash ^ told_[i]) * 0xD6E8FEB86659FD93U;
            hash = (hash ^ hash >> 32 ^ floors_[i]) * 0xD6E8FEB86659FD93U;
        }
        return hash;
    }
    bool operator==(const TokenOrder&) const = default;

private:
    using Tokens = std::array<std::uint64_t, Bounds::kMostClients>;  ///< 0: none

    Tokens told_{};
    Tokens floors_{};  ///< the highest token that others had been told as it took the lock
    bool is_broken_ = false;
};

}  // namespace locklab
