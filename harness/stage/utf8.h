// Checks that a file is text: UTF-8, without control characters for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locklab {

/// Number of characters in these bytes.
std::size_t characters(std::string_view utf8);

/// The first byte that is not UTF-8, or is a control character other than a tab or the end of a
/// line; the size of `bytes` if all are text.
std::size_t first_that_is_no_text(std::string_view bytes);

/// A byte as "0x1b".
std::string hex(char byte);

}  // namespace locklab
