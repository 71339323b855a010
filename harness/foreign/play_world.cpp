#include "harness/foreign/play_world.h"

#include "harness/core/upper.h"
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
    if (at.way == LinkWay::request) frame.word = upper(FrameWords(at.frame)[0]);
    return frame;
}

std::vector<NodeId> PlayWorld::all_nodes() const {
    return LinkTable(clients(), nodes()).all_nodes();
}

}  // namespace locklab
