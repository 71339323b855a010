#include "harness/play/scenario_plays.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "algorithms/registry.h"
#include "harness/core/duration_text.h"
#include "harness/explore/outside.h"
#include "harness/live/run_keys.h"
#include "harness/live/runs_at_once.h"
#include "harness/live/server_program.h"
#include "harness/play/scenario_library.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

/// Plays under way at once, as long as none is late. They mostly wait for time to pass.
constexpr RunsAtOnce::Bounds kAtOnce{4, 24, 64};
/// How often a thread checks whether it may begin.
constexpr auto kLookAgain = std::chrono::milliseconds(20);

/// Makes plays in several threads, of which not all may play at once.
class PlayQueue {
public:
    PlayQueue(std::vector<PlayedScenario>& plays, const PlayOptions& options)
        : plays_(plays), options_(options), watcher_(options.watcher) {
        for (const PlayedScenario& played : plays) {
            why_not_in_sim_.push_back(played.play.why_disturbed);
        }
    }

    std::string play() {
        if (!options_.server->is_private()) keys_.announce(options_.server->endpoint());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < std::min(kAtOnce.most, plays_.size()); ++i) {
            threads.emplace_back([this] { work(); });
        }
        for (std::thread& thread : threads) {
            while (!watcher_.stopped() && finished_ < plays_.size() && !failed_) {
                watcher_.show(std::to_string(finished_) + " of " + std::to_string(plays_.size()) +
                              " plays");
                std::this_thread::sleep_for(kLookAgain);
            }
            thread.join();
        }
        if (!error_) play_disturbed_again();
        const std::string left = keys_.clear(options_.server->endpoint());
        if (error_) std::rethrow_exception(error_);
        return left;
    }

private:
    void work() {
        for (;;) {
            if (next_ >= plays_.size() || watcher_.stopped()) return;
            if (!at_once_.begin()) {
                std::this_thread::sleep_for(kLookAgain);
                continue;
            }
            const bool more = play_next();
            at_once_.ended();
            if (!more) return;
        }
    }

    /// Repeats the plays that this machine disturbed, one at a time.
    void play_disturbed_again() {
        for (PlayedScenario& played : plays_) {
            if (watcher_.stopped()) return;
            const bool again = played.done && played.play.disturbed && played.play.late &&
                               !played.play.judgement.shows_nothing;
            if (!again || !why_not_in_sim(played).empty()) continue;
            played.play.why_disturbed.clear();
            play_one(played);
        }
    }

    /// Why a play cannot be compared with the simulator; empty: it can.
    std::string why_not_in_sim(const PlayedScenario& played) const {
        return why_not_in_sim_[static_cast<std::size_t>(&played - plays_.data())];
    }

    /// False: no play is left, or one failed.
    bool play_next() {
        const std::size_t i = next_++;
        if (i >= plays_.size()) return false;
        try {
            play_one(plays_[i]);
        } catch (...) {
            const std::lock_guard guard(mutex_);
            error_ = std::current_exception();
            failed_ = true;
            next_ = plays_.size();
            return false;
        }
        // Late plays reduce the load: a play counts as late long before lateness can change its
        // outcome.
        if (plays_[i].play.late) at_once_.was_late();
        ++finished_;
        return true;
    }

    void play_one(PlayedScenario& played) {
        const Key key = [&] {
            const std::lock_guard guard(mutex_);
            return keys_.fresh_key();
        }();
        const std::string why = why_not_in_sim(played);
        played.play = play_live(*played.scenario, *played.algorithm, options_.server->endpoint(),
                                options_.ttl, key, played.in_sim);
        if (!why.empty()) {
            played.play.disturbed = true;
            played.play.why_disturbed = why;
        }
        played.done = true;
    }

    std::vector<PlayedScenario>& plays_;
    const PlayOptions& options_;
    const Watcher& watcher_;
    std::vector<std::string> why_not_in_sim_;  ///< by play
    RunKeys keys_;
    RunsAtOnce at_once_{kAtOnce};
    std::mutex mutex_;
    std::exception_ptr error_;  ///< guarded by mutex_ until the threads are joined
    std::atomic<bool> failed_{false};
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> finished_{0};
};

}  // namespace

bool PlayedScenario::ok() const {
    if (!has_verdict() || !agrees()) return false;
    return expected == nullptr || play.observed == expected->outcome;
}

std::string PlayedScenario::replay() const {
    return typed_program() + " scenario " + operand_of(*scenario) + " --algorithm " +
           std::string(algorithm->name) + (world == WorldKind::live ? " --world live" : "") +
           live_options;
}

std::string live_options(Duration ttl, const std::string& redis) {
    std::string options;
    if (ttl != kScenarioTtl) options += " --ttl " + to_string(ttl);
    if (!redis.empty()) options += " --redis " + in_shell(redis);
    options += server_option();
    return options;
}

std::vector<PlayedScenario> plays_of(const std::vector<Scenario>& scenarios,
                                     const std::vector<const Algorithm*>& algorithms) {
    std::vector<PlayedScenario> plays;
    for (const Scenario& scenario : scenarios) {
        for (const Algorithm* algorithm : algorithms) {
            PlayedScenario& play = plays.emplace_back();
            play.scenario = &scenario;
            play.algorithm = algorithm;
            play.expected = expectation_of(scenario, algorithm->name);
        }
    }
    return plays;
}

std::vector<PlayedScenario> expected_plays(const std::vector<Scenario>& scenarios) {
    std::vector<PlayedScenario> plays;
    for (const Scenario& scenario : scenarios) {
        for (const Expectation& expected : scenario.expectations) {
            PlayedScenario& play = plays.emplace_back();
            play.scenario = &scenario;
            play.algorithm = algorithm_named(expected.algorithm);
            play.expected = &expected;
        }
    }
    return plays;
}

std::string play_all(std::vector<PlayedScenario>& plays, const PlayOptions& options) {
    for (PlayedScenario& played : plays) {
        played.world = options.world;
        if (options.world == WorldKind::live) played.live_options = options.live_options;
    }
    // Checked before any play, while nothing is kept yet.
    std::map<std::string_view, std::string> kept_outside;
    for (const PlayedScenario& played : plays) {
        const auto [kept, fresh] = kept_outside.try_emplace(played.algorithm->name);
        if (fresh) kept->second = keeps_outside(*played.algorithm);
    }
    for (PlayedScenario& played : plays) {
        if (options.watcher.stopped()) return "";
        Play in_sim = play_in_sim(*played.scenario, *played.algorithm);
        if (const std::string& why = kept_outside[played.algorithm->name]; !why.empty()) {
            in_sim.disturbed = true;
            in_sim.why_disturbed = why;
        }
        played.in_sim = in_sim.observed;
        if (options.world == WorldKind::live) {
            // What a real server shows counts even without a comparison.
            if (!kept_outside[played.algorithm->name].empty()) {
                played.play.why_disturbed = in_sim.why_disturbed;
            } else if (in_sim.judgement.shows_nothing) {
                played.not_in_sim = in_sim.judgement.why_unknown;
            }
            continue;
        }
        played.play = std::move(in_sim);
        played.done = true;
    }
    if (options.world == WorldKind::sim) return "";
    return PlayQueue(plays, options).play();
}

}  // namespace locklab
