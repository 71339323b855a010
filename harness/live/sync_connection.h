// One blocking connection, for what happens outside a run: asking whether a server is there,
// and deleting keys.
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
        not_redis,    ///< something answers: in another language, by hanging up, without an end
        silent,       ///< something listens, and did not answer in time
    };

    /// `timeout` bounds the connecting, and then all of every reply, which is also bounded in size
    /// (see reply_limit.h).
    explicit SyncConnection(const Endpoint& endpoint, Duration timeout = std::chrono::seconds(2));

    /// A script is sent as its text. Unknown if there is trouble, now or before.
    Reply command(const Command& command);

    Trouble trouble() const { return trouble_; }
    /// What the system calls the trouble, to be shown.
    const std::string& reason() const { return reason_; }

private:
    void fail(Trouble trouble);

    const Duration timeout_;
    ContextPtr context_;
    Trouble trouble_ = Trouble::none;
    std::string reason_;
};

}  // namespace locklab
