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
    using enum Step::Kind;
    const bool jumps = has(find, {server_ahead, server_back});
    const bool restores = has(find, {save, restore});
    const bool is_struck = jumps || restores || has(find, {restart});
    if (is_struck && !redis.empty()) {
        throw UsageError("the witness restarts the server or sets its clock, and " + redis +
                         " is not locklab's own; right would be to leave out --redis and " +
                         "LOCKLAB_REDIS");
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
    if (is_struck || several) {
        using enum ManagedServers::ItsClock;
        ManagedServers servers(find.bounds.topology(), jumps ? can_be_wrong : right);
        LiveWorld world(servers, restores);
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
