// Clients that want the lock in vain while others are granted it again and again. A run that has
// seen enough goes on for them: the others finish and leave, and they try on, until each is granted
// the lock, or the run's patience is over and it is stuck.
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
    /// `grants`: after so many, over all clients, the run winds down.
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
    /// Whether it wants the lock, and so many others were granted it since it does.
    bool is(ClientId client) const {
        const std::optional<std::uint64_t>& since = since_[client.value];
        return since && grants_ - *since >= limit_;
    }

private:
    /// Chance alone does not often keep one of a few clients out for so long.
    static std::uint64_t limit_of(std::uint64_t grants) {
        constexpr std::uint64_t kLeast = 8;
        constexpr std::uint64_t kPart = 3;
        return std::max(kLeast, grants / kPart);
    }

    std::vector<std::optional<std::uint64_t>> since_;  ///< the grants before its want
    const std::uint64_t limit_;
    std::uint64_t grants_ = 0;
};

}  // namespace locklab
