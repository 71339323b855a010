#include "harness/cli/explore_shard.h"

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/shard_option.h"
#include "harness/play/random_result_json.h"

namespace locklab {

namespace {

std::string file_of(const LockSchedules& lock) {
    return std::string(lock.algorithm->name) + ".schedules.json";
}

}  // namespace

int make_explore_shard(const CommandLine& line, const Shard& shard,
                       const std::vector<LockSchedules>& locks) {
    ShardWriter folder = open_shard(line, "explore", shard);
    if (folder.is_finished()) return tell_of_shard(line, folder);
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    for (const LockSchedules& lock : locks) {
        RandomLimits part = lock.limits;
        part.first = shard.first(lock.limits.schedules);
        part.schedules = shard.end(lock.limits.schedules);
        const WalkedSchedules walked = walk_schedules(*lock.algorithm, lock.bounds, part, watcher);
        progress.clear();
        if (interrupt_flag()) return tell_of_shard(line, folder);
        folder.write(file_of(lock), to_text(walked.result));
        folder.note(std::string(lock.algorithm->name), walked.why_unknown);
    }
    folder.end();
    return tell_of_shard(line, folder);
}

WalkedSchedules schedules_in(const std::vector<ShardFolder>& shards, const LockSchedules& lock) {
    WalkedSchedules all;
    std::vector<RandomResult> parts;
    for (const ShardFolder& shard : shards) {
        parts.push_back(random_result_in(shard.content(file_of(lock))));
        const std::string why = shard.row.note(std::string(lock.algorithm->name));
        if (all.why_unknown.empty()) all.why_unknown = why;
    }
    all.result = joined(*lock.algorithm, lock.bounds, lock.limits, parts);
    return all;
}

}  // namespace locklab
