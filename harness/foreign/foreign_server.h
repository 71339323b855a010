// The redis-server of driver runs. Its clock can be set wrong if that was asked for.
#pragma once

#include <memory>

#include "harness/core/fault_budget.h"
#include "harness/live/redis_process.h"
#include "harness/virtual/wrong_clock.h"

namespace locklab {

class ForeignServer {
public:
    enum class ItsClock { right, can_be_wrong };

    /// The clock that runs with these faults need.
    static ItsClock clock_for(const FaultBudget& faults);

    /// Returns when it answers. Throws as RedisProcess does.
    explicit ForeignServer(ItsClock clock = ItsClock::right);

    const RedisProcess& process() const { return process_; }
    void kill() { process_.kill(); }
    /// Starts it again, empty, without waiting for it. Throws as RedisProcess does.
    void launch();
    void await_ready() { process_.await_ready(); }
    /// As RedisProcess::follow().
    void follow(ForeignServer& master) { process_.follow(master.process_); }
    void take_over_from(const ForeignServer& master) {
        process_.await_all_of(master.process_);
        process_.take_over();
    }

    /// Requires a server whose clock can be wrong.
    WrongClock& clock() { return *clock_; }
    void set_clock_right();

private:
    const std::unique_ptr<WrongClock> clock_;  ///< null: it uses the machine's clock
    RedisProcess process_;
};

}  // namespace locklab
