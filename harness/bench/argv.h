// A command's words as hiredis takes them: the calls of a program that uses hiredis alone.
#pragma once

#include <array>
#include <string_view>

#include "harness/core/command.h"

namespace locklab {

/// The words of one command, of any bytes, as pointers into its source.
class Argv {
public:
    explicit Argv(const Command& command) {
        LOCKLAB_ASSERT(command.script() == nullptr);
        add_all(command);
    }
    /// EVALSHA digest 1 key arguments.
    Argv(const Command& script, std::string_view digest) {
        add("EVALSHA");
        add(digest);
        add("1");
        add_all(script);
    }

    int count() const { return count_; }
    const char** words() { return words_.data(); }
    const std::size_t* lengths() const { return lengths_.data(); }

private:
    static constexpr std::size_t kMost = Command::kMostWords + 3;

    void add(std::string_view word) {
        const auto i = static_cast<std::size_t>(count_++);
        words_[i] = word.data();
        lengths_[i] = word.size();
    }
    void add_all(const Command& command) {
        for (std::size_t i = 0; i < command.size(); ++i) add(command[i]);
    }

    int count_ = 0;
    std::array<const char*, kMost> words_;
    std::array<std::size_t, kMost> lengths_;
};

}  // namespace locklab
