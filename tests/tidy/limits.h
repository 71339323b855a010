// How long files and lines may be, and how a file opens.
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

Findings check_file_length(const Source& source);

/// 100 columns, counted in characters, not bytes. Markdown is exempt.
Findings check_line_length(const Source& source);

/// A header opens with a comment that says what it is for, and is included once.
Findings check_header_opening(const Source& source);

/// An algorithm opens with Article, Idea, Claims and Breaks, in this order.
Findings check_algorithm_opening(const Source& source);

}  // namespace locklab::tidy
