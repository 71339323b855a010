// What a run of driver processes begins with: the head of its history, and its times.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/history.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// When a client that sends again does so: it has waited in vain, and its second answer is in time.
Duration retry_after(const RunSpec& spec);

/// It begins now.
HistoryHead foreign_head(const RunSpec& spec, std::uint64_t seed, std::uint64_t run,
                         const std::string& key);

}  // namespace locklab
