#include "harness/bench/command_watch.h"

#include <stdexcept>
#include <string>

#include "harness/live/random_hex.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// For connecting, and for each line.
constexpr Duration kLimit = std::chrono::seconds(10);

[[noreturn]] void fail(const std::string& why) {
    throw std::runtime_error("The commands could not be counted: " + why + ".");
}

}  // namespace

CommandWatch::CommandWatch(const Endpoint& endpoint)
    : endpoint_(endpoint), context_(connect_blocking(endpoint, kLimit)) {
    if (context_ == nullptr || context_->err != 0) fail("no connection");
    redisAppendCommand(context_.get(), "MONITOR");
    const ReplyPtr reply = await_reply(*context_, kLimit);
    if (reply == nullptr || reply->type != REDIS_REPLY_STATUS) fail("the server has no MONITOR");
}

/// The server reports commands in order of execution: an ECHO comes after all earlier ones.
std::uint64_t CommandWatch::seen() {
    const std::string mark = RandomHex().draw(8);
    SyncConnection marker(endpoint_, kLimit);
    if (marker.command(Command::of("ECHO", mark)).failed()) fail("the server does not answer");
    for (;;) {
        const ReplyPtr reply = await_reply(*context_, kLimit);
        if (reply == nullptr || reply->str == nullptr) fail("the connection broke");
        const std::string_view line(reply->str, reply->len);
        if (line.find(mark) != std::string_view::npos) return seen_;
        seen_ += is_of_client(line) ? 1 : 0;
    }
}

/// 1700000000.000001 [0 127.0.0.1:6000] "SET" "key"; a script's command has [0 lua].
bool CommandWatch::is_of_client(std::string_view line) {
    const std::size_t end = line.find(']');
    return end != std::string_view::npos && !line.substr(0, end).ends_with(" lua");
}

}  // namespace locklab
