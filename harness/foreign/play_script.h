// What was done in a play of driver processes, in words that another play of them can follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/foreign/play_drive.h"
#include "harness/proxy/link_gate.h"

namespace locklab {

struct MadeMove {
    PlayMove move = PlayMove::pass;
    std::uint32_t client = 0;
    LinkWay way = LinkWay::request;  ///< of what moved, or was struck
    std::string word{};              ///< the name of the command; of an answer nothing
    NodeId node{};                   ///< which it goes to, or which is struck
    Hazard hazard = kNoFault;
    Duration amount{0};
    Duration at{0};  ///< since the play began

    bool is_of_message() const {
        return move == PlayMove::let_go ||
               (move == PlayMove::fault && row_of(hazard).target == FaultTarget::link);
    }
};
using PlayScript = std::vector<MadeMove>;

}  // namespace locklab
