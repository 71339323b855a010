#include "harness/play/find_replay.h"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "harness/core/usage_error.h"
#include "harness/explore/step_text.h"
#include "harness/live/live_server.h"
#include "harness/live/run_keys.h"
#include "harness/stage/live_world.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

/// Added to each passing of time.
constexpr std::uint16_t kLongerMs = 8;

bool has(const Find& find, std::initializer_list<Step::Kind> kinds) {
    return std::any_of(find.steps.begin(), find.steps.end(), [&](const Step& step) {
        return std::find(kinds.begin(), kinds.end(), step.kind) != kinds.end();
    });
}

}  // namespace

Scene play_in_sim(const Find& find) {
    SimWorld world;
    return play_steps(find, world, Key{"lock"});
}

Scene play_live(const Find& find, const std::string& redis, const Watcher& watcher) {
    if (has(find, {Step::Kind::server_ahead, Step::Kind::server_back})) {
        throw UsageError(
            "the clock of a real Redis is the machine's, and not ours to set; right would be "
            "--world sim");
    }
    if (has(find, {Step::Kind::save, Step::Kind::restore})) {
        throw UsageError(
            "a real Redis does not come back with data of a moment that we choose; right would "
            "be --world sim");
    }
    const bool restarts = has(find, {Step::Kind::restart});
    if (restarts && !redis.empty()) {
        throw UsageError("the find restarts the server, and " + redis + " is not ours to restart");
    }
    Find slower = find;
    for (Step& step : slower.steps) {
        if (step.kind == Step::Kind::pass)
            step.ms = static_cast<std::uint16_t>(step.ms + kLongerMs);
    }
    const bool several = find.bounds.nodes() > 1;
    if (several && !redis.empty()) {
        throw UsageError("the find is of a lock on " + std::to_string(find.bounds.nodes()) +
                         " servers, and " + redis + " is one; right would be to leave out " +
                         "--redis and LOCKLAB_REDIS");
    }
    if (restarts || several) {
        const auto servers = start_servers(find.bounds.topology());
        LiveWorld world(servers);
        return play_steps(slower, world, Key{"lock"});
    }
    LiveServer server(redis, watcher);
    RunKeys keys;
    LiveWorld world(server.endpoint());
    Scene scene = play_steps(slower, world, keys.fresh_key());
    const std::string left = keys.clear(server.endpoint());
    if (!left.empty()) throw std::runtime_error(left);
    return scene;
}

}  // namespace locklab
