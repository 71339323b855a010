// Two drivers of a library that is tried, with a redis-server of their own: what they are asked,
// and what they answer. What is not as it should be is a TrialSurprise, from whichever depth.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/driver/driver.h"
#include "harness/foreign/library.h"
#include "harness/live/redis_process.h"

namespace locklab {

/// Not as it should be: `what()` is a sentence.
class TrialSurprise : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Nothing is known: `what()` says why.
class TrialStopped : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class TrialPair {
protected:
    using Clock = std::chrono::steady_clock;  // of real processes
    using Json = nlohmann::ordered_json;
    using DriverPtr = std::unique_ptr<Driver>;

    TrialPair(const Library& library, Duration ttl, const Watcher& watcher);

    /// New processes.
    void begin();
    static void expect(bool is_so, const std::string& otherwise);
    /// Nothing if it says nothing in this time.
    std::optional<DriverAnswer> hear(DriverPtr& driver, Duration limit);
    DriverAnswer ask(DriverPtr& driver, DriverOp op, const Json& more = nullptr);
    DriverAnswer answer_to(DriverPtr& driver, DriverOp op, const Json& more);
    /// Both, with a key that nobody had.
    void open(bool renew);
    /// A try that does not wait. One that is refused where a server is down may say that it does
    /// not know what that one says.
    bool acquire(DriverPtr& driver);
    void take_and_release(DriverPtr& driver);
    void wait(Duration time) { static_cast<void>(hear(first_, time)); }
    /// Of the drivers that there are now.
    std::string stderr_of_both() const;

    /// A Java machine takes some seconds to begin on a machine that is busy with something else.
    static constexpr Duration kMostPatience = std::chrono::seconds(60);
    static constexpr Duration kSlice = std::chrono::milliseconds(50);

    const Library& library_;
    const Duration ttl_;
    const Watcher& watcher_;
    RedisProcess server_;
    std::vector<Endpoint> nodes_;  ///< that drivers are given
    DriverPtr first_;
    DriverPtr second_;
    Duration patience_ = kMostPatience;
    int keys_ = 0;
};

}  // namespace locklab
