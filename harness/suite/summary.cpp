#include "harness/suite/summary.h"

#include <vector>

#include "harness/core/counted.h"

namespace locklab {

namespace {

void add_cells(const std::vector<SuiteCellRow>& cells, Summary& summary) {
    for (const SuiteCellRow& row : cells) {
        ++summary.cells;
        if (row.as_claimed) {
            ++summary.as_claimed;
            continue;
        }
        summary.unexpected += "  " + std::string(name_of(row.world)) + ": " + row.cell.algorithm +
                              " under " + std::string(name_of(row.hazard)) + " is claimed " +
                              row.claim + ", found " + std::string(name_of(row.cell.verdict)) +
                              "\n";
    }
}

}  // namespace

Summary summarize(const SuiteResult& result) {
    Summary summary;
    add_cells(result.sim_cells, summary);
    add_cells(result.live_cells, summary);
    for (const PlayRow& play : result.plays) {
        ++summary.plays;
        if (play.ok) {
            ++summary.as_expected;
            continue;
        }
        summary.unexpected += "  " + play.scenario + ", " + play.algorithm +
                              " is not as expected: " + play.observed + "\n    " + play.replay +
                              "\n";
    }
    return summary;
}

std::string counts_text(const Summary& summary) {
    std::string text;
    if (summary.cells > 0) {
        text += std::to_string(summary.as_claimed) + " of " + counted(summary.cells, "cell") +
                " came out as their locks' files declare\n";
    }
    if (summary.plays > 0) {
        text += std::to_string(summary.as_expected) + " of " + counted(summary.plays, "play") +
                " of scenarios came out as expected\n";
    }
    return text;
}

}  // namespace locklab
