// What the tests of the live world share: a private server, short runs, and locks of their own.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/registry.h"
#include "harness/live/live_loop.h"
#include "harness/live/sync_connection.h"

namespace locklab {

using namespace std::chrono_literals;

/// A lock with a background task that asks for its key every millisecond, and with hooks for
/// what a test does at a certain moment. SET key token NX PX ttl; release by DEL.
struct HookedLock {
    static inline std::function<void(Client&)> before_try;
    static inline std::function<void(Client&, const Reply&)> after_try;
    static const Algorithm& algorithm();
};

/// Three clients, jobs of a millisecond, a TTL of ten seconds.
inline LiveConfig short_run(const Algorithm& algorithm, std::uint64_t grants) {
    LiveConfig config;
    config.algorithm = &algorithm;
    config.options = algorithm.defaults;
    config.topology = algorithm.topology();
    config.workload.job = {1ms, 1ms};
    config.workload.wait = {WaitPolicy::Kind::jitter, 1ms};
    config.grants = grants;
    return config;
}

inline LiveConfig short_run(std::uint64_t grants) {
    return short_run(*algorithm_named("set_nx_lua"), grants);
}

/// A short run whose clients think for long enough that the others get the lock: on a busy machine,
/// too, each of them has its rounds, and a fault planned for one of these strikes.
inline LiveConfig struck_run(const Algorithm& algorithm, std::uint64_t grants,
                             std::vector<PlannedFault> plan) {
    LiveConfig config = short_run(algorithm, grants);
    config.workload.think = {10ms, 10ms};
    config.plan = std::move(plan);
    return config;
}

inline std::vector<LiveResult> run_all(LiveLoop& loop, std::vector<LiveConfig> configs) {
    std::vector<LiveResult> results(configs.size());
    const std::size_t parallel = configs.size();
    loop.run(std::move(configs), parallel,
             [&](std::size_t index, LiveResult result) { results[index] = std::move(result); });
    return results;
}

inline LiveResult run_one(LiveConfig config) {
    ManagedServers server;
    LiveLoop loop(server);
    return std::move(run_all(loop, {std::move(config)}).front());
}

/// The keys of any live run that are on the server.
inline std::vector<Reply> keys_on(const Endpoint& endpoint) {
    SyncConnection connection(endpoint, 5s);
    return connection.command(Command::of("KEYS", "*locklab:*")).elements();
}

template <class Detail>
struct Noted {
    const Event* event;
    const Detail* detail;
};

template <class Detail>
std::vector<Noted<Detail>> all_of(const History& history) {
    std::vector<Noted<Detail>> found;
    for (const Event& event : history.events) {
        if (const auto* detail = std::get_if<Detail>(&event.detail)) {
            found.push_back({&event, detail});
        }
    }
    return found;
}

template <class Detail>
std::vector<Noted<Detail>> all_of(const History& history, std::uint64_t call) {
    std::vector<Noted<Detail>> found;
    for (const auto& noted : all_of<Detail>(history)) {
        if (noted.detail->call == call) found.push_back(noted);
    }
    return found;
}

inline std::vector<Noted<event::Fault>> faults_of(const History& history, Hazard hazard) {
    std::vector<Noted<event::Fault>> found;
    for (const auto& noted : all_of<event::Fault>(history)) {
        if (noted.detail->hazard == hazard) found.push_back(noted);
    }
    return found;
}

}  // namespace locklab
