#include "harness/live/sync_connection.h"

#include <cerrno>

#include "harness/core/printable.h"

namespace locklab {

SyncConnection::SyncConnection(const Endpoint& endpoint, Duration timeout)
    : timeout_(timeout), context_(connect_blocking(endpoint, timeout)) {
    if (context_ == nullptr || context_->err != 0) fail(Trouble::unreachable);
}

Reply SyncConnection::command(const Command& command) {
    if (trouble_ != Trouble::none) return Reply::unknown();
    WireRequest request;
    command.script() == nullptr ? request.put(command) : request.put_eval(command);
    errno = 0;
    const ReplyPtr raw = ask(*context_, request, timeout_);
    if (raw == nullptr) {
        const bool no_time = context_->err == REDIS_ERR_IO && errno == EAGAIN;
        fail(no_time ? Trouble::silent : Trouble::not_redis);
        return Reply::unknown();
    }
    return reply_of(*raw);
}

void SyncConnection::fail(Trouble trouble) {
    trouble_ = trouble;
    reason_ = context_ == nullptr ? "out of memory" : printable(context_->errstr);
}

}  // namespace locklab
