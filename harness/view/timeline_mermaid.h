// A timeline as a Mermaid sequence diagram, for Markdown renderers.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// Anything in keys and values is escaped. Without the fence of a code block.
std::string to_mermaid(const Timeline& timeline);

}  // namespace locklab
