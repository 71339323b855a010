#include "harness/foreign/foreign_head.h"

#include <algorithm>
#include <chrono>

namespace locklab {

Duration retry_after(const RunSpec& spec) {
    return std::min(spec.command_timeout * 4 / 5, spec.scale * 6 / 5);
}

HistoryHead foreign_head(const RunSpec& spec, std::uint64_t seed, std::uint64_t run,
                         const std::string& key) {
    HistoryHead head;
    head.world = "driver";
    head.algorithm = std::string(spec.algorithm->name);
    head.clients = spec.clients;
    head.seed = seed;
    head.run = run;
    head.key = key;
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    head.began = WallTime(std::chrono::duration_cast<Duration>(wall));
    head.patience = spec.patience;
    return head;
}

}  // namespace locklab
