// The links of a counterexample that are cut: nothing gets through between a client and a server.
#pragma once

#include <map>
#include <utility>

#include "harness/stage/play_stage.h"

namespace locklab {

class LinkCuts {
public:
    /// Tells the stage when a link is cut, and when it works again.
    explicit LinkCuts(PlayStage& stage) : stage_(stage) {}

    bool has(ClientId client, NodeId server) const { return until_.contains({client, server}); }
    /// `send` sends the first command that is lost.
    template <class Send>
    void cut(ClientId client, NodeId server, Instant until, Send send) {
        stage_.cut(client, server);
        send();
        until_[{client, server}] = until;
    }
    void heal(ClientId client, NodeId server) {
        until_.erase({client, server});
        stage_.heal(client, server);
    }
    /// Those work again that were cut until then, or before.
    void heal_until(Instant last) {
        std::erase_if(until_, [&](const auto& cut) {
            const bool heals = cut.second <= last;
            if (heals) stage_.heal(cut.first.first, cut.first.second);
            return heals;
        });
    }

private:
    PlayStage& stage_;
    std::map<std::pair<ClientId, NodeId>, Instant> until_;
};

}  // namespace locklab
