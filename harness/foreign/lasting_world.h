// A virtual world for many plays: if a driver ends during a play, the next play has a fresh world.
#pragma once

#include <functional>
#include <optional>

#include "harness/foreign/team.h"
#include "harness/foreign/virtual_play.h"

namespace locklab {

class LastingWorld {
public:
    using Lose = std::function<void(const DriverGone&)>;

    /// All arguments must outlive it. `lose` is called for each driver that is gone, and may throw.
    LastingWorld(const Subject& subject, VirtualWorld& first, const std::atomic<bool>& stop,
                 Lose lose)
        : subject_(subject), first_(first), stop_(stop), lose_(std::move(lose)) {}

    /// Nothing: it ended with a driver.
    std::optional<PlayResult> play(const PlaySpec& spec, PlayDrive& drive, std::uint64_t run,
                                   PlayDetail detail = PlayDetail::answers);

private:
    const Subject& subject_;
    VirtualWorld& first_;
    const std::atomic<bool>& stop_;
    const Lose lose_;
    std::optional<VirtualWorld> fresh_;
};

}  // namespace locklab
