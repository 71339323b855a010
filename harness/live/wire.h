// Commands and replies in the form in which hiredis takes and gives them.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <string_view>
#include <vector>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/live/endpoint.h"

namespace locklab {

/// One command as it goes over the wire (RESP2: an array of strings, of any bytes). Put one command
/// after the other into the same WireRequest: its memory is reused. hiredis would need ten times
/// the instructions.
class WireRequest {
public:
    /// A plain command.
    void put(const Command& command);
    /// EVALSHA digest 1 key arguments.
    void put_evalsha(const Command& script, std::string_view digest);
    /// EVAL lua 1 key arguments.
    void put_eval(const Command& script);

    /// The last command.
    const char* data() const { return bytes_.data(); }
    std::size_t size() const { return static_cast<std::size_t>(end_ - bytes_.data()); }

private:
    void put_script(std::string_view verb, std::string_view which, const Command& script);
    void begin(std::size_t words, std::size_t bytes);
    void add_count(char sign, std::size_t count);
    void add(std::string_view word);
    void add_all(const Command& command);
    void append(std::string_view bytes);

    std::vector<char> bytes_;  ///< room for the longest so far
    char* end_ = nullptr;
};

struct FreeReply {
    void operator()(redisReply* raw) const { freeReplyObject(raw); }
};
using ReplyPtr = std::unique_ptr<redisReply, FreeReply>;

struct FreeContext {
    void operator()(redisContext* context) const { redisFree(context); }
};
using ContextPtr = std::unique_ptr<redisContext, FreeContext>;

/// A blocking connection; each call waits at most for `limit`. Null, or with its error set, if
/// there is none.
ContextPtr connect_blocking(const Endpoint& endpoint, Duration limit);

/// Sends the request over a blocking connection, and waits for its reply. Null if there is none, or
/// not all of it within `limit`, or more than kMostReply; the context says why. `limit` must be
/// what redisSetTimeout gave the connection.
ReplyPtr ask(redisContext& context, const WireRequest& request, Duration limit);
/// The same for a request that was sent before.
ReplyPtr await_reply(redisContext& context, Duration limit);

/// An error is made printable (see printable.h): nothing else of it is ever used.
Reply reply_of(const redisReply& raw);

}  // namespace locklab
