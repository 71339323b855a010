// The positions of everything in a timeline's SVG. All text has its own room: between the last
// client and Redis there is a span that no lifeline crosses, and every row has its own height.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/view/timeline.h"

namespace locklab {

struct SvgRow {
    std::size_t step = 1;  ///< see timeline_steps.h
    int top = 0;
    int height = 0;
    int text_y = 0;                    ///< base line of the first line of text
    int request_y = 0;                 ///< of the arrow to Redis; 0: none
    int reply_y = 0;                   ///< of the arrow back; 0: none
    int lifeline_y = 0;                ///< where the lifelines change
    int key_y = 0;                     ///< where the key changes
    std::vector<std::string> lines;    ///< in the span
    std::vector<std::string> details;  ///< below them
    std::vector<std::string> key;      ///< beside the key's bar
    std::string request;
    std::string reply;
};

struct SvgLayout {
    int width = 0;
    int height = 0;
    int lifelines_top = 0;
    int lifelines_bottom = 0;
    int time_x = 0;  ///< right edge
    std::vector<int> client_x;
    int lifeline_width = 0;
    int span_left = 0;  ///< where text begins
    int redis_x = 0;
    int key_x = 0;  ///< left edge of the key's bar
    int key_text_x = 0;
    std::vector<SvgRow> rows;  ///< one per row of the timeline
};

inline constexpr int kLineHeight = 17;
inline constexpr int kKeyBar = 64;
/// Widths that few characters exceed, so that text fits in any font.
inline constexpr int kMonoWidth = 8;
inline constexpr int kSansWidth = 7;

SvgLayout lay_out(const Timeline& timeline);

}  // namespace locklab
