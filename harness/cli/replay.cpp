// locklab replay: repeats a run from its trace; in sim to the byte.

#include "harness/play/replay.h"

#include <iostream>
#include <sstream>

#include "harness/cli/command_line.h"
#include "harness/cli/progress.h"
#include "harness/cli/replay_drivers.h"
#include "harness/cli/world_options.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"

namespace locklab {

int replay_verb(const Arguments& arguments) {
    CommandLine line("replay",
                     {{"history", kText, "write the history here, or - for stdout alone"},
                      {"world", preset("sim"), "sim; or live, for the trace of a scenario"},
                      {"redis", kText, "live: use the Redis at host:port (or LOCKLAB_REDIS)"},
                      kServerOption,
                      {"algorithm", kText, "live: play it on lib:NAME, or driver:LOCK"}},
                     1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty())
        throw UsageError("which trace? right would be: locklab replay FILE");
    if (line.has("algorithm")) return replay_on_drivers(line);
    const WorldKind world = world_option(line);
    const std::string target = line.has("history") ? line.get("history") : "";
    if (line.json() && target == "-") {
        throw UsageError("--json and --history - both want stdout; right would be --history FILE");
    }
    const bool live = world == WorldKind::live;
    ProgressLine progress;
    const Replayed run = replay(line.operands()[0], world, redis_option(line, world),
                                live ? watcher_with(progress) : Watcher());
    progress.clear();
    const Judgement judgement = judge(run.history);

    if (!target.empty()) {
        std::ostringstream lines;
        write_history(lines, run.history);
        if (target != "-") write_file(target, lines.str());
        if (target == "-") std::cout << lines.str();
    }
    if (target == "-") return exit_code(judgement.verdict);
    if (line.json()) {
        std::cout << judgement_json(judgement).dump(2) << "\n";
    } else {
        std::cout << run.title << "\n" << picture_of(run, judgement) << to_text(judgement);
    }
    return exit_code(judgement.verdict);
}

}  // namespace locklab
