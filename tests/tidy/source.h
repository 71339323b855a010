// A text file of the project as the rules of this folder see it, and what a rule says of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::tidy {

struct Source {
    std::string path;  ///< from the top of the project, with slashes
    std::string text;
};

struct Finding {
    std::string path;
    std::size_t line = 0;  ///< from 1
    std::string wrong;
    std::string right;
};
using Findings = std::vector<Finding>;

/// path:line: what is wrong; what would be right.
std::string to_string(const Finding& finding);

/// Every text file under the top of the project that is ours to keep tidy, sorted by path.
std::vector<Source> read_project(const std::filesystem::path& top);

/// Null if `sources` has no such path.
const Source* find(const std::vector<Source>& sources, std::string_view path);

bool is_cpp(std::string_view path);    ///< .h and .cpp
bool is_cmake(std::string_view path);  ///< CMakeLists.txt
std::string_view folder_of(std::string_view path);
std::string_view name_of(std::string_view path);  ///< with its extension
std::string_view stem_of(std::string_view path);  ///< without

/// "core" for harness/core/x.h; "algorithms", "plots", "tests", ... by their folder at the top.
std::string_view room_of(std::string_view path);

std::vector<std::string_view> lines_of(std::string_view text);

/// The words of a text: runs of letters, digits and any of _ - . / :
std::vector<std::string_view> words_of(std::string_view text);
bool has_word(std::string_view text, std::string_view word);

/// Of C++: what is inside string and character literals is blank; lines and columns stay.
std::string without_literals(const Source& source);
/// Of C++, the same without comments, too. Of CMake: without comments. Of others: all of it.
std::string code_of(const Source& source);

}  // namespace locklab::tidy
