#include "algorithms/registry.h"

#include <array>

#include "algorithms/algorithms.h"

namespace locklab {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::array kAlgorithms{
    Algorithm{"set_nx_lua", "SET NX EX + Lua release", "001", "#1f77b4",
              {.ttl = seconds(10), .retry = milliseconds(10)}, false,
              {Hazard::contention}, {Hazard::pause}, make_set_nx_lua},
};

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

const Algorithm* algorithm_named(std::string_view name) {
    for (const Algorithm& algorithm : kAlgorithms) {
        if (algorithm.name == name) return &algorithm;
    }
    return nullptr;
}

}  // namespace locklab
