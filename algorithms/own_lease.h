// A lease that its holder measures by its own stopwatch, and leaves by itself when it ends.
#pragma once

#include "harness/core/drift.h"
#include "harness/core/lock.h"

namespace locklab {

class OwnLease {
public:
    OwnLease(Client& client, Duration lease) : client_(client), lease_(lease) {}

    Duration now() const { return Duration(us(client_.monotonic())); }
    /// The lease counts from `began`, which was read before its command was sent. What two clocks
    /// may differ by is taken off.
    void begin(Duration began) { end_ = began + lease_ - drift_over(lease_); }
    Duration left() const { return end_ - now(); }
    bool is_over() const { return left() <= Duration(0); }

    /// Tells the holder at the end of its lease, however often that was put off.
    Task<> tell_at_end() {
        while (!is_over()) co_await client_.sleep(left());
        client_.lost();
    }

private:
    Client& client_;
    const Duration lease_;
    Duration end_{0};
};

}  // namespace locklab
