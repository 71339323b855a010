#include "harness/suite/files.h"

#include "algorithms/registry.h"
#include "harness/core/duration_text.h"
#include "harness/core/sha1.h"
#include "harness/record/csv.h"
#include "harness/record/files.h"
#include "harness/record/hazard_json.h"
#include "harness/record/manifest.h"
#include "harness/record/row_io.h"
#include "harness/suite/agreement.h"

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

/// Where a hazard cannot strike a lock, the table says so.
void add_cells_not_applicable(Json& cells) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kHazards) {
            if (applies(algorithm, row.hazard)) continue;
            for (const WorldKind world : {WorldKind::sim, WorldKind::live}) {
                cells.push_back(not_applicable_json(world, algorithm, row.hazard));
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
    suite["cells"] = rows_json(result.sim_cells);
    for (const SuiteCellRow& cell : result.live_cells) suite["cells"].push_back(to_json(cell));
    add_cells_not_applicable(suite["cells"]);
    suite["agreement"] = rows_json(agreement_of(result.sim_cells, result.live_cells));
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

void write_suite(const SuiteContext& context, const SuiteResult& result, double seconds) {
    Listing list(context.folder);
    list.write_json("thresholds.json", {{"thresholds", rows_json(result.thresholds)}});
    list.write_json("witnesses.json", {{"witnesses", rows_json(result.witnesses)}});
    const Json suite = suite_json(result);
    list.write_json("suite.json", suite);
    const Json plays = rows_json(result.plays);
    list.write_json("scenarios.json", {{"scenarios", plays}});
    list.write("thresholds.csv", to_csv(threshold_sets(result.thresholds)));
    list.write("cells.csv", to_csv(suite["cells"]));
    list.write("scenarios.csv", to_csv(plays));
    if (result.races) list.write_json("races.json", {{"races", rows_json(*result.races)}});
    if (!result.surface.empty()) {
        const Json surface = rows_json(result.surface);
        list.write_json("surface.json", {{"surface", surface}});
        list.write("surface.csv", to_csv(surface));
    }
    if (result.bench) {
        const Json bench = to_json(*result.bench);
        list.write_json("bench.json", bench);
        list.write("bench.csv", to_csv(bench["rows"]));
    }
    list.add(witness_files(result.thresholds));
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
