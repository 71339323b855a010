// A timeline for a terminal: time, a lifeline per client, what happens, and the lock's key.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// UTF-8, at most 110 columns with up to eight clients.
std::string to_text(const Timeline& timeline);

}  // namespace locklab
