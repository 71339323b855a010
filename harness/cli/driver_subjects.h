// Libraries, and our own locks as driver processes, by what a verb is given.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "harness/foreign/subject.h"

namespace locklab {

/// All libraries that are installed.
inline constexpr std::string_view kLibraries = "libraries";

using Subjects = std::vector<std::unique_ptr<Subject>>;

/// Whether the word names them: "libraries", "lib:NAME", "driver:LOCK".
bool names_drivers(std::string_view operand);

/// Of "libraries" those that are installed; the others are told. Throws UsageError.
Subjects subjects_of(std::string_view operand);

}  // namespace locklab
