// What of a file is text: characters of UTF-8, and none that only a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locklab {

/// How many characters these bytes are.
std::size_t characters(std::string_view utf8);

/// The first byte that is not UTF-8, or is a control other than a tab or the end of a line; the
/// size of `bytes` if all are text.
std::size_t first_that_is_no_text(std::string_view bytes);

/// A byte as "0x1b".
std::string hex(char byte);

}  // namespace locklab
