// One blocking connection, for what happens outside a run: asking whether a server is there,
// and deleting keys.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <string>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/live/endpoint.h"

namespace locklab {

class SyncConnection {
public:
    enum class Trouble {
        none,
        unreachable,  ///< no connection: refused, no such host, no route, no time
        not_redis,    ///< something answers, in another language or by hanging up
        silent,       ///< something listens, and did not answer in time
    };

    /// `timeout` bounds the connecting, and then every reply.
    SyncConnection(const Endpoint& endpoint, Duration timeout);

    /// A script is sent as its text. Unknown if there is trouble, now or before.
    Reply command(const Command& command);

    Trouble trouble() const { return trouble_; }
    /// What the system calls the trouble.
    const std::string& reason() const { return reason_; }

private:
    struct Free {
        void operator()(redisContext* context) const { redisFree(context); }
    };

    void fail(Trouble trouble);

    std::unique_ptr<redisContext, Free> context_;
    Trouble trouble_ = Trouble::none;
    std::string reason_;
};

}  // namespace locklab
