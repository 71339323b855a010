// Campaigns of locks that run as driver processes: libraries, and our own as drivers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// "lib:NAME", "libraries", and "driver:NAME": one of our own locks, as a driver.
bool names_drivers(std::string_view operand);

/// Those that the word names, of libraries such as are installed. Throws UsageError.
using Subjects = std::vector<std::unique_ptr<Subject>>;
Subjects subjects_of(const std::string& operand);

/// Whether the option was typed, and is not preset.
bool has_word(const Arguments& arguments, const std::string& option);

/// `locklab campaign` of these. `line` is parsed; `arguments` are those that were.
int campaign_of_drivers(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
