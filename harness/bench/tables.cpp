#include "harness/bench/tables.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace locklab {

namespace {

/// Figures shown in tables, in this order, if a suite has them. JSON has all.
constexpr std::string_view kShown[] = {"pair_p99_us",
                                       "ratio_to_like",
                                       "ratio_to_floor",
                                       "grants_per_s",
                                       "offered_per_s",
                                       "overlaps_per_1000",
                                       "wait_p50_us",
                                       "wait_p99_us",
                                       "wait_max_us",
                                       "hand_over_p50_us",
                                       "jain",
                                       "commands_per_grant",
                                       "network_us",
                                       "server_us",
                                       "lock_us",
                                       "harness_us",
                                       "client_cpu_us",
                                       "server_cpu_us",
                                       "server_busy",
                                       "recovery_p50_us",
                                       "recovered",
                                       "crashes",
                                       "bytes_per_client",
                                       "commands_per_s",
                                       "ratio_to_direct",
                                       "ratio_to_relay",
                                       "added_us",
                                       "proxy_cpu_us",
                                       "relay_cpu_us",
                                       "schedules",
                                       "states",
                                       "steps"};

std::string number_text(double value) {
    char text[32];
    const char* format = value >= 1000 ? "%.0f" : "%.3g";
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string interval_text(const Median& median) {
    std::string text = number_text(median.value);
    if (median.low)
        text += " (" + number_text(*median.low) + " to " + number_text(*median.high) + ")";
    return text;
}

using Row = std::vector<std::string>;

std::string aligned(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += "  " + row[i] + std::string(widths[i] - row[i].size(), ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

/// Parts that say what is measured: every table shows them.
constexpr std::string_view kWhose[] = {"lock", "lib", "driver"};

/// Notes below a suite's table, for figures that need explanation.
constexpr std::pair<std::string_view, std::string_view> kNotes[] = {
    {"drivers/uncontended",
     "time_us is the library's own, of an acquire and a release, by its process's clock: the way "
     "of "
     "each line to the process and back is not counted. like: a process of our own lock that the "
     "library is like; floor: that lock's commands, sent by hiredis alone."},
    {"drivers/contended",
     "Waits are by the harness' clock, with the way of each line to the process and back."}};

/// The parts in which rows of one suite differ.
Row differing_parts(const std::vector<const BenchmarkRow*>& rows) {
    std::map<std::string, std::set<std::string>> seen;
    for (const BenchmarkRow* row : rows) {
        for (const auto& [key, value] : row->parts) seen[key].insert(value);
    }
    Row keys;
    for (const std::string_view whose : kWhose) {
        if (seen.contains(std::string(whose))) keys.emplace_back(whose);
    }
    for (const auto& [key, values] : seen) {
        const bool is_there = std::find(keys.begin(), keys.end(), key) != keys.end();
        if (!is_there && values.size() > 1) keys.push_back(key);
    }
    return keys;
}

std::string figure_text(const BenchmarkRow& row, std::string_view name) {
    const auto found = row.figures.find(std::string(name));
    if (found == row.figures.end()) return "";
    if (name == "ratio_to_floor" || name == "ratio_to_like") {
        return ratio_text(found->second);
    }
    if (name == "grants_per_s") return interval_text(found->second);
    return number_text(found->second.value);
}

std::string table_of(const std::vector<const BenchmarkRow*>& rows) {
    const Row keys = differing_parts(rows);
    Row figures;
    for (const std::string_view name : kShown) {
        const bool any = std::any_of(rows.begin(), rows.end(), [&](const BenchmarkRow* row) {
            return row->figures.contains(std::string(name));
        });
        if (any) figures.emplace_back(name);
    }
    std::vector<Row> lines;
    Row head = keys.empty() ? Row{"benchmark"} : keys;
    head.emplace_back("time_us");
    head.insert(head.end(), figures.begin(), figures.end());
    lines.push_back(std::move(head));
    for (const BenchmarkRow* row : rows) {
        Row& line = lines.emplace_back();
        for (const std::string& key : keys) {
            const auto found = row->parts.find(key);
            line.push_back(found == row->parts.end() ? "" : found->second);
        }
        if (keys.empty()) line.push_back(row->name);
        if (row->repetitions == 0) {
            line.push_back(row->error);
            continue;
        }
        line.push_back(number_text(row->time_us.value));
        for (const std::string& name : figures) line.push_back(figure_text(*row, name));
    }
    return aligned(lines);
}

}  // namespace

std::string benchmark_tables(const BenchmarkResult& result) {
    std::vector<std::string> suites;
    std::map<std::string, std::vector<const BenchmarkRow*>> rows;
    for (const BenchmarkRow& row : result.rows) {
        const std::string& suite = row.parts.at("suite");
        if (rows[suite].empty()) suites.push_back(suite);
        rows[suite].push_back(&row);
    }
    std::string text;
    for (const std::string& suite : suites) {
        const std::vector<const BenchmarkRow*>& own = rows[suite];
        text += suite + ", medians of " + std::to_string(own.front()->repetitions) +
                " (95 % intervals)\n" + table_of(own);
        for (const BenchmarkRow* row : own) {
            if (row->error.empty() || row->repetitions == 0) continue;
            text += "  after " + std::to_string(row->repetitions) + " repetitions of " + row->name +
                    ": " + row->error + "\n";
        }
        for (const auto& [noted, note] : kNotes) {
            if (suite == noted) text += "  " + std::string(note) + "\n";
        }
        text += "\n";
    }
    for (const std::string& sentence : result.noise) text += "noise: " + sentence + "\n";
    return text;
}

std::string ratio_text(const Median& ratio) {
    std::string text = interval_text(ratio);
    if (difference_of(ratio) == Difference::unresolved) text += ", no difference resolved";
    return text;
}

}  // namespace locklab
