#include "harness/foreign/play_world.h"

#include <algorithm>
#include <cctype>

#include "harness/proxy/frame_words.h"

namespace locklab {

HeldFrame held_frame(const AtGate& at, const LinkTable& links) {
    HeldFrame frame{links.client_of(at.link).value,
                    links.node_of(at.link),
                    at.connection,
                    at.number,
                    at.way,
                    {},
                    std::string(at.frame)};
    if (at.way == LinkWay::request) frame.word = FrameWords(at.frame)[0];
    std::ranges::transform(frame.word, frame.word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return frame;
}

std::vector<NodeId> PlayWorld::all_nodes() const {
    return LinkTable(clients(), nodes()).all_nodes();
}

}  // namespace locklab
