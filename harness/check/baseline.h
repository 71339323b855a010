// Faults that break every lock which is only a lease. That one of these breaks a lock says nothing
// about the lock, so it is reported once for all locks. Faults that are no baseline tell locks
// apart.
#pragma once

#include <string_view>

#include "harness/core/hazard.h"

namespace locklab {

/// What a lock promises.
struct LeaseTraits {
    bool renews = false;
    bool checks_clocks = false;  ///< it promises to tolerate wrong clocks
};

/// Why every lease breaks under the hazard, as a sentence; empty: it is no baseline.
std::string_view why_baseline(Hazard hazard, LeaseTraits traits);

inline bool is_baseline(Hazard hazard, LeaseTraits traits) {
    return !why_baseline(hazard, traits).empty();
}

}  // namespace locklab
