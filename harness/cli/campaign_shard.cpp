#include "harness/cli/campaign_shard.h"

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/shard_option.h"
#include "harness/core/usage_error.h"
#include "harness/record/run_report_json.h"

namespace locklab {

namespace {

/// Bytes of runs in one file, below what a file of a run may have (kMostRunFile).
constexpr std::size_t kBytesOfFile = 32'000'000;

std::string file_of(const std::string& lock, std::size_t part) {
    return lock + "." + std::to_string(part) + ".jsonl";
}

/// Lines of one lock's runs, in as many files as they need.
class RunFiles {
public:
    RunFiles(ShardWriter& folder, std::string lock) : folder_(folder), lock_(std::move(lock)) {}

    void add(const MadeRun& made) {
        lines_ += to_line(made);
        if (lines_.size() >= kBytesOfFile) write();
    }
    void end() {
        if (!lines_.empty()) write();
    }

private:
    void write() {
        folder_.write(file_of(lock_, parts_++), lines_);
        lines_.clear();
    }

    ShardWriter& folder_;
    const std::string lock_;
    std::string lines_;
    std::size_t parts_ = 0;
};

}  // namespace

void check_campaign_shard(const CampaignOptions& options) {
    if (options.world == WorldKind::live) {
        throw UsageError(
            "live runs are never the same twice, so no shards of them make one run; right would "
            "be --world sim, or other --seed on each machine");
    }
    if (!options.runs) {
        throw UsageError(
            "--shard cannot know which run brings the last grant; right would be --runs instead "
            "of --grants");
    }
    if (options.full) {
        throw UsageError(
            "--full goes on by what all runs show, and a shard has some; right would be more "
            "--runs");
    }
}

int make_campaign_shard(const CommandLine& line, const Shard& shard,
                        const std::vector<LockRuns>& locks, const CampaignOptions& options) {
    ShardWriter folder = open_shard(line, "campaign", shard);
    if (folder.is_finished()) return tell_of_shard(line, folder);
    const std::uint64_t first = shard.first(*options.runs);
    const std::uint64_t end = shard.end(*options.runs);
    ProgressLine progress;
    for (const LockRuns& lock : locks) {
        const std::string name(lock.spec.algorithm->name);
        RunFiles files(folder, name);
        std::uint64_t done = 0;
        const std::string why =
            make_sim_runs(lock.spec, options.seed, first, end, interrupt_flag(), lock.of_run,
                          [&](const MadeRun& made) {
                              files.add(made);
                              progress.show(name + ": " + std::to_string(++done) + " of " +
                                            std::to_string(end - first) + " runs");
                          });
        progress.clear();
        if (interrupt_flag()) return tell_of_shard(line, folder);
        files.end();
        folder.note(name, why);
    }
    folder.end();
    return tell_of_shard(line, folder);
}

RunsOfShards::RunsOfShards(const std::vector<ShardFolder>& shards, const LockRuns& lock)
    : shards_(shards), lock_(lock.spec.algorithm->name) {}

std::vector<MadeRun> RunsOfShards::next(std::size_t size) {
    std::vector<MadeRun> runs;
    std::string line;
    while (runs.size() < size && read_next_line(line)) runs.push_back(made_run_in(line));
    runs.resize(size);
    return runs;
}

std::string RunsOfShards::why_unknown() const {
    for (const ShardFolder& shard : shards_) {
        if (std::string why = shard.row.note(lock_); !why.empty()) return why;
    }
    return {};
}

bool RunsOfShards::read_next_line(std::string& line) {
    while (place_ == content_.size()) {
        if (shard_ == shards_.size()) return false;
        const std::string file = file_of(lock_, part_++);
        if (shards_[shard_].has(file)) {
            content_ = shards_[shard_].content(file);
            place_ = 0;
        } else {
            ++shard_;
            part_ = 0;
        }
    }
    const std::size_t end = content_.find('\n', place_);
    line = content_.substr(place_, end - place_);
    place_ = end == std::string::npos ? content_.size() : end + 1;
    return true;
}

}  // namespace locklab
