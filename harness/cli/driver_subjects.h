// Libraries, and our own locks as driver processes, by what a verb is given.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

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

/// Throws UsageError where its drivers cannot have the servers that were asked for.
void check_servers(const Subject& subject, const std::optional<Topology>& asked);

}  // namespace locklab
