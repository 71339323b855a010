// The end of a counterexample that is about progress: a client wants the lock, and never gets it.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/play/step_player.h"
#include "harness/stage/play_stage.h"

namespace locklab {

class LastWaiter {
public:
    /// Both must outlive this.
    LastWaiter(const Find& find, PlayStage& stage) : find_(find), stage_(stage) {}

    /// A newcomer tries until it is granted the lock, or has waited for longer than anything that a
    /// lock leaves behind lasts. Refused clients try on beside it, until granted; clients without
    /// an answer, or with an error, give up.
    void bring_newcomer();
    /// All other clients leave, and the waiter tries on, or comes again.
    void let_wait(ClientId waiter, bool knows_master);

private:
    void wait_for_grant(ClientId waiter, std::uint32_t grants, const std::vector<ClientId>& others);
    std::vector<ClientId> let_refused_try_on();

    const Find& find_;
    PlayStage& stage_;
    std::uint32_t moves_ = 0;
};

}  // namespace locklab
