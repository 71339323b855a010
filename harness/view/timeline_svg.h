// A timeline as a picture: a self-contained sequence diagram in SVG.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// Light or dark, like the reader's screen. The colours are those of Okabe and Ito, which the
/// colour-blind can distinguish; whatever a colour says, a letter says too.
std::string to_svg(const Timeline& timeline);

}  // namespace locklab
