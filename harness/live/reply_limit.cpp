#include "harness/live/reply_limit.h"

#include <algorithm>

namespace locklab {

namespace {

/// Least memory of an element.
constexpr std::size_t kElement = 64;

}  // namespace

/// hiredis's own functions that build replies, and wrappers that first check how much is left.
struct ReplyLimit::Functions {
    static redisReplyObjectFunctions& usual() {
        static redisReplyObjectFunctions functions = [] {
            redisReader* reader = redisReaderCreate();
            const redisReplyObjectFunctions own = *reader->fn;
            redisReaderFree(reader);
            return own;
        }();
        return functions;
    }
    static redisReplyObjectFunctions& bounded() {
        static redisReplyObjectFunctions functions = [] {
            redisReplyObjectFunctions made = usual();
            made.createString = [](const redisReadTask* task, char* text, auto size) -> void* {
                if (!of(task).take(size)) return nullptr;
                return usual().createString(task, text, size);
            };
            made.createArray = [](const redisReadTask* task, auto count) -> void* {
                const auto elements = static_cast<std::size_t>(count);
                if (!of(task).take(std::min(elements, kMostReply) * kElement)) return nullptr;
                return usual().createArray(task, count);
            };
            return made;
        }();
        return functions;
    }
    static ReplyLimit& of(const redisReadTask* task) {
        return *static_cast<ReplyLimit*>(task->privdata);
    }
};

ReplyLimit::ReplyLimit(redisReader& reader) : reader_(reader) {
    reader_.fn = &Functions::bounded();
    reader_.privdata = this;
}

ReplyLimit::~ReplyLimit() {
    reader_.fn = &Functions::usual();
    reader_.privdata = nullptr;
}

bool ReplyLimit::take(std::size_t bytes) {
    exceeded_ = exceeded_ || bytes > left_;
    left_ -= exceeded_ ? 0 : bytes;
    return !exceeded_;
}

}  // namespace locklab
