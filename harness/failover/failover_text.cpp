#include "harness/failover/failover_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/failover/sentinel_group.h"

namespace locklab {

namespace {

constexpr std::array<const char*, 11> kHeads{"lag",  "safeguard",      "runs",        "granted",
                                             "lost", "lost (95 %)",    "simulated",   "twice",
                                             "left", "promoted after", "machine late"};
using Line = std::array<std::string, kHeads.size()>;

std::string percent(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", 100 * share);
    return text.data();
}

/// More than one run of this many is left out.
constexpr std::uint64_t kManyLeftOut = 10;

/// Whole milliseconds, so that columns stay short.
std::string milliseconds_of(Duration time) {
    return std::to_string((us(time) + 500) / 1000) + "ms";
}

std::string times_of(Duration median, Duration longest) {
    return milliseconds_of(median) + " (" + milliseconds_of(longest) + ")";
}

std::string lag_of(const FailoverCell& cell) {
    const std::string lag = cell.lag == Duration(0) ? "0ms" : to_string(cell.lag);
    return lag + (cell.replicas > 1 ? " (one of two)" : "");
}

std::string share_of(const FailoverCount& count) {
    if (count.real.granted == 0) return "-";
    return percent(count.lost_interval.value) + " % (" + percent(count.lost_interval.low) + " to " +
           percent(count.lost_interval.high) + ")";
}

std::string simulated(const FailoverCount& count) {
    if (!count.modelled || count.modelled->granted == 0) return "-";
    return percent(count.modelled->lost_share) + " %" +
           (count.model_is_inside() ? "" : ", outside");
}

Line line_of(const FailoverCount& count) {
    return {lag_of(count.cell),
            std::string(name_of(count.cell.safeguard)),
            std::to_string(count.runs),
            std::to_string(count.real.granted),
            std::to_string(count.real.lost),
            share_of(count),
            simulated(count),
            std::to_string(count.real.twice),
            std::to_string(count.real.left),
            times_of(count.promoted_median, count.promoted_longest),
            times_of(count.late_median, count.late_longest)};
}

std::string aligned(const std::vector<Line>& lines) {
    std::array<std::size_t, kHeads.size()> widths{};
    for (const Line& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    std::string text;
    for (const Line& line : lines) {
        std::string row = " ";
        for (std::size_t i = 0; i < line.size(); ++i) {
            row += " " + line[i] + std::string(widths[i] + 1 - line[i].size(), ' ');
        }
        text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

/// "5ms, none: "
std::string name_of(const FailoverCount& count) {
    return "  " + lag_of(count.cell) + ", " + std::string(name_of(count.cell.safeguard)) + ": ";
}

std::string notes_of(const FailoverCount& count) {
    std::string notes;
    if (count.differ > 0) {
        notes += name_of(count) + "in " + counted(count.differ, "run") + " of " +
                 std::to_string(count.runs) + " the model says something else than the servers\n";
    }
    if (count.refused > 0) {
        notes += name_of(count) + "the master refused the first SET in " +
                 counted(count.refused, "run") + ", which count for nothing\n";
    }
    if (count.second_refused > 0) {
        notes += name_of(count) + "the new master refused the second client in " +
                 counted(count.second_refused, "run") + ": " + count.second_error + "\n";
    }
    if (count.nothing > 0) {
        notes += name_of(count) + counted(count.nothing, "run") +
                 " left out: " + count.why_nothing + "\n";
    }
    return notes;
}

}  // namespace

std::string failover_line(const FailoverCount& count) {
    return name_of(count).substr(2) + std::to_string(count.real.lost) + " of " +
           counted(count.real.granted, "lock") + " lost: " + share_of(count);
}

std::string failover_table(std::span<const FailoverCount> counts) {
    if (counts.empty()) return "failovers: no cell is finished\n";
    const FailoverCount& first = counts.front();
    std::string text = "failovers: a client takes the lock (TTL " + to_string(first.shape.ttl) +
                       "), and its master is killed within " + to_string(first.shape.within) +
                       " of the answer to SET\n  Redis " + first.redis + ", " +
                       std::to_string(SentinelGroup::kSentinels) +
                       " Sentinels, down-after-milliseconds " +
                       std::to_string(SentinelGroup::kDownAfter / std::chrono::milliseconds(1)) +
                       ", seed " + std::to_string(first.shape.seed) + "\n";
    std::vector<Line> lines(1);
    std::ranges::copy(kHeads, lines.front().begin());
    for (const FailoverCount& count : counts) lines.push_back(line_of(count));
    text += aligned(lines);
    std::uint64_t runs = 0;
    std::uint64_t nothing = 0;
    for (const FailoverCount& count : counts) {
        text += notes_of(count);
        runs += count.runs;
        nothing += count.nothing;
    }
    const bool was_late = std::ranges::any_of(counts, [](const FailoverCount& count) {
        return count.why_nothing.starts_with(kMachineLate);
    });
    if (was_late && nothing > runs / kManyLeftOut) {
        text +=
            "  fewer are late on a quieter machine, or as root, where masters and clients go "
            "before other\n  processes; the same command makes again what was left out\n";
    }
    return text +
           "  lost: granted, and the new master does not know it; twice: granted to a second "
           "client "
           "as well;\n  left: not granted, and taken at the new master until it expires; times are "
           "medians (longest)\n";
}

}  // namespace locklab
