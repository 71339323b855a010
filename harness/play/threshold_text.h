// The least that breaks a lock, in words, and its witnesses, which the stage has seen.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/explore/thresholds.h"
#include "harness/play/explored.h"

namespace locklab {

std::string thresholds_text(const Thresholds& found);

/// The witness of each minimal set, played on the stage, which must see what the search has found,
/// and written into the folder. Throws FileError, and std::runtime_error.
std::vector<Explored> threshold_witnesses(const Thresholds& found,
                                          const std::filesystem::path& folder);

}  // namespace locklab
