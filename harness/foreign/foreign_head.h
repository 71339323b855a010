// The start of a run of driver processes: the head of its history, and its times.
#pragma once

#include <cstdint>
#include <string>

#include "harness/core/history.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Delay before a client sends a command again: its first wait was in vain, and the second answer
/// is still in time.
Duration retry_after(const RunSpec& spec);

/// Head of a history that begins now.
HistoryHead foreign_head(const RunSpec& spec, std::uint64_t seed, std::uint64_t run,
                         const std::string& key);

}  // namespace locklab
