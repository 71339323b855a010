#include "harness/campaign/witness.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "harness/core/fault_text.h"
#include "harness/explore/sim_run.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

/// A file name has at most 255 bytes, and the names of all faults together have more.
constexpr std::size_t kMostOfFaults = 100;

/// FNV-1a, 32 bits.
std::string digest_of(std::string_view content) {
    std::uint32_t hash = 2166136261U;
    for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", hash);
    return digits;
}

/// The digest tells apart witnesses that differ only in what the name lacks, such as a TTL.
std::string name_of(const RunSpec& spec, std::uint64_t seed, std::uint64_t run,
                    std::string_view content) {
    return std::string(spec.algorithm->name) + "." +
           to_string(spec.budget).substr(0, kMostOfFaults) + ".seed" + std::to_string(seed) +
           ".run" + std::to_string(run) + "." + digest_of(content);
}

Witness written(const std::filesystem::path& folder, const std::string& file,
                const std::string& content, const char* verb) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    write_file(folder / file, content);
    return {file, typed_program() + " " + verb + " " + typed(folder / file)};
}

Witness written_history(const RunSpec& spec, const std::optional<History>& witness,
                        const std::string& prefix, const std::filesystem::path& folder) {
    if (!witness) return {};
    std::ostringstream lines;
    write_history(lines, *witness);
    const std::string content = lines.str();
    std::string name = name_of(spec, witness->seed, witness->run, content);
    std::ranges::replace(name, ':', '-');
    return written(folder, prefix + name + ".jsonl", content, "check");
}

}  // namespace

Witness write_sim_witness(const RunSpec& spec, const CampaignCount& count, std::uint64_t seed,
                          const std::filesystem::path& folder) {
    const auto run = count.witness();
    if (!run) return {};
    const SimRun recorded = SimRunner(spec).record(seed, *run);
    const Trace trace{spec, seed, *run, recorded.picks};
    const std::string content = to_json(trace);
    return written(folder, name_of(spec, seed, *run, content) + ".json", content, "replay");
}

Witness write_live_witness(const LiveCell& cell, const std::filesystem::path& folder) {
    return written_history(cell.spec, cell.witness, "live.", folder);
}

Witness write_foreign_witness(const ForeignCell& cell, const std::filesystem::path& folder) {
    return written_history(cell.spec, cell.witness, "driver.", folder);
}

}  // namespace locklab
