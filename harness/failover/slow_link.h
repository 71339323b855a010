// The way from a master to a replica that is held back: a link of bytes with a lag, in a thread of
// its own, which knows how late it was itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <thread>

#include "harness/core/time.h"
#include "harness/live/endpoint.h"

namespace locklab {

class SlowLink {
public:
    /// What `master` sends to those who connect here comes `lag` later. Throws std::runtime_error
    /// with one sentence if it cannot listen.
    SlowLink(const Endpoint& master, Duration lag);
    ~SlowLink();
    SlowLink(const SlowLink&) = delete;
    SlowLink& operator=(const SlowLink&) = delete;

    /// An address of this host.
    const Endpoint& endpoint() const { return endpoint_; }
    /// How late its thread was, at most, since the last call and until now: less than a millisecond
    /// on a machine that keeps up. Returns a moment later.
    Duration take_worst_lag();

private:
    void serve(const Endpoint& master, Duration lag, std::promise<Endpoint>& opened);

    Endpoint endpoint_;
    std::atomic<std::int64_t> worst_us_{0};
    std::atomic<std::uint64_t> beats_{0};
    std::atomic<std::uint64_t> turns_{0};  ///< with a beat
    std::atomic<bool> over_{false};
    std::thread thread_;
};

}  // namespace locklab
