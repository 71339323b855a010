// The table of all sentences of a script, and of the words for their placeholders.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stage/script.h"

namespace locklab {

using Words = std::vector<std::string_view>;

/// A sentence, word by word. kClient and its like are placeholders; every other word is literal, or
/// lists alternatives between strokes.
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

/// All sentences: X is a client, COMMAND one of commands(), DURATION a time.
std::vector<std::string> sentences();

Words words_of(std::string_view text);
/// The words allowed for this word of a pattern; messages show the first.
Words alternatives(std::string_view word);

/// The words allowed for COMMAND.
std::span<const std::string> commands();
bool is_command(std::string_view word);
/// The name of a Redis command in scripts: in capitals, EXPIRE for PEXPIRE and the like, EVAL for
/// every script.
std::string command_meant(std::string_view word);
/// The selector for a word that is a command.
Selector selector_of(std::string_view word);
/// The word for this selector.
std::string_view to_string(const Selector& selector);

/// A time to pass, longer than 0s.
std::optional<Duration> parse_time(std::string_view text);
/// A time with a sign, which is required, and not zero: +5s, -250ms.
std::optional<Duration> parse_jump(std::string_view text);

}  // namespace locklab
