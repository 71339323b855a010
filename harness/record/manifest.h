// Facts that make a figure trustworthy and repeatable: program, machine, command, seed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace locklab {

/// Version and commit of locklab, its compiler, and the machine: processor, cores, memory (MiB),
/// kernel, present load averages. Unknown values are empty or 0.
nlohmann::ordered_json machine_manifest();

/// The present time, as 2026-11-20T12:00:00Z.
std::string utc_now();

}  // namespace locklab
