// A client that is passed over for ever, seen: the lasso of a search is gone round on the stage,
// which shares no table and no state with the search, and each lap is judged.
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
    /// Of a lasso: so many laps were seen in a row, the stem and some of them as the stage played
    /// them, and the file of that.
    std::size_t laps = 0;
    std::optional<Scene> scene;
    std::string trace;
    std::string replay;
};

/// Throws std::runtime_error if the stage does not see the lasso, and FileError.
Starved explore_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::filesystem::path& folder,
                           const Watcher& watcher);

/// Whether, lap after lap, the victim is refused and never granted, and others are granted.
bool goes_round(const Starvation& found, const Lasso& lasso, std::size_t laps);

std::string starved_text(const Starved& starved);
/// "starves", "nobody is passed over for ever", "unknown".
std::string_view starved_word(Verdict verdict);

}  // namespace locklab
