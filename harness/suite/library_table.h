// The table of libraries: each installed library under each fault, and under pairs of faults of
// which neither breaks it alone. Finished cells are kept in a file, so that a stopped run can
// continue.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/record/kept_rows.h"
#include "harness/suite/table_cell.h"

namespace locklab {

/// The finished cells of a table, one line of JSON each.
class TableFile {
public:
    /// See KeptRows.
    explicit TableFile(std::filesystem::path path)
        : kept_(std::move(path), "no cell of a table of libraries") {}

    /// The cell made by the same command of the same version; null: it is still to be made.
    const TableCell* find(const TableCell& wanted) const;
    /// Throws FileError.
    void add(const TableCell& cell) { kept_.add(cell); }
    const std::vector<TableCell>& cells() const { return kept_.rows(); }

private:
    KeptRows<TableCell> kept_;
};

/// The contents of a table.
struct TablePlan {
    struct Column {
        const Subject* subject = nullptr;
        TableWorld world = TableWorld::live;
        /// Faults that virtual time cannot make are made live.
        bool live_where_needed = true;
    };
    std::vector<Column> libraries;
    /// For each library that can have them; empty: each possible fault, and then pairs.
    std::vector<FaultBudget> faults;
    TableSize size;
};

/// What is asked before pairs: of each library, in its own world or live, the faults that it can
/// have.
std::vector<TableAsk> first_asks(const TablePlan& plan);

/// Makes the cells that the file lacks, and returns the cells of this plan in order. If stopped,
/// those that are finished.
std::vector<TableCell> make_table(const TablePlan& plan, TableFile& file, const Watcher& watcher);

/// Libraries down, faults across, and a line for each cell with news.
std::string table_text(std::span<const TableCell> cells);
/// The same as Markdown.
std::string table_markdown(std::span<const TableCell> cells);

}  // namespace locklab
