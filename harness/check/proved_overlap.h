// Two holders at once, proved without clocks, if clients are processes that are asked and answer.
//
// An interval from reading `granted` to writing `release` can be wrong: the client may have learnt
// of its loss, and the line that says so is still unread. Only this order is a proof, in which each
// step is asked after the line before it was read:
//
//     B answers granted; A, inside, is asked for a step and answers that it is ok and not lost; B
//     is asked for a step and answers the same; and neither is asked to release in between.
//
// A was inside at its step. B had been granted the lock before that, and still had it after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/core/names.h"

namespace locklab {

/// A line written to a client, or read from it, in the order in which the harness did so.
struct ClientMoment {
    enum class Kind : std::uint8_t {
        granted,     ///< read: the client has the lock
        step_asked,  ///< written
        inside,      ///< read: its step is ok, and it has not been told of a loss
        outside,  ///< read: any other answer to a step, that it lost the lock, or that it is gone
        release_asked,  ///< written
    };
    ClientId client;
    Kind kind = Kind::granted;
};

/// Places count moments from 0.
struct ProvedOverlap {
    ClientId first;               ///< A
    ClientId second;              ///< B
    std::size_t granted = 0;      ///< B's grant
    std::size_t first_step = 0;   ///< A's answer
    std::size_t second_step = 0;  ///< B's answer
};

class OverlapProver {
public:
    /// Takes the next moment, and returns what it proves; each pair of grants is reported once.
    std::vector<ProvedOverlap> see(const ClientMoment& moment);

private:
    struct Stay {
        std::size_t granted = 0;
        std::optional<std::size_t> step_asked;
        /// Clients whose step, inside, was asked and answered after this grant, with the answer's
        /// place.
        std::map<std::uint32_t, std::size_t> seen_inside;
        /// Stays that overlap with this one and were reported, by their grants.
        std::map<std::uint32_t, std::size_t> accused;
    };

    void leave(ClientId client);
    std::vector<ProvedOverlap> step(ClientId client);

    std::size_t place_ = 0;
    std::map<std::uint32_t, Stay> inside_;
};

}  // namespace locklab
