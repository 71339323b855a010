// The names of a suite's sections, as --sections and --remake take them.
#pragma once

#include <string>
#include <vector>

namespace locklab {

/// The text of --help for --sections.
std::string of_sections();

/// The sections of a list like "campaigns,surface". Throws UsageError for an unknown word.
std::vector<std::string> sections_in(const std::string& list);

}  // namespace locklab
