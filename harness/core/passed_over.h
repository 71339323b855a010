// Clients that want the lock in vain while others are granted it again and again. After its last
// grant a run goes on for them: the other clients finish, and these try on until each is granted
// the lock, or the run's patience ends and they are stuck.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/history.h"
#include "harness/core/names.h"

namespace locklab {

class PassedOver {
public:
    /// `grants`: after this many, over all clients, the run winds down.
    PassedOver(std::uint32_t clients, std::uint64_t grants)
        : since_(clients), limit_(limit_of(grants)) {}

    void see(ClientId client, const EventDetail& detail) {
        if (std::holds_alternative<event::Wants>(detail)) {
            since_[client.value] = grants_;
        } else if (std::holds_alternative<event::Granted>(detail)) {
            ++grants_;
            since_[client.value].reset();
        } else if (std::holds_alternative<event::Finished>(detail)) {
            since_[client.value].reset();
        }
    }
    /// Whether the client wants the lock, and at least limit_ grants went to others meanwhile.
    bool is(ClientId client) const {
        const std::optional<std::uint64_t>& since = since_[client.value];
        return since && grants_ - *since >= limit_;
    }

private:
    /// So many grants that chance alone seldom keeps one of a few clients out for as long.
    static std::uint64_t limit_of(std::uint64_t grants) {
        constexpr std::uint64_t kLeast = 8;
        constexpr std::uint64_t kPart = 3;
        return std::max(kLeast, grants / kPart);
    }

    std::vector<std::optional<std::uint64_t>> since_;  ///< grants before its want
    const std::uint64_t limit_;
    std::uint64_t grants_ = 0;
};

}  // namespace locklab
