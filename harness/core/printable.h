// Foreign text (a server's words, a file's name) made safe to show: on a terminal, in a file, in
// one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locklab {

/// Longer foreign text is cut off.
inline constexpr std::size_t kMostShown = 200;

/// `text` with everything that a terminal would obey written out (\n, \r, \t, \x1b, \u202e):
/// control characters, bytes that are not UTF-8, and characters that change the direction of
/// writing. After `most` bytes it is cut off, with "..." at the end.
std::string printable(std::string_view text, std::size_t most = kMostShown);

/// The same for each line, without a limit.
std::string printable_lines(std::string_view text);

/// Whether all of the text is UTF-8, which JSON requires.
bool is_utf8(std::string_view text);

}  // namespace locklab
