// Replays a counterexample from virtual time in real time, with unchanged processes.
#pragma once

#include <functional>
#include <string>

#include "harness/foreign/play_script.h"
#include "harness/foreign/play_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

struct RealReplay {
    std::uint32_t plays = 0;
    bool proved = false;  ///< the last play proved an overlap
    std::string missing;  ///< a fault of the script that never could strike; empty: none
    std::string trouble;  ///< what ended the last play; empty: nothing
};

/// Plays at most `most_plays` times, until a play proves an overlap: a slow machine spoils some. No
/// overlap proves nothing.
RealReplay replay_really(const Subject& subject, const PlaySpec& spec, const PlayScript& script,
                         const std::function<bool()>& stopped, std::uint32_t most_plays = 3);

}  // namespace locklab
