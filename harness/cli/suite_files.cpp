#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/agreement.h"
#include "harness/cli/cell_report.h"
#include "harness/cli/suite.h"
#include "harness/cli/threshold_report.h"
#include "harness/core/duration_text.h"
#include "harness/core/sha1.h"
#include "harness/record/algorithm_json.h"
#include "harness/record/csv.h"
#include "harness/record/files.h"
#include "harness/record/manifest.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json algorithms_json() {
    Json rows = Json::array();
    for (const Algorithm& a : algorithms()) {
        rows.push_back({{"name", a.name},
                        {"label", a.label},
                        {"summary", a.idea},
                        {"source", a.source},
                        {"colour", a.colour}});
        rows.back().update(facts_json(a));
        rows.back()["safe_under"] = names_in(a.safe_under);
        rows.back()["broken_by"] = names_in(a.broken_by);
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

/// Writes files, and keeps in mind what was written.
class Listing {
public:
    explicit Listing(const fs::path& folder) : folder_(folder) {}

    void write(const std::string& name, const std::string& content) {
        write_file(folder_ / name, content);
        digests_[name] = to_hex(sha1(content));
    }
    void write_json(const std::string& name, const Json& json) { write(name, json.dump(1) + "\n"); }
    /// What is there already.
    void add(const std::vector<std::string>& names) {
        for (const std::string& name : names) digests_[name] = digest_of_file(folder_ / name);
    }
    Json files() const {
        Json names = Json::array();
        for (const auto& item : digests_.items()) names.push_back(item.key());
        return names;
    }
    const Json& digests() const { return digests_; }

private:
    const fs::path& folder_;
    Json digests_ = Json::object();
};

Json suite_json(const SuiteResult& result) {
    Json suite;
    suite["algorithms"] = algorithms_json();
    suite["hazards"] = hazards_json();
    suite["cells"] = result.sim_cells;
    for (const Json& cell : result.live_cells) suite["cells"].push_back(cell);
    add_cells_not_applicable(suite["cells"]);
    suite["agreement"] = agreement_json(result.sim_cells, result.live_cells);
    return suite;
}

/// Titles of the parts that are not finished.
Json to_come_json(const SuiteResult& result) {
    Json titles = Json::array();
    for (const SuiteSection& section : kSuiteSections) {
        if (!result.has_finished(section.name)) titles.push_back(section.title);
    }
    return titles;
}

Json missing_json(const SuiteResult& result) {
    Json rows = Json::array();
    for (const MissingPart& missing : result.missing) {
        rows.push_back({{"part", missing.part}, {"why", missing.why}});
    }
    return rows;
}

}  // namespace

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

void write_suite(const SuiteContext& context, const SuiteResult& result, double seconds) {
    Listing list(context.folder);
    list.write_json("thresholds.json", {{"thresholds", result.thresholds}});
    list.write_json("witnesses.json", {{"witnesses", result.witnesses}});
    const Json suite = suite_json(result);
    list.write_json("suite.json", suite);
    list.write_json("scenarios.json", {{"scenarios", result.plays}});
    list.write("thresholds.csv", to_csv(threshold_sets(result.thresholds)));
    list.write("cells.csv", to_csv(suite["cells"]));
    list.write("scenarios.csv", to_csv(result.plays));
    if (!result.races.is_null()) list.write_json("races.json", result.races);
    if (!result.surface.empty()) {
        list.write_json("surface.json", {{"surface", result.surface}});
        list.write("surface.csv", to_csv(result.surface));
    }
    if (!result.bench.is_null()) {
        list.write_json("bench.json", result.bench);
        list.write("bench.csv", to_csv(result.bench["rows"]));
    }
    list.add(threshold_files(result.thresholds));
    list.add(witness_files(result.sim_cells));
    list.add(witness_files(result.live_cells));

    Json manifest = machine_manifest();
    manifest["redis"] = result.redis;
    manifest["started"] = result.started;
    if (!result.resumed.empty()) manifest["resumed"] = result.resumed;
    manifest["seconds"] = result.seconds + seconds;
    manifest["command"] = result.command;
    manifest["mode"] = context.size.mode;
    manifest["seed"] = context.seed;
    manifest["complete"] = result.complete;
    manifest["running"] = result.running;
    manifest["to_come"] = to_come_json(result);
    manifest["missing"] = missing_json(result);
    manifest["parameters"] = parameters_json(context);
    manifest["identity"] = suite_identity(context);
    manifest["finished"] = result.finished;
    manifest["files"] = list.files();
    manifest["digests"] = list.digests();
    write_file(context.folder / "manifest.json", manifest.dump(1) + "\n");
}

}  // namespace locklab
