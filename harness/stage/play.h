// One scenario, played with one lock in one world.
#pragma once

#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/core/lock.h"
#include "harness/core/scene.h"
#include "harness/live/endpoint.h"
#include "harness/stage/script.h"

namespace locklab {

struct Play {
    Scene scene;
    Outcome observed;
    Judgement judgement;
    /// Sentences about lines that asked for what this lock never does.
    std::vector<std::string> passed_over;
    /// Live: this process was late by more than the script's times allow...
    bool late = false;
    /// ...or the server did something wrong, and the outcome is not the simulator's; or the
    /// simulator's model of Redis does not know what the lock wants of it: nothing was shown...
    bool disturbed = false;
    /// ...and this is why: half a sentence, without a full stop.
    std::string why_disturbed;
};

/// What the file expects of this lock; null where it says nothing.
const Expectation* expectation_of(const Scenario& scenario, std::string_view algorithm);

/// Throws std::runtime_error with one sentence for a play that has no end.
Play play_in_sim(const Scenario& scenario, const Algorithm& algorithm);

/// The same on a real Redis, with every time of the scenario scaled so that its TTL is `ttl`, and
/// a lock whose key begins with `key`. A play that came out otherwise than `in_sim` while the
/// machine was late is played again, some times at most. A scenario that restarts the server starts
/// one of its own. Throws std::runtime_error with one sentence if there is none to start, and as
/// play_in_sim().
Play play_live(const Scenario& scenario, const Algorithm& algorithm, const Endpoint& endpoint,
               Duration ttl, const Key& key, const Outcome& in_sim);

/// Whether the script restarts a server, or needs several: only private ones will do.
bool needs_own_servers(const Scenario& scenario);

}  // namespace locklab
