// Shared by all benchmarks of one call: the server, their size, and the stop flag.
#pragma once

#include <benchmark/benchmark.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/placement.h"
#include "harness/core/time.h"
#include "harness/live/endpoint.h"
#include "harness/live/redis_process.h"

namespace locklab {

/// How a client reaches the server.
enum class Transport : std::uint8_t { unix_socket, tcp };

std::string_view name_of(Transport transport);

class Workbench {
public:
    /// Only a test that each works: windows of some milliseconds, few clients.
    bool small = false;
    /// When it becomes true, remaining measurements are left out. Null: never.
    const std::atomic<bool>* stop = nullptr;
    /// host:port of a foreign server, or empty for a private one. A foreign one is reached over TCP
    /// alone, is not pinned to a processor, and its processor time is unknown.
    std::string redis;
    /// Called with the name of each benchmark that is measured.
    std::function<void(std::string_view name)> tell = [](std::string_view) {};
    /// Called after the last measurement, to end our processes: only those waited for are not
    /// noise.
    std::function<void()> at_end = [] {};

    /// Registers a benchmark; each repetition is one call of `measure`, which sets the time itself.
    /// If it throws, that is the repetition's error.
    void add(const std::string& name, std::function<void(benchmark::State&)> measure);
    /// Names in the order in which they were added.
    const std::vector<std::string>& names() const { return names_; }

    bool stopped() const { return stop != nullptr && *stop; }
    /// Length of one repetition's measurement: `usual`, or very short if `small`.
    Duration window(Duration usual) const;

    std::vector<Transport> transports() const;
    std::vector<Placement> placements() const;
    /// Client and server on different processors, if the machine has several.
    Placement apart() const { return placements()[placements().size() > 1 ? 1 : 0]; }
    /// Starts the private server on first use. Throws std::runtime_error.
    Endpoint endpoint(Transport transport);
    /// 0 for a foreign server.
    pid_t server();
    /// Processor time of the private server so far; 0 if there is none.
    double server_seconds() const;
    /// Of the server; empty if none was needed.
    const std::string& redis_version() const { return version_; }

private:
    std::unique_ptr<RedisProcess> process_;
    std::vector<std::string> names_;
    std::string version_;
    /// Something failed: the server is checked again before the next measurement.
    bool doubtful_ = false;
};

/// Processor time, in seconds, that this process and the server have used since construction.
class ProcessorTime {
public:
    explicit ProcessorTime(pid_t server);

    double client() const;
    double server() const;  ///< 0 if it is unknown

private:
    clockid_t server_clock_ = CLOCK_PROCESS_CPUTIME_ID;
    bool knows_server_ = false;
    double client_began_ = 0;
    double server_began_ = 0;
};

}  // namespace locklab
