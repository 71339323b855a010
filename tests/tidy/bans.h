// What the house style forbids, one row for each ban. A row carries an example that it must
// catch, so that no ban can be vacuous.
#pragma once

#include <regex>
#include <span>

#include "tests/tidy/source.h"

namespace locklab::tidy {

/// Which text of a file a ban looks at.
enum class View { code, code_and_comments, all };

struct Ban {
    std::string_view name;
    std::regex pattern;  ///< matched within one line
    View view;
    bool (*applies)(std::string_view path);
    std::string_view excuse;  ///< a comment that allows the line; empty: there is none
    std::string_view right;
    std::string_view example_path;
    std::string_view example;
};

std::span<const Ban> bans();

/// The lines of `source` that `ban` forbids.
Findings check_ban(const Ban& ban, const Source& source);

}  // namespace locklab::tidy
