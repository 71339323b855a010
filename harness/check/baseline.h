// Faults that break every lock which is only a lease: to find a lock broken by one of these says
// nothing about it, so it is told once for all and not of each. What is no baseline tells locks
// apart.
#pragma once

#include <string_view>

#include "harness/core/hazard.h"

namespace locklab {

/// What a lock says of itself.
struct LeaseTraits {
    bool renews = false;
    bool checks_clocks = false;  ///< it promises to bear clocks that are wrong
};

/// Why every lease breaks under it, as a sentence; empty: it is no baseline.
std::string_view why_baseline(Hazard hazard, LeaseTraits traits);

inline bool is_baseline(Hazard hazard, LeaseTraits traits) {
    return !why_baseline(hazard, traits).empty();
}

}  // namespace locklab
