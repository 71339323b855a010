#include "harness/suite/files.h"

#include "algorithms/registry.h"
#include "harness/core/sha1.h"
#include "harness/record/algorithm_json.h"
#include "harness/record/csv.h"
#include "harness/record/digest.h"
#include "harness/record/files.h"
#include "harness/record/hazard_json.h"
#include "harness/record/manifest.h"
#include "harness/record/row_io.h"
#include "harness/suite/agreement.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json algorithms_json(std::span<const Algorithm> algorithms) {
    Json rows = Json::array();
    for (const Algorithm& a : algorithms) {
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
    for (const HazardRow& row : kSimulatedHazards) {
        rows.push_back({{"name", row.name},
                        {"meaning", row.meaning},
                        {"live", is_made_in(FaultWorld::live, row.hazard)},
                        {"amount", amount_json(row.hazard)},
                        {"baseline", baseline_json(row.hazard)}});
    }
    return rows;
}

/// Adds a row for each hazard of the simulator that cannot strike a lock.
void add_cells_not_applicable(Json& cells) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kSimulatedHazards) {
            if (applies(algorithm, row.hazard)) continue;
            for (const WorldKind world : {WorldKind::sim, WorldKind::live}) {
                cells.push_back(not_applicable_json(world, algorithm, row.hazard));
            }
        }
    }
}

RunRow::Parameters parameters_of(const SuiteContext& context) {
    const auto in = [](WorldKind world) {
        return world_row(
            spec_for(*algorithm_named("set_nx_lua"), suite_options(world, Hazard::contention)));
    };
    RunRow::Parameters parameters{in(WorldKind::sim), in(WorldKind::live)};
    parameters.sim.runs_per_cell = context.size.sim_runs;
    parameters.sim.latency = RunSpec().latency;
    parameters.live.runs_per_cell = context.size.live_runs;
    parameters.live.server = context.redis.empty() ? "private, unix socket" : context.redis;
    return parameters;
}

/// Writes files, and remembers their digests.
class Listing {
public:
    explicit Listing(const fs::path& folder) : folder_(folder) {}

    void write(const std::string& name, const std::string& content) {
        write_file(folder_ / name, content);
        digests_[name] = to_hex(sha1(content));
    }
    void write_json(const std::string& name, const Json& json) { write(name, json.dump(1) + "\n"); }
    /// Adds files that exist already.
    void add(const std::vector<std::string>& names) {
        for (const std::string& name : names) digests_[name] = digest_of_file(folder_ / name);
    }
    void tell(RunRow& run) const {
        for (const auto& [name, digest] : digests_.items()) {
            run.files.push_back(name);
            run.digests.emplace_back(name, digest.get<std::string>());
        }
    }

private:
    const fs::path& folder_;
    Json digests_ = Json::object();
};

Json suite_json(const SuiteResult& result) {
    Json suite;
    suite["algorithms"] = algorithms_json(algorithms());
    suite["others"] = algorithms_json(redlocks());
    suite["hazards"] = hazards_json();
    suite["cells"] = rows_json(result.sim_cells);
    for (const SuiteCellRow& cell : result.live_cells) suite["cells"].push_back(to_json(cell));
    add_cells_not_applicable(suite["cells"]);
    suite["agreement"] = rows_json(agreement_of(result.sim_cells, result.live_cells));
    return suite;
}

Json redlock_json(const RedlockRows& rows) {
    return {{"thresholds", rows_json(rows.thresholds)}, {"cells", rows_json(rows.cells)}};
}

RunRow run_row(const SuiteContext& context, const SuiteResult& result, double seconds) {
    RunRow run;
    run.redis = result.redis;
    run.started = result.started;
    if (!result.resumed.empty()) run.resumed = result.resumed;
    run.seconds = result.seconds + seconds;
    run.command = result.command;
    run.mode = context.size.mode;
    run.seed = context.seed;
    run.complete = result.complete;
    run.running = result.running;
    for (const SuiteSection& section : kSuiteSections) {
        if (result.has_finished(section.name)) continue;
        if (context.was_asked_for(section.name)) {
            run.to_come.emplace_back(section.title);
        } else {
            run.left_out.push_back({std::string(section.name), std::string(section.title)});
        }
    }
    run.took = result.took;
    run.missing = result.missing;
    run.parameters = parameters_of(context);
    run.identity = suite_identity(context);
    run.finished = result.finished;
    run.merged_from = result.merged_from;
    return run;
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
    if (result.libraries) {
        list.write_json("libraries.json", {{"libraries", rows_json(*result.libraries)}});
    }
    if (result.redlock) list.write_json("redlock.json", redlock_json(*result.redlock));
    if (result.failovers) {
        list.write_json("failovers.json", {{"failovers", rows_json(*result.failovers)}});
    }
    if (result.price) list.write_json("price.json", {{"price", rows_json(*result.price)}});
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
    list.add(witness_files(result));

    RunRow run = run_row(context, result, seconds);
    list.tell(run);
    Json manifest = machine_manifest();
    manifest.update(to_json(run));
    write_file(context.folder / "manifest.json", manifest.dump(1) + "\n");
}

}  // namespace locklab
