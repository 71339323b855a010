#include "harness/foreign/play_world.h"

#include <algorithm>
#include <cctype>

#include "harness/proxy/frame_words.h"

namespace locklab {

HeldFrame held_frame(const AtGate& at) {
    HeldFrame frame{at.link, at.connection, at.number, at.way, {}, std::string(at.frame)};
    if (at.way == LinkWay::request) frame.word = FrameWords(at.frame)[0];
    std::ranges::transform(frame.word, frame.word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return frame;
}

}  // namespace locklab
