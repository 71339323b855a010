// locklab merge: shards of one command, made anywhere in any order, as the one run that they are.

#include "harness/cli/merge.h"

#include <array>
#include <string>

#include "harness/core/usage_error.h"

namespace locklab {

namespace {

/// More than there can be shards.
constexpr std::size_t kMostFolders = 1'000'000;

struct Merger {
    std::string_view verb;
    int (*merge)(const std::vector<ShardFolder>& shards, const CommandLine& line);
};
constexpr std::array<Merger, 3> kMergers{{
    {"campaign", merge_campaign},
    {"explore", merge_explore},
    {"suite", merge_suite},
}};

}  // namespace

Arguments words_of_whole(const ShardFolder& shard, const CommandLine& line,
                         const std::vector<std::string>& taken) {
    Arguments words = shard.row.words();
    for (const std::string& option : taken) {
        if (!line.has(option)) continue;
        words.push_back("--" + option);
        if (!line.get(option).empty()) words.push_back(line.get(option));
    }
    return words;
}

int merge_verb(const Arguments& arguments) {
    CommandLine line(
        "merge",
        {{"out", kText, "of a suite: a new folder for the merged run"},
         {"traces", kText, "of a campaign: folder for witnesses (default: results/traces)"}},
        kMostFolders);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty()) {
        throw UsageError("which shards? right would be: locklab merge FOLDER...");
    }
    const std::vector<ShardFolder> shards = shards_in(line.operands());
    for (const Merger& merger : kMergers) {
        if (merger.verb == shards[0].row.verb) return merger.merge(shards, line);
    }
    throw UsageError("no shards are made by 'locklab " + shards[0].row.verb + "'");
}

}  // namespace locklab
