// Limits the size of a server's answers: hiredis takes any size, but a reply of 900 MB, or of two
// thousand million elements, answers nothing that a lock asks.
#pragma once

#include <hiredis/hiredis.h>

#include <cstddef>

#include "harness/core/limits.h"

namespace locklab {

/// Limits the replies that a reader builds to kMostReply, as long as this lives. Beyond that the
/// reader reports that it is out of memory.
class ReplyLimit {
public:
    explicit ReplyLimit(redisReader& reader);
    ~ReplyLimit();
    ReplyLimit(const ReplyLimit&) = delete;
    ReplyLimit& operator=(const ReplyLimit&) = delete;

    /// The next reply begins.
    void begin() { left_ = kMostReply; }
    /// Whether a reply, or the part of it that has come, is too long.
    bool exceeded() const { return exceeded_ || reader_.len > kMostReply; }

    static constexpr const char* kWords = "its answer is longer than 1 MB";

private:
    struct Functions;

    bool take(std::size_t bytes);

    redisReader& reader_;
    std::size_t left_ = kMostReply;
    bool exceeded_ = false;
};

}  // namespace locklab
