// Two holders at once, proved without clocks, where clients are processes that are asked and
// answer.
//
// An interval from `granted` read to `release` written accuses falsely: a client may have learnt of
// its loss, and the line that says so lies unread. What is proved is only this order, in which each
// step is asked after the line before it was read:
//
//     B answers granted; A, inside, is asked for a step and answers that it is ok and not lost; B
//     is asked for a step and answers the same; and neither is asked to release in between.
//
// A was inside at its step. B had been granted the lock before it, and still had it after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/core/names.h"

namespace locklab {

/// What was written to a client, or read from it, in the order in which the harness did so.
struct ClientMoment {
    enum class Kind : std::uint8_t {
        granted,        ///< read: it has the lock
        step_asked,     ///< written
        inside,         ///< read: its step is ok, and it has not been told of a loss
        outside,        ///< read: anything else that a step can answer, that it lost the lock, or
                        ///< that it is gone
        release_asked,  ///< written
    };
    ClientId client;
    Kind kind = Kind::granted;
};

/// Places in the order of moments, from 0.
struct ProvedOverlap {
    ClientId first;               ///< A
    ClientId second;              ///< B
    std::size_t granted = 0;      ///< B's grant
    std::size_t first_step = 0;   ///< A's answer
    std::size_t second_step = 0;  ///< B's answer
};

class OverlapProver {
public:
    /// The next moment. What it proves; each pair of grants is accused once.
    std::vector<ProvedOverlap> see(const ClientMoment& moment);

private:
    struct Stay {
        std::size_t granted = 0;
        std::optional<std::size_t> step_asked;
        /// Whose step, inside, was asked and answered after this grant: where the answer stands.
        std::map<std::uint32_t, std::size_t> seen_inside;
        /// Stays of others, by their grants, that overlap with this one and were told.
        std::map<std::uint32_t, std::size_t> accused;
    };

    void leave(ClientId client);
    std::vector<ProvedOverlap> step(ClientId client);

    std::size_t place_ = 0;
    std::map<std::uint32_t, Stay> inside_;
};

}  // namespace locklab
