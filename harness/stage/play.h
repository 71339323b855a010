// Plays one scenario with one lock in one world.
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
    /// Sentences about lines that asked for something that this lock never does.
    std::vector<std::string> passed_over;
    /// Live: this process was late by more than the script's times allow.
    bool late = false;
    /// Nothing was shown: it was late, or the server failed, and the outcome is not the
    /// simulator's; or the model of Redis lacks something that the lock needs.
    bool disturbed = false;
    /// Why it was disturbed: half a sentence, without a full stop.
    std::string why_disturbed;
};

/// The file's expectation for this lock; null: there is none.
const Expectation* expectation_of(const Scenario& scenario, std::string_view algorithm);

/// Throws std::runtime_error with one sentence for a play that does not end.
Play play_in_sim(const Scenario& scenario, const Algorithm& algorithm);

/// The same on a real Redis, with every time of the scenario scaled so that its TTL is `ttl`, and a
/// lock whose key begins with `key`. If the outcome differs from `in_sim` and the play was
/// disturbed, it is repeated, a few times at most. A scenario that restarts the server starts one
/// of its own. Throws std::runtime_error with one sentence if no server can be started, and as
/// play_in_sim().
Play play_live(const Scenario& scenario, const Algorithm& algorithm, const Endpoint& endpoint,
               Duration ttl, const Key& key, const Outcome& in_sim);

/// Whether the script restarts a server, or needs several: then servers must be private.
bool needs_own_servers(const Scenario& scenario);

}  // namespace locklab
