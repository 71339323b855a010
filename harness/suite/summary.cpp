#include "harness/suite/summary.h"

#include <string_view>
#include <vector>

#include "harness/core/counted.h"

namespace locklab {

namespace {

/// ", found holds in 765 runs; of 2500 in sim that are like these 15 failed"
std::string found_text(const SuiteCellRow& row) {
    std::string text = ", found " + std::string(name_of(row.cell.verdict)) + " in " +
                       counted(row.cell.runs, "run");
    if (row.cell.verdict == Verdict::unknown) text += " (" + row.cell.why_unknown + ")";
    if (row.like) {
        text += "; of " + std::to_string(row.like->runs) + " in sim that are like these " +
                std::to_string(row.like->violated + row.like->stuck) + " failed";
    }
    return text;
}

void add_cells(const std::vector<SuiteCellRow>& cells, Summary::Cells& counts, Summary& summary) {
    for (const SuiteCellRow& row : cells) {
        ++counts.all;
        if (contradicts_claim(row)) ++summary.contradicted;
        if (row.as_claimed) {
            ++counts.as_claimed;
            if (row.cell.verdict == Verdict::not_seen) ++counts.not_seen;
            continue;
        }
        summary.unexpected += "  " + std::string(name_of(row.world)) + ": " + row.cell.algorithm +
                              " under " + std::string(name_of(row.hazard)) + " is claimed " +
                              row.claim + found_text(row) + "\n";
    }
}

std::string cells_text(const Summary::Cells& counts, std::string_view where) {
    if (counts.all == 0) return {};
    return std::to_string(counts.as_claimed) + " of " + counted(counts.all, "cell") + " " +
           std::string(where) + " came out as their locks' files declare" +
           (counts.not_seen == 0 ? ""
                                 : "; of " + std::to_string(counts.not_seen) +
                                       " of them nothing was seen, in runs too few to hold") +
           "\n";
}

}  // namespace

Summary summarize(const SuiteResult& result) {
    Summary summary;
    add_cells(result.sim_cells, summary.sim, summary);
    add_cells(result.live_cells, summary.live, summary);
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
    std::string text =
        cells_text(summary.sim, "in the simulator") + cells_text(summary.live, "on a real Redis");
    if (summary.plays > 0) {
        text += std::to_string(summary.as_expected) + " of " + counted(summary.plays, "play") +
                " of scenarios came out as expected\n";
    }
    return text;
}

}  // namespace locklab
