// What all benchmarks of one call share: the server, how small they are to be, and whether they
// are to stop.
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
    /// Each only to see that it works: windows of some milliseconds, few clients.
    bool small = false;
    /// When it becomes true, what is not yet measured is left out. Null: never.
    const std::atomic<bool>* stop = nullptr;
    /// host:port of somebody's server, or empty for a private one. Somebody's is reached over TCP
    /// alone, is put on no processor, and its processor time is not known.
    std::string redis;
    /// Told which benchmark is being measured.
    std::function<void(std::string_view name)> tell = [](std::string_view) {};
    /// When all is measured: processes that are waited for are no other programs' noise.
    std::function<void()> at_end = [] {};

    /// Registers a benchmark of which each repetition is one call, that sets the time of what it
    /// measures by hand. What it throws is the repetition's error.
    void add(const std::string& name, std::function<void(benchmark::State&)> measure);
    /// Names in the order in which they were added.
    const std::vector<std::string>& names() const { return names_; }

    bool stopped() const { return stop != nullptr && *stop; }
    /// How long one repetition measures: so long, or hardly at all where all is small.
    Duration window(Duration usual) const;

    std::vector<Transport> transports() const;
    std::vector<Placement> placements() const;
    /// Where client and server do not share a processor, if that can be had.
    Placement apart() const { return placements()[placements().size() > 1 ? 1 : 0]; }
    /// Starts the private server when it is first asked for. Throws std::runtime_error.
    Endpoint endpoint(Transport transport);
    /// 0 where it is somebody's.
    pid_t server();
    /// Processor time of the private server so far; 0 where there is none.
    double server_seconds() const;
    /// Of the server; empty where none was needed.
    const std::string& redis_version() const { return version_; }

private:
    std::unique_ptr<RedisProcess> process_;
    std::vector<std::string> names_;
    std::string version_;
    /// Something failed: the server is asked again before anything else is measured.
    bool doubtful_ = false;
};

/// Processor time, in seconds, that this process and the server have used since this was made.
class ProcessorTime {
public:
    explicit ProcessorTime(pid_t server);

    double client() const;
    double server() const;  ///< 0 where it is not known

private:
    clockid_t server_clock_ = CLOCK_PROCESS_CPUTIME_ID;
    bool knows_server_ = false;
    double client_began_ = 0;
    double server_began_ = 0;
};

}  // namespace locklab
