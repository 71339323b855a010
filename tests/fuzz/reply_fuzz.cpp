// Any bytes as what a server answers: an error of the protocol, or replies that are read whole.
// The first byte says in pieces of which size they arrive.

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdint>

#include "harness/live/wire.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + data[0];
    redisReader* reader = redisReaderCreate();
    bool whole = true;
    for (std::size_t at = 1; whole && at < size; at += piece) {
        const std::size_t some = std::min(piece, size - at);
        whole = redisReaderFeed(reader, reinterpret_cast<const char*>(data) + at, some) == REDIS_OK;
        for (void* raw = nullptr; whole; raw = nullptr) {
            whole = redisReaderGetReply(reader, &raw) == REDIS_OK;
            if (raw == nullptr) break;
            const ReplyPtr answer(static_cast<redisReply*>(raw));
            static_cast<void>(reply_of(*answer));
        }
    }
    redisReaderFree(reader);
    return 0;
}
