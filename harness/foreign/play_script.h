// The moves of a play of driver processes, in a form that another play of them can follow.
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
    LinkWay way = LinkWay::request;  ///< of the message that moved, or was struck
    std::string word{};              ///< name of the command; empty for an answer
    NodeId node{};                   ///< the node that it goes to or comes from, or that is struck
    Hazard hazard = kNoFault;
    Duration amount{0};
    Duration at{0};     ///< since the play began
    std::string key{};  ///< that goes in an eviction; the lock is called kVirtualKey in it
    std::optional<ErrorKind> error{};  ///< of an error reply: which

    bool is_of_message() const {
        return move == PlayMove::let_go ||
               (move == PlayMove::fault && row_of(hazard).target == FaultTarget::link);
    }
};
using PlayScript = std::vector<MadeMove>;

}  // namespace locklab
