// What a figure needs to be trusted and repeated: program, machine, command, seed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace locklab {

/// Version and commit of locklab, its compiler, and the machine: processor, cores, memory (MiB),
/// kernel, load averages now. What cannot be found out is empty or 0.
nlohmann::ordered_json machine_manifest();

/// The time now, as 2026-11-20T12:00:00Z.
std::string utc_now();

}  // namespace locklab
