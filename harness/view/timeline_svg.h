// A timeline as a picture: a sequence diagram in SVG that needs nothing else.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// Light or dark as the reader's screen is. Colours are those of Okabe and Ito, which the
/// colour-blind can tell apart; whatever a colour says, a letter says too.
std::string to_svg(const Timeline& timeline);

}  // namespace locklab
