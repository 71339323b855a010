#include "harness/cli/campaign_libraries.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/campaign_options.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/shard_option.h"
#include "harness/cli/suite_words.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/foreign/library.h"
#include "harness/record/home_folder.h"
#include "harness/suite/library_table.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGrantsPerRun = 10;

/// --world; nothing: virtual time for each library that can run in it.
std::optional<TableWorld> world_of(const CommandLine& line, const Arguments& arguments) {
    if (!has_word(arguments, "--world")) return std::nullopt;
    const std::string& name = line.get("world");
    for (const TableWorld world : {TableWorld::in_virtual_time, TableWorld::live}) {
        if (name == name_of(world)) return world;
    }
    if (name == "sim") {
        throw UsageError(
            "a library is run as it is, on a real Redis, and not simulated; right would be "
            "--world virtual, or --world live");
    }
    const std::array<std::string_view, 2> known{"virtual", "live"};
    throw UsageError(unknown_word("world", name, known));
}

/// Options that only runs of drivers in real time have.
constexpr std::array kOnlyLive{"full", "grants", "clients", "traces",    "timeout",       "retry",
                               "wait", "job",    "think",   "job-limit", "grants-per-run"};
bool is_table(const CommandLine& line) { return line.operands()[0] == kLibraries; }

void check_options(const CommandLine& line, const Arguments& arguments) {
    const auto refuse = [&](const char* option, const std::string& why, const std::string& right) {
        if (!has_word(arguments, "--" + std::string(option))) return;
        throw UsageError("--" + std::string(option) + " is not for " + why + "; right would be " +
                         right);
    };
    const bool table = is_table(line);
    const std::string whose = table ? "the table of libraries" : "plays of " + line.operands()[0];
    const std::string leave_out = "to leave it out";
    for (const char* option : kOnlyLive) {
        refuse(option, whose, table ? leave_out : "--world live, or " + leave_out);
    }
    refuse_what_drivers_lack(arguments);
    refuse("server", "virtual time", "--world live, or " + leave_out);
    if (!table) refuse("shard", "one library", "campaign libraries, or " + leave_out);
    if (!table) refuse("libraries", "one library", "campaign libraries, or " + leave_out);
}

Subjects subjects_asked(const CommandLine& line) {
    if (!is_table(line)) return subjects_of(line.operands()[0]);
    if (!line.has("libraries")) return subjects_of(kLibraries);
    Subjects all;
    for (const std::string& name : parts_of(line.get("libraries"), ',')) {
        if (name.empty()) throw UsageError("--libraries has a name too few; right would be A,B");
        const bool is_row = is_library_row(name) || names_drivers(name);
        for (auto& subject : subjects_of(is_row ? name : "lib:" + name)) {
            all.push_back(std::move(subject));
        }
    }
    if (all.empty()) throw UsageError("--libraries names none; right would be NAME,NAME");
    return all;
}

TableWorld world_for(const Subject& subject, std::optional<TableWorld> asked) {
    if (asked == TableWorld::in_virtual_time && !subject.why_not_virtual().empty()) {
        tell_on_stderr(subject.operand() + " is run live: it cannot live in virtual time, since " +
                       subject.why_not_virtual());
    }
    if (!subject.why_not_virtual().empty()) return TableWorld::live;
    return asked.value_or(TableWorld::in_virtual_time);
}

/// Of one library; a table has libraries of both worlds.
void check_world(const Arguments& arguments, const Subject& subject, TableWorld world) {
    const auto refuse = [&](const std::string& option, const std::string& right) {
        if (!has_word(arguments, option)) return;
        throw UsageError(option + " is not for " + subject.operand() + " in the world '" +
                         std::string(name_of(world)) + "'; right would be " + right);
    };
    switch (world) {
        case TableWorld::in_virtual_time:
            refuse("--runs", "--plays, or --world live");
            refuse("--ttl", "--world live, or to leave it out");
            return;
        case TableWorld::live: refuse("--plays", "--runs"); return;
    }
}

TableSize size_of(const CommandLine& line) {
    TableSize size;
    size.options = campaign_options_in(line, WorldKind::live, "none");
    size.options.grants_per_run = kGrantsPerRun;
    size.seed = size.options.seed;
    size.runs = size.options.runs.value_or(size.runs);
    if (line.has("plays")) size.plays = count_option(line, "plays", 1, 1'000'000);
    return size;
}

nlohmann::ordered_json json_of(std::uint64_t seed, const std::vector<TableCell>& cells) {
    nlohmann::ordered_json json{{"seed", seed}, {"runs", nlohmann::ordered_json::array()}};
    for (const TableCell& cell : cells) {
        nlohmann::ordered_json row{{"algorithm", cell.subject}};
        row["hazards"] = nlohmann::ordered_json::array();
        const FaultBudget faults = parse_faults(cell.faults);
        for (const HazardRow& hazard : kHazards) {
            if (faults[hazard.hazard] > 0) row["hazards"].push_back(hazard.name);
        }
        row.update(to_json(cell));
        json["runs"].push_back(std::move(row));
    }
    return json;
}

int show_table(const CommandLine& line, std::uint64_t seed, const std::vector<TableCell>& cells) {
    if (line.json()) {
        std::cout << json_of(seed, cells).dump(2) << "\n";
    } else {
        std::cout << (line.has("markdown") ? table_markdown(cells) : table_text(cells));
    }
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; what is shown was finished before, and the same "
                     "command goes on from there\n";
        return kExitUnknown;
    }
    Verdict worst = Verdict::holds;
    for (const TableCell& cell : cells) {
        if (is_graver(cell.verdict, worst)) worst = cell.verdict;
    }
    return exit_code(worst);
}

constexpr const char* kTable = "table.jsonl";

/// Leaves the shard's libraries: each is a piece, since which pairs of faults it is asked for
/// follows from its other cells. The folder says which they are, by their places in one run.
void keep_pieces(ShardWriter& folder, std::vector<TablePlan::Column>& libraries) {
    std::vector<TablePlan::Column> kept;
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        if (!folder.row().shard.has(i)) continue;
        folder.note(libraries[i].subject->operand(), std::to_string(i));
        kept.push_back(libraries[i]);
    }
    libraries = std::move(kept);
}

int end_table(const CommandLine& line, const std::vector<TableCell>& cells, ShardWriter& folder) {
    if (interrupt_flag()) return tell_of_shard(line, folder);
    std::string lines;
    for (const TableCell& cell : cells) lines += to_json(cell).dump() + "\n";
    folder.write(kTable, lines);
    folder.end();
    return tell_of_shard(line, folder);
}

/// Pairs come after all single faults, where the command names no faults.
bool is_of_second_part(const CommandLine& line, const TableCell& cell) {
    return !line.has("faults") && cell.faults.find(',') != std::string::npos;
}

}  // namespace

bool is_table_of_drivers(const CommandLine& line, const Arguments& arguments) {
    if (line.operands().empty() || !names_drivers(line.operands()[0])) return false;
    const bool is_live = has_word(arguments, "--world") && line.get("world") == "live";
    return is_table(line) || !is_live;
}

int campaign_of_libraries(const CommandLine& line, const Arguments& arguments) {
    check_options(line, arguments);
    const std::optional<TableWorld> world = world_of(line, arguments);
    TablePlan plan;
    if (line.has("faults")) plan.faults = columns_in(line.get("faults"));
    plan.size = size_of(line);
    const Subjects subjects = subjects_asked(line);
    for (const auto& subject : subjects) {
        check_servers(*subject, plan.size.options.topology, FaultWorld::plays);
        plan.libraries.push_back({subject.get(), world_for(*subject, world), !world});
        if (!is_table(line)) check_world(arguments, *subject, plan.libraries.back().world);
    }
    const fs::path folder =
        output_folder(line, "out", fs::path(home_folder()) / "results" / "libraries");
    std::optional<ShardWriter> shard;
    if (const auto asked = shard_option(line, "campaign")) {
        shard.emplace(open_shard(line, "campaign", *asked));
        if (shard->is_finished()) return tell_of_shard(line, *shard);
        keep_pieces(*shard, plan.libraries);
    }
    TableFile file(folder / "cells.jsonl");
    ProgressLine progress;
    const std::vector<TableCell> cells = make_table(plan, file, watcher_with(progress));
    progress.clear();
    if (shard) return end_table(line, cells, *shard);
    return show_table(line, plan.size.seed, cells);
}

int show_merged_table(const CommandLine& line, const std::vector<ShardFolder>& shards) {
    /// Where a cell stands in the table of one run.
    using Place = std::pair<bool, std::uint64_t>;
    std::vector<std::pair<Place, TableCell>> placed;
    for (const ShardFolder& shard : shards) {
        const TableFile file(shard.path / kTable);
        for (const TableCell& cell : file.cells()) {
            const std::uint64_t library = std::stoull(shard.row.note(cell.subject));
            placed.push_back({{is_of_second_part(line, cell), library}, cell});
        }
    }
    std::ranges::stable_sort(placed, {}, &std::pair<Place, TableCell>::first);
    std::vector<TableCell> cells;
    for (auto& [place, cell] : placed) cells.push_back(std::move(cell));
    return show_table(line, count_option(line, "seed", 0, ~std::uint64_t{0}), cells);
}

}  // namespace locklab
