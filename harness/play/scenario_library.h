// Finds scenarios: those of the folder scenarios/ by name, and any file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/time.h"
#include "harness/play/scenario_plays.h"
#include "harness/stage/scenario_reader.h"

namespace locklab {

/// One scenario by its name, or by the path of its file; or all. Throws UsageError with the nearest
/// name, and ScenarioError for a bad file.
std::vector<Scenario> scenarios_named(const std::string& name);

/// The command-line operand for this scenario: its name, or its file if that lies elsewhere.
std::string operand_of(const Scenario& scenario);

/// The default live TTL, to which a scenario's times are scaled.
inline constexpr Duration kScenarioTtl = std::chrono::milliseconds(500);

/// Leaves out scenarios that cannot run on a real Redis, and returns a sentence for each. Throws
/// UsageError if one was asked for by name (not `all`). `own_server`: the server may be restarted.
std::vector<std::string> leave_out_sim_only(std::vector<Scenario>& scenarios, bool own_server,
                                            bool all);

/// Writes NAME.ALGORITHM.json for each play made, and notes the file in it. Throws FileError.
void write_traces(std::vector<PlayedScenario>& plays, const std::filesystem::path& folder);

}  // namespace locklab
