// A timeline as a Mermaid sequence diagram, for Markdown that draws it.
#pragma once

#include <string>

#include "harness/view/timeline.h"

namespace locklab {

/// Whatever stands in keys and values is escaped. Without the fence of a code block.
std::string to_mermaid(const Timeline& timeline);

}  // namespace locklab
