// Output of a search of driver processes in virtual time.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/foreign/real_play.h"
#include "harness/foreign/virtual_search.h"
#include "harness/play/driver_thresholds.h"
#include "harness/view/timeline.h"

namespace locklab {

inline constexpr std::array<std::string_view, 3> kPlayOrders{"random", "pct", "delay"};

/// A search and its result.
struct SearchedDrivers {
    const std::string& name;  ///< its operand: "lib:redis-py", "driver:set_nx_lua"
    const PlaySpec& spec;
    PlayOrder order;
    const VirtualSearchResult& result;
    double plays_per_minute;
    bool is_replay;    ///< a replay of given choices
    std::string file;  ///< with the history of the counterexample; empty: none
    RealReplay real;   ///< of the counterexample
};

Timeline timeline_of(const VirtualFind& find);
std::string text_of(const SearchedDrivers& searched);
nlohmann::ordered_json json_of(const SearchedDrivers& searched);

/// The least sets of faults of a subject called `name`, each searched within `limits`.
std::string text_of(const std::string& name, const VirtualSearchLimits& limits,
                    const DriverThresholds& found);
nlohmann::ordered_json json_of(const std::string& name, const VirtualSearchLimits& limits,
                               const DriverThresholds& found);

}  // namespace locklab
