// The table of libraries for people: marks of one letter, their meaning, and news.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/core/counted.h"
#include "harness/core/hazard.h"
#include "harness/suite/library_table.h"

namespace locklab {

namespace {

struct Mark {
    char letter;
    const char* meaning;
};

constexpr Mark kNews{'X',
                     "an overlap was proved, or the lock is stuck, under what not every lease "
                     "breaks"};
constexpr Mark kBaseline{'x', "the same, under what every lease breaks"};
constexpr Mark kClean{'.', "nothing was seen, in enough runs to say so (below)"};
constexpr Mark kFew{'o', "nothing was seen, in too few runs to say more"};
constexpr Mark kUnknown{'?', "not known (below)"};
constexpr Mark kNone{'-', "not asked, or it cannot be made for it"};

Mark mark_of(const TableCell* cell) {
    if (cell == nullptr) return kNone;
    switch (cell->verdict) {
        case Verdict::violated:
        case Verdict::stuck: return cell->is_news() ? kNews : kBaseline;
        case Verdict::unknown: return kUnknown;
        case Verdict::holds: return kClean;
        case Verdict::not_seen: return kFew;
    }
    return kNone;
}

/// Rows and columns, each once, in order of appearance.
class Grid {
public:
    explicit Grid(std::span<const TableCell> cells) {
        for (const TableCell& cell : cells) {
            keep(rows_, cell.subject);
            keep(columns_, cell.faults);
            cells_[{cell.subject, cell.faults}] = &cell;
        }
        // Single faults first, in the order of the table of faults.
        std::ranges::stable_sort(columns_, {}, [](const std::string& faults) {
            return std::ranges::count(faults, ',');
        });
    }
    const std::vector<std::string>& rows() const { return rows_; }
    const std::vector<std::string>& columns() const { return columns_; }
    const TableCell* at(const std::string& row, const std::string& column) const {
        const auto found = cells_.find({row, column});
        return found == cells_.end() ? nullptr : found->second;
    }
    /// Where its cells were made: "virtual", or "virtual, but live under failover=1".
    std::string worlds_of(const std::string& row) const {
        std::string others;
        for (const std::string& column : columns_) {
            const TableCell* cell = at(row, column);
            if (cell == nullptr || cell->world == first_of(row).world) continue;
            others += (others.empty() ? ", but " + cell->world + " under " : "; ") + column;
        }
        return first_of(row).world + others;
    }
    /// Each row has a cell.
    const TableCell& first_of(const std::string& row) const {
        const auto has = [&](const std::string& column) { return at(row, column) != nullptr; };
        return *at(row, *std::ranges::find_if(columns_, has));
    }

private:
    static void keep(std::vector<std::string>& names, const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::vector<std::string> rows_;
    std::vector<std::string> columns_;
    std::map<std::pair<std::string, std::string>, const TableCell*> cells_;
};

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", 100 * share);
    return text;
}

std::string runs_of(const TableCell& cell) {
    const bool plays = cell.world == name_of(TableWorld::in_virtual_time);
    return plays ? counted(cell.runs, "play") : counted(cell.runs, "run");
}

std::string causes_of(const TableCell& cell) {
    std::string text;
    for (const CauseRow& row : kCauses) {
        const std::uint64_t count = cell.causes[row.cause];
        if (count == 0) continue;
        text += (text.empty() ? "" : ", ") + std::string(row.name) + " " + std::to_string(count);
    }
    return text;
}

/// No lease has to, not even under what breaks every one.
constexpr std::array kOfNoLease{Oracle::own_keys_deleted, Oracle::others_keys_deleted,
                                Oracle::deaths};

/// What was found beside the verdict, where not every lease does so; a line for each.
std::string oracles_of(const TableCell& cell) {
    std::string text;
    if (cell.hung > 0 && cell.baseline.empty()) {
        text += "\n      a client waited to the end for an answer that was lost: in " +
                std::to_string(cell.hung) + " of " + runs_of(cell);
    }
    if (cell.hangs) text += "\n      " + to_text(*cell.hangs);
    if (!cell.rules.empty()) text += "\n      " + cell.rules;
    if (!cell.oracles) return text;
    for (const OracleRow& row : kOracles) {
        const auto result = std::ranges::find(*cell.oracles, row.name,
                                              &std::pair<std::string, OracleResult>::first);
        const bool found = result != cell.oracles->end() && result->second.found > 0;
        const bool is_news =
            cell.baseline.empty() || std::ranges::find(kOfNoLease, row.oracle) != kOfNoLease.end();
        if (!found || row.is_of_verdict || !is_news) continue;
        text += "\n      " + std::string(row.meaning) + ": " +
                std::to_string(result->second.found) + " of " + std::to_string(result->second.of) +
                " " + std::string(row.chances);
        if (!result->second.verdict) text += " (no verdict: time was real)";
    }
    return text;
}

/// A cell's news, as half a sentence; empty: it is as expected.
std::string news_of(const TableCell& cell) {
    if (cell.verdict == Verdict::unknown) return "not known: " + cell.why_unknown;
    const std::string beside = oracles_of(cell);
    if (!cell.is_news() && beside.empty()) return {};
    if (!cell.is_news()) return std::string(name_of(cell.verdict)) + beside;
    const bool virtual_time = cell.world == name_of(TableWorld::in_virtual_time);
    std::string text(name_of(cell.verdict));
    text += virtual_time ? ", after " + runs_of(cell)
                         : ", in " + std::to_string(cell.broken_runs) + " of " + runs_of(cell);
    const std::string causes = causes_of(cell);
    if (!causes.empty()) text += "; cause: " + causes;
    return text + beside + "\n      " + cell.replay;
}

/// The widest bound of clean cells.
std::string bound_text(std::span<const TableCell> cells) {
    double widest = 0;
    for (const TableCell& cell : cells) {
        if (cell.verdict == Verdict::holds) widest = std::max(widest, cell.goes_wrong_at_most);
    }
    if (widest == 0) return {};
    return std::string(1, kClean.letter) + " leaves open that something goes wrong in up to " +
           percent(widest) + " % of runs, or less (95 %); it proves nothing\n";
}

std::string legend(std::span<const TableCell> cells) {
    std::string text;
    for (const Mark& mark : {kNews, kBaseline, kClean, kFew, kUnknown, kNone}) {
        text += std::string(1, mark.letter) + "  " + mark.meaning + "\n";
    }
    return text + bound_text(cells);
}

/// Each reason why every lease breaks, once, with its faults.
std::string baselines_text(std::span<const TableCell> cells) {
    std::vector<std::pair<std::string, std::set<std::string>>> reasons;
    for (const TableCell& cell : cells) {
        if (cell.baseline.empty()) continue;
        auto known = std::ranges::find(reasons, cell.baseline,
                                       &std::pair<std::string, std::set<std::string>>::first);
        if (known == reasons.end()) known = reasons.insert(known, {cell.baseline, {}});
        known->second.insert(cell.faults);
    }
    std::string text;
    for (const auto& [why, faults] : reasons) {
        std::string names;
        for (const std::string& each : faults) names += (names.empty() ? "" : "; ") + each;
        text += std::string(1, kBaseline.letter) + " under " + names + ": " + why + "\n";
    }
    return text;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

}  // namespace

std::string table_text(std::span<const TableCell> cells) {
    if (cells.empty()) return "no cell was finished\n";
    const Grid grid(cells);
    std::size_t width = 0;
    for (const std::string& row : grid.rows()) width = std::max(width, row.size());
    std::string text = padded("", width);
    for (std::size_t i = 1; i <= grid.columns().size(); ++i) {
        text += padded(" ", i < 10 ? 3 : 2) + std::to_string(i);
    }
    for (const std::string& row : grid.rows()) {
        text += "\n" + padded(row, width);
        for (const std::string& column : grid.columns()) {
            text += std::string("   ") + mark_of(grid.at(row, column)).letter;
        }
    }
    text += "\n\n";
    for (std::size_t i = 0; i < grid.columns().size(); ++i) {
        text += padded(std::to_string(i + 1), 4) + grid.columns()[i] + "\n";
    }
    text += "\n" + legend(cells) + baselines_text(cells);
    for (const std::string& row : grid.rows()) {
        const TableCell& first = grid.first_of(row);
        text += "\n" + row + ": " + first.library +
                (first.version.empty() ? "" : " " + first.version) + ", " + grid.worlds_of(row) +
                ", " + first.size + ", " + first.date + "\n";
        for (const std::string& column : grid.columns()) {
            const TableCell* cell = grid.at(row, column);
            const std::string news = cell == nullptr ? "" : news_of(*cell);
            if (!news.empty()) text += "  " + column + ": " + news + "\n";
        }
    }
    return text;
}

std::string table_markdown(std::span<const TableCell> cells) {
    const Grid grid(cells);
    std::string text = "| library |";
    std::string line = "|---|";
    for (const std::string& column : grid.columns()) {
        text += " " + column + " |";
        line += "---|";
    }
    text += "\n" + line + "\n";
    for (const std::string& row : grid.rows()) {
        const TableCell& first = grid.first_of(row);
        text += "| " + first.library + " " + first.version + " (" + row + ", " +
                grid.worlds_of(row) + ") |";
        for (const std::string& column : grid.columns()) {
            text += std::string(" ") + mark_of(grid.at(row, column)).letter + " |";
        }
        text += "\n";
    }
    text += "\n";
    for (const Mark& mark : {kNews, kBaseline, kClean, kFew, kUnknown, kNone}) {
        text += std::string("- `") + mark.letter + "`: " + mark.meaning + "\n";
    }
    const std::string bound = bound_text(cells);
    return bound.empty() ? text : text + "\n`" + bound.substr(0, 1) + "`" + bound.substr(1);
}

}  // namespace locklab
