// One blocking connection, for use outside a run: checking whether a server is there, and deleting
// keys.
#pragma once

#include <string>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/live/endpoint.h"
#include "harness/live/wire.h"

namespace locklab {

class SyncConnection {
public:
    enum class Trouble {
        none,
        unreachable,  ///< no connection: refused, no such host, no route, no time
        not_redis,    ///< something answers: in another language, by hanging up, or endlessly
        silent,       ///< something listens, and did not answer in time
    };

    /// `timeout` limits connecting, and then each whole reply, whose size is limited too (see
    /// reply_limit.h).
    explicit SyncConnection(const Endpoint& endpoint, Duration timeout = std::chrono::seconds(2));

    /// A script is sent as its text. Unknown if there is trouble, now or before.
    Reply command(const Command& command);

    Trouble trouble() const { return trouble_; }
    /// The system's words for the trouble, for display.
    const std::string& reason() const { return reason_; }

private:
    void fail(Trouble trouble);

    const Duration timeout_;
    ContextPtr context_;
    Trouble trouble_ = Trouble::none;
    std::string reason_;
};

}  // namespace locklab
