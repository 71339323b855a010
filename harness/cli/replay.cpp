// locklab replay: a run again, from its trace; in sim to the byte.

#include <iostream>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/cli/command_line.h"
#include "harness/cli/explore_trace.h"
#include "harness/cli/find_replay.h"
#include "harness/cli/scenario_replay.h"
#include "harness/explore/sim_run.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/record/trace_json.h"
#include "harness/view/story.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

/// What a trace gave when it was run again.
struct Replayed {
    History history;
    std::string title;
    std::string picture;  ///< a time-line, where one was played step by step
};

Replayed run_again(const Trace& trace) {
    Latency::parse(trace.spec.latency);
    ReplayChoices choices(trace.picks);
    SimRun run = SimRunner(trace.spec).run(choices);
    run.history.seed = trace.seed;
    run.history.run = trace.run;
    return {std::move(run.history),
            std::string(trace.spec.algorithm->name) + ", seed " + std::to_string(trace.seed) +
                ", run " + std::to_string(trace.run),
            ""};
}

Replayed play_again(const Find& find, WorldKind world, const std::string& redis) {
    Scene scene = world == WorldKind::sim ? play_in_sim(find) : play_live(find, redis);
    std::string picture = to_text(make_timeline(scene));
    return {std::move(scene.history), std::string(find.algorithm->name) + ", a find",
            std::move(picture)};
}

Replayed replay(const std::string& file, WorldKind world, const std::string& redis) {
    try {
        const std::string text = text_of_trace(file);
        if (is_scenario_trace(text)) {
            ReplayedScene played =
                replay_scenario(read_scenario_trace(text, file), file, world, redis);
            std::string picture = to_text(make_timeline(played.scene));
            return {std::move(played.scene.history), played.title, std::move(picture)};
        }
        if (is_find_trace(text)) return play_again(read_find(text, file), world, redis);
        if (world == WorldKind::live) {
            throw UsageError(
                "a trace of picks is replayed in sim: real time cannot be picked again; judge a "
                "live history with 'locklab check'");
        }
        return run_again(read_trace(text, file, algorithm_named));
    } catch (const FileError& error) {
        throw UsageError(error.what());
    } catch (const std::invalid_argument& error) {
        throw UsageError(file + ":1: " + error.what());
    }
}

/// As it was played; of a campaign's run, the part that shows its first failure.
std::string picture_of(const Replayed& run, const Judgement& judgement) {
    if (!run.picture.empty()) return run.picture;
    const std::optional<Scene> story = story_of(run.history, judgement);
    return story ? to_text(make_timeline(*story)) : "";
}

}  // namespace

int replay_verb(const Arguments& arguments) {
    CommandLine line("replay",
                     {{"history", kText, "write the history here, or - for stdout alone"},
                      {"world", preset("sim"), "sim; or live, for the trace of a scenario"},
                      {"redis", kText, "live: use the Redis at host:port (or LOCKLAB_REDIS)"}},
                     1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty())
        throw UsageError("which trace? right would be: locklab replay FILE");
    const WorldKind world = world_option(line);
    const std::string target = line.has("history") ? line.get("history") : "";
    if (line.json() && target == "-") {
        throw UsageError("--json and --history - both want stdout; right would be --history FILE");
    }
    const Replayed run =
        replay(line.operands()[0], world, world == WorldKind::live ? redis_option(line) : "");
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
