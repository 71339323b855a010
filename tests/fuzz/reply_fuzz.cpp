// Any bytes as what a server answers: an error of the protocol, an answer that is too long, or
// replies that are read whole.
// The first byte says in pieces of which size they arrive.

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/live/reply_limit.h"
#include "harness/live/wire.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + data[0];
    redisReader* reader = redisReaderCreate();
    std::optional<ReplyLimit> limit(*reader);
    limit->begin();
    bool whole = true;
    for (std::size_t at = 1; whole && at < size; at += piece) {
        const std::size_t some = std::min(piece, size - at);
        whole = redisReaderFeed(reader, reinterpret_cast<const char*>(data) + at, some) == REDIS_OK;
        for (void* raw = nullptr; whole; raw = nullptr) {
            whole = redisReaderGetReply(reader, &raw) == REDIS_OK;
            if (raw == nullptr) break;
            limit->begin();
            const ReplyPtr answer(static_cast<redisReply*>(raw));
            static_cast<void>(reply_of(*answer));
        }
    }
    limit.reset();
    redisReaderFree(reader);
    return 0;
}
