// A run of the simulator that planned faults strike, and what its history tells.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/explore/sim_run.h"

namespace locklab {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline constexpr ClientId kA{0};

/// A TTL of 1 s, renewals every 300 ms, jobs of 10 ms, messages of 1 ms.
inline SimConfig config(const Algorithm& algorithm, std::uint32_t clients) {
    LockOptions options = algorithm.defaults;
    if (options.ttl != Duration::zero()) options.ttl = seconds(1);
    if (options.renewal != Duration::zero()) options.renewal = milliseconds(300);
    options.clock_unit = milliseconds(1);
    SimConfig setup = sim_config(make_run_spec(algorithm, options, seconds(1), FaultBudget()));
    setup.clients = clients;
    setup.grants = 6;
    setup.workload.job = {milliseconds(10), milliseconds(10)};
    setup.latency = Latency::constant(milliseconds(1));
    return setup;
}
inline SimConfig config(std::string_view name, std::uint32_t clients) {
    return config(*algorithm_named(name), clients);
}

inline History run(const SimConfig& setup) {
    RandomChoices choices(1);
    ScriptEngine scripts;
    Simulator simulator(setup, choices, scripts);
    simulator.run();
    return simulator.take_history();
}

template <class Detail>
std::vector<std::pair<Event, Detail>> all(const History& history) {
    std::vector<std::pair<Event, Detail>> found;
    for (const Event& event : history.events) {
        const auto* detail = std::get_if<Detail>(&event.detail);
        if (detail != nullptr) found.emplace_back(event, *detail);
    }
    return found;
}

/// When the fault first struck; fails the test if it did not.
inline Instant struck(const History& history, Hazard hazard) {
    for (const auto& [event, fault] : all<event::Fault>(history)) {
        if (fault.hazard == hazard) return event.at;
    }
    ADD_FAILURE() << name_of(hazard) << " did not strike";
    return Instant();
}

/// What became of the first command of A's first try.
struct First {
    Instant sent;
    Instant told;
    Reply reply;
    bool ran = false;
};
inline First first_command(const History& history) {
    const auto [sent_at, sent] = all<event::Sent>(history).at(0);
    First first{sent_at.at, {}, {}};
    for (const auto& [event, told] : all<event::Replied>(history)) {
        if (told.call == sent.call) first = {sent_at.at, event.at, told.reply};
    }
    for (const auto& [event, ran] : all<event::Executed>(history)) {
        first.ran = first.ran || ran.call == sent.call;
    }
    return first;
}

}  // namespace locklab
