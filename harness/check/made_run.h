// A run of a campaign as it was made, perhaps by another process: what counting it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/campaign_count.h"

namespace locklab {

struct MadeRun {
    std::optional<RunReport> report;  ///< nothing: the run hit a bound
    std::string bound;                ///< message of the bound that it hit; else empty
    std::uint64_t digest = 0;         ///< of its history, if the run is to be repeated
};

}  // namespace locklab
