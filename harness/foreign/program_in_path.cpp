#include "harness/foreign/program_in_path.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "harness/core/nearest.h"
#include "harness/core/printable.h"

namespace locklab {

namespace fs = std::filesystem;

std::optional<fs::path> program_in_path(const std::string& program, const fs::path& folder) {
    const auto runs = [](const fs::path& candidate) {
        std::error_code error;
        return fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0;
    };
    if (program.find('/') != std::string::npos) {
        const fs::path file = folder / program;
        return runs(file) ? std::optional(file) : std::nullopt;
    }
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (true) {
        const std::size_t end = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, end)) / program;
        if (runs(candidate)) return candidate;
        if (end == std::string_view::npos) return std::nullopt;
        rest.remove_prefix(end + 1);
    }
}

std::string what_script(const std::string& program, const fs::path& folder) {
    const std::optional<fs::path> file = program_in_path(program, folder);
    if (!file) return {};
    std::ifstream in(*file, std::ios::binary);
    std::string line;
    std::getline(in, line);
    if (!line.starts_with("#!")) return {};
    return in_quotes(program) + " is " + printable(file->string()) + ", a script for " +
           printable(line.substr(line.find_first_not_of("#! \t")).substr(0, 100));
}

}  // namespace locklab
