#include "harness/live/wire.h"

#include <poll.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "harness/core/duration_text.h"
#include "harness/core/printable.h"
#include "harness/live/reply_limit.h"

namespace locklab {

namespace {

/// A sign, a number and two line ends take no more than this besides a word.
constexpr std::size_t kFrame = 32;

bool readable_before(int socket, std::chrono::steady_clock::time_point end) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd waiting{socket, POLLIN, 0};
    return left.count() > 0 && poll(&waiting, 1, static_cast<int>(left.count())) > 0;
}

ReplyPtr give_up(redisContext& context, const std::string& why) {
    context.err = REDIS_ERR_OTHER;
    context.errstr[why.copy(context.errstr, sizeof context.errstr - 1)] = '\0';
    return nullptr;
}

}  // namespace

void WireRequest::put(const Command& command) {
    LOCKLAB_ASSERT(command.script() == nullptr);
    begin(command.size(), command.bytes());
    add_all(command);
}

void WireRequest::put_evalsha(const Command& script, std::string_view digest) {
    put_script("EVALSHA", digest, script);
}

void WireRequest::put_eval(const Command& script) {
    put_script("EVAL", script.script()->lua, script);
}

void WireRequest::put_script(std::string_view verb, std::string_view which, const Command& script) {
    constexpr std::string_view kKeys = "1";
    begin(3 + script.size(), verb.size() + which.size() + kKeys.size() + script.bytes());
    add(verb);
    add(which);
    add(kKeys);
    add_all(script);
}

/// Begins a command of this many words, of this many bytes together.
void WireRequest::begin(std::size_t words, std::size_t bytes) {
    const std::size_t most = (1 + words) * kFrame + bytes;
    if (bytes_.size() < most) bytes_.resize(most);
    end_ = bytes_.data();
    add_count('*', words);
}

void WireRequest::add_count(char sign, std::size_t count) {
    *end_++ = sign;
    end_ = std::to_chars(end_, end_ + kFrame, count).ptr;
    append("\r\n");
}

void WireRequest::add(std::string_view word) {
    add_count('$', word.size());
    append(word);
    append("\r\n");
}

void WireRequest::add_all(const Command& command) {
    for (std::size_t i = 0; i < command.size(); ++i) add(command[i]);
}

void WireRequest::append(std::string_view bytes) {
    end_ = std::copy(bytes.begin(), bytes.end(), end_);
}

ContextPtr connect_blocking(const Endpoint& endpoint, Duration limit) {
    timeval value{};
    value.tv_sec = limit / std::chrono::seconds(1);
    value.tv_usec = (limit % std::chrono::seconds(1)).count();
    ContextPtr context(endpoint.socket_path.empty()
                           ? redisConnectWithTimeout(endpoint.host.c_str(), endpoint.port, value)
                           : redisConnectUnixWithTimeout(endpoint.socket_path.c_str(), value));
    if (context != nullptr && context->err == 0) redisSetTimeout(context.get(), value);
    return context;
}

ReplyPtr ask(redisContext& context, const WireRequest& request, Duration limit) {
    if (redisAppendFormattedCommand(&context, request.data(), request.size()) != REDIS_OK) {
        return nullptr;
    }
    return await_reply(context, limit);
}

/// The first read waits as long as the connection lets it; usually that is the whole reply. If a
/// server answers byte by byte, the clock is checked from then on.
ReplyPtr await_reply(redisContext& context, Duration limit) {
    for (int written = 0; written == 0;) {
        if (redisBufferWrite(&context, &written) != REDIS_OK) return nullptr;
    }
    ReplyLimit bound(*context.reader);
    const auto end = std::chrono::steady_clock::now() + limit;
    for (bool first = true;; first = false) {
        void* raw = nullptr;
        const bool understood = redisGetReplyFromReader(&context, &raw) == REDIS_OK;
        if (bound.exceeded()) return give_up(context, ReplyLimit::kWords);
        if (!understood) return nullptr;
        if (raw != nullptr) return ReplyPtr(static_cast<redisReply*>(raw));
        if (!first && !readable_before(context.fd, end)) {
            return give_up(context, "its answer was not complete after " + to_string(limit));
        }
        if (redisBufferRead(&context) != REDIS_OK) return nullptr;
    }
}

Reply reply_of(const redisReply& raw) {
    switch (raw.type) {
        case REDIS_REPLY_INTEGER: return Reply::integer(raw.integer);
        case REDIS_REPLY_STATUS: return Reply::status(std::string(raw.str, raw.len));
        case REDIS_REPLY_ERROR: return Reply::error(printable({raw.str, raw.len}));
        case REDIS_REPLY_STRING: return Reply::bulk(std::string(raw.str, raw.len));
        case REDIS_REPLY_ARRAY: break;
        default: return Reply::nil();
    }
    std::vector<Reply> elements;
    elements.reserve(raw.elements);
    for (std::size_t i = 0; i < raw.elements; ++i) elements.push_back(reply_of(*raw.element[i]));
    return Reply::array(std::move(elements));
}

}  // namespace locklab
