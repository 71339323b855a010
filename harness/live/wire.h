// Commands and replies in the form in which hiredis takes and gives them.
#pragma once

#include <hiredis/hiredis.h>

#include <array>
#include <string_view>

#include "harness/core/command.h"
#include "harness/core/reply.h"

namespace locklab {

/// The words of one command, of any bytes, as pointers into what it was made from.
class Argv {
public:
    explicit Argv(const Command& command);
    /// EVALSHA digest 1 key arguments.
    static Argv evalsha(const Command& script, std::string_view digest);
    /// EVAL lua 1 key arguments.
    static Argv eval(const Command& script);

    int count() const { return count_; }
    const char** words() { return words_.data(); }
    const std::size_t* lengths() const { return lengths_.data(); }

private:
    static constexpr std::size_t kMost = Command::kMostWords + 3;

    Argv() = default;
    void add(std::string_view word);
    void add_all(const Command& command);

    int count_ = 0;
    std::array<const char*, kMost> words_;
    std::array<std::size_t, kMost> lengths_;
};

Reply reply_of(const redisReply& raw);

}  // namespace locklab
