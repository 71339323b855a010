// What runs from top to bottom in a timeline's SVG: lifelines, stays inside, overlaps, pauses, and
// the key with its time left.
#pragma once

#include <string>

#include "harness/view/svg_shapes.h"
#include "harness/view/timeline_svg_layout.h"

namespace locklab {

void draw_lifelines(SvgShapes& shapes, const Timeline& timeline, const SvgLayout& layout);

/// The class of a client's colour: "c0" to "c7".
std::string client_look(std::size_t client);
/// The classes of text on that colour.
std::string words_on(std::size_t client, std::string_view look);

}  // namespace locklab
