// The live suites: what they measure, and the names of benchmarks.
//
// A name consists of key:value parts, for filters and for readers of the results:
// live/contended/lock:set_nx_lua/clients:8/hold:500us/think:0s/wait:jitter/retry:1ms/...
// Every repetition also measures PING (`ping_us`, one client that waits for each reply) and the
// floor, so that a change of the machine's speed affects all of them; `ratio_to_floor` compares
// values of one repetition.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "harness/bench/bare_rounds.h"
#include "harness/bench/live_figures.h"
#include "harness/bench/suites.h"
#include "harness/bench/workbench.h"

namespace locklab {

/// One benchmark: a lock, and where it is measured.
struct LiveCase {
    Workbench* bench = nullptr;
    const Algorithm* lock = nullptr;
    Transport transport = Transport::unix_socket;
    Placement placement = Placement::two;
    std::uint32_t clients = 1;
    Workload workload;
    LockOptions options;

    /// A run of this length; its clients share one key.
    LiveConfig config(Duration window) const;
    Endpoint endpoint() const { return bench->endpoint(transport); }
};

/// `parts` come between the suite and the case's own: "clients:8/hold:2ms/".
void add_live(const std::string& suite, const std::string& parts, const LiveCase& its_case,
              const std::function<void(benchmark::State&, const LiveCase&)>& measure);

/// As in names: "jitter/retry:1ms".
std::string to_string(const WaitPolicy& policy);

/// Options under which nothing expires during a measurement.
LockOptions options_of(const Algorithm& lock, const LiveParameters& parameters);

}  // namespace locklab
