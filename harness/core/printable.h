// Text that others made (a server's words, a file's name) as it may be shown: on a terminal, in a
// file, in one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locklab {

/// Longer words of others are cut off.
inline constexpr std::size_t kMostShown = 200;

/// `text` with what a terminal would obey written out (\n, \r, \t, \x1b, \u202e): controls, every
/// byte that is no UTF-8, and the characters that turn the direction of writing. More than `most`
/// bytes of it are left out, which "..." says.
std::string printable(std::string_view text, std::size_t most = kMostShown);

/// The same for each line, all of it.
std::string printable_lines(std::string_view text);

/// Whether all of it is UTF-8: what JSON can say.
bool is_utf8(std::string_view text);

}  // namespace locklab
