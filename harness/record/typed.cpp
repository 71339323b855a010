#include "harness/record/typed.h"

#include "harness/record/home_folder.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// Characters that every shell takes literally.
bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./@%").find(c) != std::string_view::npos;
}

/// The path without links, "." and "..", as far as it exists.
fs::path settled(const fs::path& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    return error ? fs::absolute(path) : canonical;
}

fs::path below_current(const fs::path& path) {
    const fs::path relative = path.lexically_relative(settled(fs::current_path()));
    return relative.empty() || *relative.begin() == ".." ? path : relative;
}

}  // namespace

std::string in_shell(std::string_view word) {
    bool plain = !word.empty();
    for (const char c : word) plain = plain && is_plain(c);
    if (plain) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string typed_unquoted(const fs::path& path) {
    const std::string text = below_current(settled(path)).string();
    return text.starts_with('-') ? "./" + text : text;
}

std::string typed(const fs::path& path) { return in_shell(typed_unquoted(path)); }

std::string typed_program() {
    const fs::path program = below_current(settled(home_folder()) / "locklab");
    return in_shell(program.has_parent_path() ? program.string() : "./" + program.string());
}

}  // namespace locklab
