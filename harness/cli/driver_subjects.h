// Libraries, and our own locks as driver processes, by a verb's operand.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/fault_budget.h"
#include "harness/core/topology.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// All installed libraries.
inline constexpr std::string_view kLibraries = "libraries";

using Subjects = std::vector<std::unique_ptr<Subject>>;

/// A lock of ours by its name, also one that only real servers run. Throws UsageError.
const Algorithm& lock_of_driver(std::string_view name);

/// Whether the word names them: "libraries", "lib:NAME", "driver:LOCK".
bool names_drivers(std::string_view operand);

/// For "libraries" the installed ones; reports the others. Throws UsageError.
Subjects subjects_of(std::string_view operand);

/// Throws UsageError for an option of campaigns that is not for driver processes.
void refuse_what_drivers_lack(const Arguments& arguments);

/// Throws UsageError for a fault of these that cannot be made in `world`. `where` names it in the
/// message: "a campaign" or "a search".
void check_faults(const FaultBudget& faults, FaultWorld world, const std::string& where);

/// What would be right in place of a fault that cannot be made where it was asked for: `usual`, or
/// for a fault of callers a library that has some.
std::string right_instead(Hazard hazard, const std::string& usual);

/// Throws UsageError if a try of this lock is to be cancelled, and cannot be.
void check_calls(const Subject& subject, const FaultBudget& faults);

/// Throws UsageError if its drivers cannot use the servers asked for in this world.
void check_servers(const Subject& subject, const std::optional<Topology>& asked, FaultWorld world);

}  // namespace locklab
