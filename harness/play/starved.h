// Confirms that a client starves: the lasso of a search is played on the stage, which shares no
// table and no state with the search, and each cycle is judged.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/core/scene.h"
#include "harness/core/watcher.h"
#include "harness/explore/starvation.h"

namespace locklab {

struct Starved {
    Starvation found;
    double seconds = 0;
    /// The lasso on the stage: cycles seen in a row, the stem with some cycles as played, and the
    /// file of that.
    std::size_t laps = 0;
    std::optional<Scene> scene;
    std::string trace;
    std::string replay;
};

/// Throws std::runtime_error if the stage does not see the lasso, and FileError.
Starved explore_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::filesystem::path& folder,
                           const Watcher& watcher);

/// Whether in every cycle the victim is refused and never granted, and others are granted.
bool goes_round(const Starvation& found, const Lasso& lasso, std::size_t laps);

std::string starved_text(const Starved& starved);
/// "starves", "nobody is passed over for ever", "unknown".
std::string_view starved_word(Verdict verdict);

}  // namespace locklab
