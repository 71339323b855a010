// The key of one grant while its holder is inside: when it was lost, and whether it was there all
// the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/check/inside.h"
#include "harness/check/key_log.h"

namespace locklab {

class Possession {
public:
    /// `taking`: what the claim rests on at one server, by its place in the key's log.
    Possession(const KeyLog& log, const Claim& claim, std::size_t taking);

    /// When the key was lost, if it was not regained before the stay ended; nothing if it was not
    /// lost.
    std::optional<Instant> lost(const Inside& stay);
    /// Whether the key was certainly there all the time. Call lost() first.
    bool was_kept(const Inside& stay) const { return !was_lost_ && stay.until < least_deadline_; }

private:
    enum class Way : std::uint8_t { gone, overwritten, perhaps };

    void take(const KeyChange& change);
    void set_deadline(const KeyChange& change);
    void lose(Instant at, Way way);
    void run_out_before(Instant now);
    void see_faults_before(std::size_t place);
    void see(const KeyChange& change);

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t taking_;
    Instant deadline_ = Instant::max();        ///< never
    Instant least_deadline_ = Instant::max();  ///< if live commands ran as early as possible
    std::optional<Instant> lost_;
    bool was_lost_ = false;  ///< even if it was regained
    Way way_ = Way::gone;
    std::size_t seen_ = 0;
};

}  // namespace locklab
