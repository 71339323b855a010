// Defects of libraries, each with a script that shows it with nothing but the library and
// redis-server: drivers/NAME/defects/. What one is, a comment at its top says:
//
//     what goes wrong, in a few sentences.
//     Tracker: the issue of its authors, or that there is none.
//     Run in the installed folder: the command
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/foreign/library.h"

namespace locklab {

struct LibraryDefect {
    std::string file;     ///< "defects/held_by_nobody.py"
    std::string what;     ///< sentences
    std::string tracker;  ///< a sentence, which may begin with an address
    std::string command;  ///< to be typed where the library is installed
    std::string script;   ///< all of it
};

/// Throws FormatError for a text whose comment does not say these three.
LibraryDefect read_defect(std::string_view script, const std::string& file);
/// Those of its folder, by name. Throws FormatError, and FileError.
std::vector<LibraryDefect> defects_of(const Library& library);

}  // namespace locklab
