#include "harness/play/replay.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "algorithms/registry.h"
#include "harness/core/scene.h"
#include "harness/core/usage_error.h"
#include "harness/explore/sim_run.h"
#include "harness/play/explore_trace.h"
#include "harness/play/find_replay.h"
#include "harness/play/scenario_replay.h"
#include "harness/record/files.h"
#include "harness/record/scenario_trace.h"
#include "harness/record/trace_json.h"
#include "harness/sim/latency.h"
#include "harness/view/story.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

Replayed run_again(const Trace& trace) {
    Latency::parse(trace.spec.latency);
    ReplayChoices choices(trace.picks);
    SimRun run = SimRunner(trace.spec).run_taped(choices);
    run.history.seed = trace.seed;
    run.history.run = trace.run;
    return {std::move(run.history),
            std::string(trace.spec.algorithm->name) + ", seed " + std::to_string(trace.seed) +
                ", run " + std::to_string(trace.run),
            ""};
}

Replayed play_again(const Find& find, WorldKind world, const std::string& redis,
                    const Watcher& watcher) {
    Scene scene = world == WorldKind::sim ? play_in_sim(find) : play_live(find, redis, watcher);
    std::string picture = to_text(make_timeline(scene));
    return {std::move(scene.history), std::string(find.algorithm->name) + ", a find",
            std::move(picture)};
}

}  // namespace

Replayed replay(const std::string& file, WorldKind world, const std::string& redis,
                const Watcher& watcher) {
    try {
        const std::string text = text_of_trace(file);
        if (is_scenario_trace(text)) {
            const ScenarioTrace trace = read_scenario_trace(text, file);
            Scene scene = replay_scenario(trace, file, world, redis, watcher);
            std::string picture = to_text(make_timeline(scene));
            return {std::move(scene.history), trace.scenario + ", " + trace.algorithm,
                    std::move(picture)};
        }
        if (is_find_trace(text)) return play_again(read_find(text, file), world, redis, watcher);
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

std::string picture_of(const Replayed& run, const Judgement& judgement) {
    if (!run.picture.empty()) return run.picture;
    const std::optional<Scene> story = story_of(run.history, judgement);
    return story ? to_text(make_timeline(*story)) : "";
}

}  // namespace locklab
