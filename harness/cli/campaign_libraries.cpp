#include "harness/cli/campaign_libraries.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/cli/campaign_options.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/foreign/library.h"
#include "harness/record/home_folder.h"
#include "harness/suite/library_table.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGrantsPerRun = 10;

std::vector<std::string> parts_of(const std::string& text, char between) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, between);) parts.push_back(part);
    return parts;
}

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

void check_options(const Arguments& arguments) {
    for (const char* option :
         {"swarm",      "full",          "grants",         "clients",    "tasks",        "locks",
          "lock-order", "client-ttl",    "client-renewal", "client-job", "client-mode",  "renewal",
          "unit",       "redis",         "pause-every",    "guarded",    "pause-length", "latency",
          "traces",     "timeout",       "retry",          "wait",       "job",          "think",
          "job-limit",  "grants-per-run"}) {
        if (!has_word(arguments, "--" + std::string(option))) continue;
        throw UsageError("--" + std::string(option) +
                         " is not for the table of libraries; right would be to leave it out");
    }
}

Subjects subjects_asked(const CommandLine& line) {
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

/// Sets of faults, separated by semicolons. Throws UsageError for a fault that no library can have.
std::vector<FaultBudget> sets_asked(const CommandLine& line) {
    std::vector<FaultBudget> sets;
    if (!line.has("faults")) return sets;
    for (const std::string& set : parts_of(line.get("faults"), ';')) {
        sets.push_back(parse_faults(set));
        check_faults(sets.back(), FaultWorld::drivers, "a campaign");
    }
    if (sets.empty()) {
        throw UsageError("--faults names no set; right would be --faults 'pause=1;retry=1'");
    }
    return sets;
}

TableWorld world_for(const Subject& subject, std::optional<TableWorld> asked) {
    if (asked == TableWorld::in_virtual_time && !subject.why_not_virtual().empty()) {
        tell_on_stderr(subject.operand() + " is run live: it cannot live in virtual time, since " +
                       subject.why_not_virtual());
    }
    if (!subject.why_not_virtual().empty()) return TableWorld::live;
    return asked.value_or(TableWorld::in_virtual_time);
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

nlohmann::ordered_json json_of(const TablePlan& plan, const std::vector<TableCell>& cells) {
    nlohmann::ordered_json json{{"seed", plan.size.seed},
                                {"runs", nlohmann::ordered_json::array()}};
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

}  // namespace

int campaign_of_libraries(const CommandLine& line, const Arguments& arguments) {
    check_options(arguments);
    const std::optional<TableWorld> world = world_of(line, arguments);
    TablePlan plan;
    plan.faults = sets_asked(line);
    plan.size = size_of(line);
    const Subjects subjects = subjects_asked(line);
    for (const auto& subject : subjects) {
        check_servers(*subject, plan.size.options.topology, FaultWorld::plays);
        plan.libraries.push_back({subject.get(), world_for(*subject, world)});
    }
    const fs::path folder =
        output_folder(line, "out", fs::path(home_folder()) / "results" / "libraries");
    TableFile file(folder / "cells.jsonl");
    ProgressLine progress;
    const std::vector<TableCell> cells = make_table(plan, file, watcher_with(progress));
    progress.clear();
    if (line.json()) {
        std::cout << json_of(plan, cells).dump(2) << "\n";
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

}  // namespace locklab
