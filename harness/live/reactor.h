// The loop of everything live: sockets by libuv, alarms to the microsecond (libuv's own timers
// count whole milliseconds), and output that is written once per turn.
//
// A turn sounds the alarms that are due, writes what connections have to write, and waits for the
// sockets or the next alarm. Code called by an alarm may throw, and the exception leaves turn();
// code called by a socket may not, because libuv is C.
#pragma once

#include <uv.h>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/core/time.h"

namespace locklab {

class Reactor {
public:
    using Clock = std::chrono::steady_clock;

    /// The purpose of an alarm, as its sleeper defines it.
    struct Alarm {
        std::uint32_t kind = 0;
        std::uint32_t task = 0;
        std::uint64_t value = 0;
    };
    class Sleeper {
    public:
        virtual void wake(const Alarm& alarm) = 0;

    protected:
        ~Sleeper() = default;
    };
    /// Has output that waits to be written.
    class Writer {
    public:
        virtual void flush() = 0;

    protected:
        ~Writer() = default;
    };

    Reactor();
    /// All users of the loop must have closed their handles.
    ~Reactor();
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;

    /// Alarms for the same instant sound in the order in which they were set.
    void wake_at(Clock::time_point at, Sleeper& sleeper, Alarm alarm);
    void wake_after(Duration delay, Sleeper& sleeper, Alarm alarm) {
        wake_at(Clock::now() + delay, sleeper, alarm);
    }
    /// Drops all of its alarms.
    void forget(const Sleeper& sleeper);

    void flush_soon(Writer& writer) { writers_.push_back(&writer); }
    void forget(const Writer& writer);

    /// Waits for events and handles them; returns at least every 50 ms.
    void turn();
    /// Handles all events that have happened, without waiting. Alarms do not sound. `begun`:
    /// something was begun since the last turn or look.
    void look(bool begun = true);

    /// The worst delay of an alarm since the last call: 0 on a machine that keeps up.
    Duration take_worst_lag() { return std::exchange(worst_lag_, Duration::zero()); }

    uv_loop_t* loop() { return &loop_; }

private:
    struct Entry {
        Clock::time_point at;
        std::uint64_t order;
        Sleeper* sleeper;
        Alarm alarm;
        /// For a heap with the earliest in front.
        bool operator<(const Entry& other) const {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    bool sound_due();
    bool has_happened();
    void flush();
    void set_timer();

    uv_loop_t loop_{};
    uv_timer_t heartbeat_{};
    uv_poll_t timer_poll_{};
    int timer_ = -1;
    bool timer_rang_ = false;
    Clock::time_point timer_at_ = Clock::time_point::max();
    std::vector<Entry> alarms_;
    std::uint64_t last_order_ = 0;
    Duration worst_lag_{0};
    std::vector<Writer*> writers_;
};

}  // namespace locklab
