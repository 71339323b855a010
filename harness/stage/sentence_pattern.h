// The table of all sentences that a script may hold, and of the words that may fill their places.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stage/script.h"

namespace locklab {

using Words = std::vector<std::string_view>;

/// A sentence, word by word. kClient and its like stand for what they are called after; every
/// other word is one or, with strokes between, several of which any may stand there.
struct Pattern {
    Words words;
    Line::Verb verb;
};

inline constexpr std::string_view kClient = "X";
inline constexpr std::string_view kClients = "X's";
inline constexpr std::string_view kCommand = "COMMAND";
inline constexpr std::string_view kDuration = "DURATION";
inline constexpr std::string_view kJump = "+DURATION";

const std::vector<Pattern>& patterns();

/// Every sentence there is: X is a client, COMMAND one of commands(), DURATION a time.
std::vector<std::string> sentences();

Words words_of(std::string_view text);
/// The words that may stand where a pattern has this one; messages show the first.
Words alternatives(std::string_view word);

/// What COMMAND may be.
std::span<const std::string> commands();
bool is_command(std::string_view word);
/// The name under which scripts know a Redis command: in capitals, EXPIRE for PEXPIRE and the
/// like, EVAL for every script.
std::string command_meant(std::string_view word);
/// What a word that is a command means.
Selector selector_of(std::string_view word);
/// The word that means this selector.
std::string_view to_string(const Selector& selector);

/// A time that passes: none does in 0s.
std::optional<Duration> parse_time(std::string_view text);
/// A time with its sign, which must be there, and not nought: +5s, -250ms.
std::optional<Duration> parse_jump(std::string_view text);

}  // namespace locklab
