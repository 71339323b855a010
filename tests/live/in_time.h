// Runs in real time that a test may make something of. Where the machine was late, or a command was
// not answered though nothing that was planned explains it, a run says nothing: it is made again,
// with all of its times twice as long, so that on any machine one comes out undisturbed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "harness/check/disturbance.h"
#include "tests/live/live_fixture.h"

namespace locklab {

/// With all of its times so many times as long.
inline LiveConfig stretched(LiveConfig config, std::int64_t times) {
    Workload& workload = config.workload;
    for (DurationRange* range : {&workload.job, &workload.think, &workload.away}) {
        range->least *= times;
        range->most *= times;
    }
    LockOptions& options = config.options;
    for (Duration* time :
         {&workload.wait.delay, &workload.give_up, &workload.job_limit, &options.ttl,
          &options.retry, &options.give_up, &options.renewal, &config.command_timeout,
          &config.patience, &config.scale, &config.duration}) {
        *time *= times;
    }
    for (PlannedFault& fault : config.plan) {
        if (row_of(fault.hazard).size != FaultSize::clock) fault.amount *= times;
    }
    return config;
}

/// How late the machine may be in such a run: less than a quarter of what anything waits for.
inline Duration most_lag(const LiveConfig& config) {
    Duration least = config.command_timeout;
    if (config.options.ttl > Duration::zero()) least = std::min(least, config.options.ttl);
    for (const PlannedFault& fault : config.plan) {
        if (fault.amount > Duration::zero()) least = std::min(least, fault.amount);
    }
    return least / 4;
}

inline bool is_undisturbed(const LiveConfig& config, const LiveResult& result) {
    return result.worst_lag <= most_lag(config) && !was_disturbed(result.history);
}

/// The result of `make(config)` with the first stretched configuration that was in time.
template <class Make>
LiveResult in_time(const LiveConfig& config, Make make) {
    constexpr std::int64_t kMostTimes = 64;
    for (std::int64_t times = 1;; times *= 2) {
        const LiveConfig longer = stretched(config, times);
        LiveResult result = make(longer);
        if (is_undisturbed(longer, result)) return result;
        if (times == kMostTimes) {
            ADD_FAILURE() << "the machine was late each time, with times up to " << times
                          << " times as long";
            return result;
        }
    }
}

inline LiveResult run_in_time(const LiveConfig& config) {
    return in_time(config, [](const LiveConfig& longer) { return run_one(longer); });
}

}  // namespace locklab
