// A find of a search in virtual time, played again as it is: unchanged processes, in real time.
#pragma once

#include <functional>
#include <string>

#include "harness/foreign/play_script.h"
#include "harness/foreign/play_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

struct RealReplay {
    std::uint32_t plays = 0;
    bool proved = false;  ///< an overlap, in the last of them
    std::string missing;  ///< a fault of the script that never could strike; or empty
    std::string trouble;  ///< that ended the last of them; or empty
};

/// At most so many plays, until one proves an overlap: a machine that is late spoils some. That
/// none does proves nothing.
RealReplay replay_really(const Subject& subject, const PlaySpec& spec, const PlayScript& script,
                         const std::function<bool()>& stopped, std::uint32_t most_plays = 3);

}  // namespace locklab
