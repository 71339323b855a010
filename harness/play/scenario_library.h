// The scenarios that can be named: those of the folder scenarios/, and any file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/time.h"
#include "harness/play/scenario_plays.h"
#include "harness/stage/scenario_reader.h"

namespace locklab {

/// One scenario by its name, or by the path of its file; or all. Throws UsageError that names the
/// nearest, and ScenarioError for a bad file.
std::vector<Scenario> scenarios_named(const std::string& name);

/// The word for the command line that means this scenario: its name, or its file if that lies
/// elsewhere.
std::string operand_of(const Scenario& scenario);

/// The live TTL to which a scenario's times are scaled, unless another is asked for.
inline constexpr Duration kScenarioTtl = std::chrono::milliseconds(500);

/// Leaves out what a real Redis cannot be made to do, and returns a sentence for each. Throws
/// UsageError where one was asked for by name: if not `all`. `own_server`: one that may be
/// restarted.
std::vector<std::string> leave_out_sim_only(std::vector<Scenario>& scenarios, bool own_server,
                                            bool all);

/// Writes NAME.ALGORITHM.json for each play that was made, and notes the file in it. Throws
/// FileError.
void write_traces(std::vector<PlayedScenario>& plays, const std::filesystem::path& folder);

}  // namespace locklab
