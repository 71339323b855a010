// The table of libraries: each library that is installed under each fault, and under pairs of
// faults where neither breaks it alone. Cells are kept in a file as they end, so that a run that
// was stopped goes on where it was.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/suite/table_cell.h"

namespace locklab {

/// The cells of a table that are done, one line of JSON each.
class TableFile {
public:
    /// Takes what is there, if anything is. Throws FormatError with the line that is no cell, and
    /// FileError. A last line that was cut off by a kill is left out.
    explicit TableFile(std::filesystem::path path);

    /// That was made by the same command of the same version; null: it is still to be made.
    const TableCell* find(const TableCell& wanted) const;
    /// Throws FileError.
    void add(const TableCell& cell);
    const std::vector<TableCell>& cells() const { return cells_; }

private:
    std::filesystem::path path_;
    std::vector<TableCell> cells_;
};

/// What a table is made of.
struct TablePlan {
    struct Column {
        const Subject* subject = nullptr;
        TableWorld world = TableWorld::live;
    };
    std::vector<Column> libraries;
    /// Asked of each library that can have them; none: each fault that one can have, and then
    /// pairs.
    std::vector<FaultBudget> faults;
    TableSize size;
};

/// Makes what the file has not got, and gives the cells of this plan in their order. Where it is
/// stopped, those that are done.
std::vector<TableCell> make_table(const TablePlan& plan, TableFile& file, const Watcher& watcher);

/// Libraries down, faults across, and a line for each cell that is no matter of course.
std::string table_text(std::span<const TableCell> cells);
/// The same for a page of Markdown.
std::string table_markdown(std::span<const TableCell> cells);

}  // namespace locklab
