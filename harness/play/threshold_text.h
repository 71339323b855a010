// The least sets of faults that break a lock, in words, and their witnesses, confirmed on the
// stage.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/explore/thresholds.h"
#include "harness/play/explored.h"

namespace locklab {

std::string thresholds_text(const Thresholds& found);

/// Plays the witness of each minimal set on the stage, which must see what the search found, and
/// writes it into the folder. Throws FileError, and std::runtime_error.
std::vector<Explored> threshold_witnesses(const Thresholds& found,
                                          const std::filesystem::path& folder);

}  // namespace locklab
