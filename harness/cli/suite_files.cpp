#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/agreement.h"
#include "harness/cli/cell_report.h"
#include "harness/cli/race_report.h"
#include "harness/cli/scenario_report.h"
#include "harness/cli/suite.h"
#include "harness/cli/threshold_report.h"
#include "harness/core/duration_text.h"
#include "harness/record/csv.h"
#include "harness/record/files.h"
#include "harness/record/manifest.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

Json algorithms_json() {
    Json rows = Json::array();
    for (const Algorithm& a : algorithms()) {
        rows.push_back({{"name", a.name},
                        {"label", a.label},
                        {"summary", a.idea},
                        {"source", a.source},
                        {"colour", a.colour},
                        {"renews", a.renews},
                        {"fences", a.fences},
                        {"ttl_us", a.defaults.ttl == Duration::zero() ? Json(nullptr)
                                                                      : Json(us(a.defaults.ttl))},
                        {"safe_under", names_in(a.safe_under)},
                        {"broken_by", names_in(a.broken_by)}});
    }
    return rows;
}

Json hazards_json() {
    Json rows = Json::array();
    for (const HazardRow& row : kHazards) {
        rows.push_back({{"name", row.name},
                        {"meaning", row.meaning},
                        {"live", row.live},
                        {"amount", amount_json(row.hazard)}});
    }
    return rows;
}

Json suite_cell_json(const SuiteCell& cell, const SuiteContext& context) {
    Json json;
    json["world"] = name_of(cell.world);
    json["algorithm"] = cell.spec.algorithm->name;
    json["hazard"] = name_of(cell.hazard);
    json["claim"] = cell.claim();
    json["as_claimed"] = cell.as_claimed();
    json.update(cell_json(cell.spec, cell.count, cell.witness.replay));
    const char* folder = cell.world == WorldKind::sim ? "traces/" : "histories/";
    json["witness"] = cell.witness.file.empty() ? Json(nullptr) : Json(folder + cell.witness.file);
    json["command"] = suite_command(cell, context);
    return json;
}

/// Where a hazard cannot strike a lock, the table says so.
void add_cells_not_applicable(Json& cells) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kHazards) {
            if (applies(algorithm, row.hazard)) continue;
            for (const char* world : {"sim", "live"}) {
                cells.push_back({{"world", world},
                                 {"algorithm", algorithm.name},
                                 {"hazard", row.name},
                                 {"verdict", "not_applicable"},
                                 {"claim", ""},
                                 {"as_claimed", true}});
            }
        }
    }
}

Json parameters_json(const SuiteContext& context) {
    const auto of = [](WorldKind world) {
        const RunSpec spec =
            spec_for(*algorithm_named("set_nx_lua"), suite_options(world, Hazard::contention));
        Json json;
        json["clients"] = spec.clients;
        json["grants_per_run"] = spec.grants;
        json["ttl_us"] = us(spec.options.ttl);
        json["retry_us"] = us(spec.options.retry);
        json["command_timeout_us"] = us(spec.command_timeout);
        json["patience_us"] = us(spec.patience);
        json["job"] = to_string(spec.workload.job.least) + " to " +
                      to_string(spec.workload.job.most) + ", uniform";
        json["think"] = to_string(spec.workload.think.least) + " to " +
                        to_string(spec.workload.think.most) + ", uniform; one of eight " +
                        to_string(spec.workload.away.least) + " to " +
                        to_string(spec.workload.away.most);
        return json;
    };
    Json json;
    json["sim"] = of(WorldKind::sim);
    json["sim"]["runs_per_cell"] = context.size.sim_runs;
    json["sim"]["latency"] = RunSpec().latency;
    json["live"] = of(WorldKind::live);
    json["live"]["runs_per_cell"] = context.size.live_runs;
    json["live"]["server"] = context.redis.empty() ? "private, unix socket" : context.redis;
    return json;
}

}  // namespace

void write_suite(const SuiteContext& context, const SuiteResult& result, const std::string& started,
                 double seconds, const std::string& command) {
    Json suite;
    suite["algorithms"] = algorithms_json();
    suite["hazards"] = hazards_json();
    suite["cells"] = Json::array();
    for (const SuiteCell& cell : result.cells)
        suite["cells"].push_back(suite_cell_json(cell, context));
    add_cells_not_applicable(suite["cells"]);
    suite["agreement"] = agreement_json(result.cells);

    Json scenarios;
    scenarios["scenarios"] = Json::array();
    for (const PlayedScenario& played : result.plays) {
        if (played.done) scenarios["scenarios"].push_back(play_json(played));
    }

    Json witnesses;
    witnesses["witnesses"] = result.witnesses;

    Json surface;
    surface["surface"] = result.surface;

    Json thresholds;
    thresholds["thresholds"] = result.thresholds;

    Json manifest = machine_manifest();
    manifest["redis"] = result.redis;
    manifest["started"] = started;
    manifest["seconds"] = seconds;
    manifest["command"] = command;
    manifest["mode"] = context.size.mode;
    manifest["seed"] = context.seed;
    manifest["complete"] = result.complete;
    manifest["parameters"] = parameters_json(context);
    manifest["files"] = {"thresholds.json", "witnesses.json", "suite.json",   "scenarios.json",
                         "thresholds.csv",  "cells.csv",      "scenarios.csv"};
    if (!result.surface.empty()) {
        manifest["files"].insert(manifest["files"].end(), {"surface.json", "surface.csv"});
    }
    if (!result.plays.empty()) manifest["files"].push_back("races.json");
    if (!result.bench.is_null()) {
        manifest["files"].insert(manifest["files"].end(), {"bench.json", "bench.csv"});
    }

    write_file(context.folder / "thresholds.json", thresholds.dump(1) + "\n");
    write_file(context.folder / "thresholds.csv", to_csv(threshold_sets(result.thresholds)));
    write_file(context.folder / "witnesses.json", witnesses.dump(1) + "\n");
    write_file(context.folder / "suite.json", suite.dump(1) + "\n");
    write_file(context.folder / "scenarios.json", scenarios.dump(1) + "\n");
    if (!result.plays.empty()) {
        write_file(context.folder / "races.json", races_json(result.plays).dump(1) + "\n");
    }
    if (!result.surface.empty()) {
        write_file(context.folder / "surface.json", surface.dump(1) + "\n");
        write_file(context.folder / "surface.csv", to_csv(result.surface));
    }
    write_file(context.folder / "scenarios.csv", to_csv(scenarios["scenarios"]));
    write_file(context.folder / "cells.csv", to_csv(suite["cells"]));
    if (!result.bench.is_null()) {
        write_file(context.folder / "bench.json", result.bench.dump(1) + "\n");
        write_file(context.folder / "bench.csv", to_csv(result.bench["rows"]));
    }
    write_file(context.folder / "manifest.json", manifest.dump(1) + "\n");
}

}  // namespace locklab
