// Libraries, and our own locks as driver processes, by what a verb is given.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/core/topology.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// All libraries that are installed.
inline constexpr std::string_view kLibraries = "libraries";

using Subjects = std::vector<std::unique_ptr<Subject>>;

/// Whether the word names them: "libraries", "lib:NAME", "driver:LOCK".
bool names_drivers(std::string_view operand);

/// Of "libraries" those that are installed; the others are told. Throws UsageError.
Subjects subjects_of(std::string_view operand);

/// Throws UsageError for a fault of these that cannot be made in "a campaign", or "a search".
void check_faults(const FaultBudget& faults, bool (*makes)(Hazard), const std::string& where);

/// Throws UsageError where its drivers cannot have the servers that were asked for.
void check_servers(const Subject& subject, const std::optional<Topology>& asked);

}  // namespace locklab
