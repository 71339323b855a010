// What became of a lock whose master was killed, in reality or in the model.
#pragma once

namespace locklab {

struct FailoverOutcome {
    /// The first client had been granted the lock when the master died.
    bool granted = false;
    /// It was granted, and the new master does not have its key.
    bool lost = false;
    /// The new master has granted the lock to a second client while the first one held it.
    bool twice = false;
    /// It was not granted, and the new master has its key: nobody gets the lock until it expires.
    bool left = false;

    bool operator==(const FailoverOutcome&) const = default;
};

}  // namespace locklab
