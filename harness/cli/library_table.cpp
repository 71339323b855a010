#include "harness/cli/library_table.h"

#include <algorithm>
#include <array>
#include <iostream>

#include "harness/foreign/install.h"

namespace locklab {

namespace {

using Row = std::array<std::string, 5>;

Row row_of(const Library& library) {
    const std::string missing = what_is_missing(library);
    const std::string state = !library.cannot_run.empty() ? "cannot run: " + library.cannot_run
                              : library.is_installed()    ? "installed"
                              : missing.empty()           ? "not installed"
                                                          : missing;
    return {library.row(), library.library + " " + library.version, library.language, library.like,
            state};
}

}  // namespace

void print_libraries(const std::vector<Library>& libraries) {
    if (libraries.empty()) return;
    std::vector<Row> rows{{"name", "library", "language", "like", ""}};
    for (const Library& library : libraries) rows.push_back(row_of(library));
    std::array<std::size_t, 5> widths{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::cout << "Libraries (locklab libraries install NAME):\n";
    for (const Row& row : rows) {
        std::string text = " ";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
        }
        std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
    }
}

}  // namespace locklab
