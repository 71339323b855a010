// A timeline for a terminal: time, a lifeline for each client, what happens, and the lock's key.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// UTF-8, no more than 110 columns for as many as eight clients.
std::string to_text(const Timeline& timeline);

}  // namespace locklab
