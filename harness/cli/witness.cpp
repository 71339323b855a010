#include "harness/cli/witness.h"

#include <sstream>

#include "harness/cli/typed.h"
#include "harness/core/fault_text.h"
#include "harness/explore/sim_run.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"

namespace locklab {

namespace {

std::string stem_of(const RunSpec& spec, std::uint64_t seed, std::uint64_t run) {
    return std::string(spec.algorithm->name) + "." + to_string(spec.budget) + ".seed" +
           std::to_string(seed) + ".run" + std::to_string(run);
}

Witness written(const std::filesystem::path& folder, const std::string& file,
                const std::string& content, const char* verb) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    write_file(folder / file, content);
    return {file, typed_program() + " " + verb + " " + typed(folder / file)};
}

}  // namespace

Witness write_sim_witness(const RunSpec& spec, const CampaignCount& count, std::uint64_t seed,
                          const std::filesystem::path& folder) {
    const auto run = count.witness();
    if (!run) return {};
    const SimRun recorded = SimRunner(spec).record(seed, *run);
    const Trace trace{spec, seed, *run, recorded.picks};
    return written(folder, stem_of(spec, seed, *run) + ".json", to_json(trace), "replay");
}

Witness write_live_witness(const LiveCell& cell, const std::filesystem::path& folder) {
    if (!cell.witness) return {};
    std::ostringstream lines;
    write_history(lines, *cell.witness);
    const std::string stem = stem_of(cell.spec, cell.witness->seed, cell.witness->run);
    return written(folder, "live." + stem + ".jsonl", lines.str(), "check");
}

}  // namespace locklab
