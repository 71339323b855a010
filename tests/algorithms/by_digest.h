// The locks of the registry as client libraries would send them: each script as EVALSHA, and whole
// once the server has answered NOSCRIPT. They are made from their rows, and must do as these say.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry.h"
#include "harness/explore/sim_run.h"

namespace locklab {

/// There may be so many rows.
inline constexpr std::size_t kMostRows = 32;

template <std::size_t row>
std::unique_ptr<Lock> make_by_digest(Client& client, const Key& key, const LockOptions& options) {
    client.send_scripts_by_sha();
    static const std::vector<const Algorithm*> rows = every_algorithm();
    return rows[row]->make(client, key, options);
}

/// In one run without a fault.
inline bool sends_scripts(const Algorithm& lock) {
    SimRunner runner(make_run_spec(lock, lock.defaults, Duration::zero(), FaultBudget()));
    const History history = runner.run(1, 0).history;
    return std::ranges::any_of(history.events, [](const Event& event) {
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        return sent != nullptr && sent->command.script() != nullptr;
    });
}

/// Of each row that sends scripts, with "_by_digest" after its name.
inline const std::vector<Algorithm>& locks_by_digest() {
    static const std::vector<Algorithm> locks = [] {
        static std::array<std::string, kMostRows> names;
        const std::vector<const Algorithm*> rows = every_algorithm();
        LOCKLAB_ASSERT(rows.size() <= kMostRows);
        std::vector<Algorithm> all;
        const auto add = [&]<std::size_t row>() {
            if (row >= rows.size()) return;
            Algorithm lock = *rows[row];
            names[row] = std::string(lock.name) + "_by_digest";
            lock.name = names[row];
            lock.make = make_by_digest<row>;
            if (sends_scripts(*rows[row])) all.push_back(lock);
        };
        [&]<std::size_t... each>(std::index_sequence<each...>) {
            (add.template operator()<each>(), ...);
        }
        (std::make_index_sequence<kMostRows>());
        return all;
    }();
    return locks;
}

}  // namespace locklab
