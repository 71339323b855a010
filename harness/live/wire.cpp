#include "harness/live/wire.h"

#include <algorithm>
#include <charconv>

namespace locklab {

namespace {

/// A sign, a number and two ends of lines take no more than this beside a word.
constexpr std::size_t kFrame = 32;

}  // namespace

void Request::put(const Command& command) {
    LOCKLAB_ASSERT(command.script() == nullptr);
    begin(command.size(), command.bytes());
    add_all(command);
}

void Request::put_evalsha(const Command& script, std::string_view digest) {
    put_script("EVALSHA", digest, script);
}

void Request::put_eval(const Command& script) { put_script("EVAL", script.script()->lua, script); }

void Request::put_script(std::string_view verb, std::string_view which, const Command& script) {
    constexpr std::string_view kKeys = "1";
    begin(3 + script.size(), verb.size() + which.size() + kKeys.size() + script.bytes());
    add(verb);
    add(which);
    add(kKeys);
    add_all(script);
}

/// So many words, of so many bytes together.
void Request::begin(std::size_t words, std::size_t bytes) {
    const std::size_t most = (1 + words) * kFrame + bytes;
    if (bytes_.size() < most) bytes_.resize(most);
    end_ = bytes_.data();
    add_count('*', words);
}

void Request::add_count(char sign, std::size_t count) {
    *end_++ = sign;
    end_ = std::to_chars(end_, end_ + kFrame, count).ptr;
    append("\r\n");
}

void Request::add(std::string_view word) {
    add_count('$', word.size());
    append(word);
    append("\r\n");
}

void Request::add_all(const Command& command) {
    for (std::size_t i = 0; i < command.size(); ++i) add(command[i]);
}

void Request::append(std::string_view bytes) { end_ = std::copy(bytes.begin(), bytes.end(), end_); }

ReplyPtr ask(redisContext& context, const Request& request) {
    void* raw = nullptr;
    if (redisAppendFormattedCommand(&context, request.data(), request.size()) != REDIS_OK ||
        redisGetReply(&context, &raw) != REDIS_OK) {
        return nullptr;
    }
    return ReplyPtr(static_cast<redisReply*>(raw));
}

Reply reply_of(const redisReply& raw) {
    switch (raw.type) {
        case REDIS_REPLY_INTEGER: return Reply::integer(raw.integer);
        case REDIS_REPLY_STATUS: return Reply::status(std::string(raw.str, raw.len));
        case REDIS_REPLY_ERROR: return Reply::error(std::string(raw.str, raw.len));
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
