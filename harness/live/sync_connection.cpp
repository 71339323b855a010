#include "harness/live/sync_connection.h"

#include <cerrno>

#include "harness/live/wire.h"

namespace locklab {

namespace {

timeval timeval_of(Duration duration) {
    timeval value{};
    value.tv_sec = duration / std::chrono::seconds(1);
    value.tv_usec = (duration % std::chrono::seconds(1)).count();
    return value;
}

}  // namespace

SyncConnection::SyncConnection(const Endpoint& endpoint, Duration timeout) {
    const timeval limit = timeval_of(timeout);
    context_.reset(endpoint.socket_path.empty()
                       ? redisConnectWithTimeout(endpoint.host.c_str(), endpoint.port, limit)
                       : redisConnectUnixWithTimeout(endpoint.socket_path.c_str(), limit));
    const bool connected = context_ != nullptr && context_->err == 0;
    if (!connected || redisSetTimeout(context_.get(), limit) != REDIS_OK) {
        fail(Trouble::unreachable);
    }
}

Reply SyncConnection::command(const Command& command) {
    if (trouble_ != Trouble::none) return Reply::unknown();
    Request request;
    command.script() == nullptr ? request.put(command) : request.put_eval(command);
    errno = 0;
    const ReplyPtr raw = ask(*context_, request);
    if (raw == nullptr) {
        const bool no_time = context_->err == REDIS_ERR_IO && errno == EAGAIN;
        fail(no_time ? Trouble::silent : Trouble::not_redis);
        return Reply::unknown();
    }
    return reply_of(*raw);
}

void SyncConnection::fail(Trouble trouble) {
    trouble_ = trouble;
    reason_ = context_ == nullptr ? "out of memory" : context_->errstr;
}

}  // namespace locklab
