// Every lock on the stage under random schedules: whatever order moves come in, and whatever
// befalls clients and Redis between them, every client comes to its end, and the checkers catch
// no_lock and never accuse perfect_lock.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/core/random_choices.h"
#include "harness/stage/sim_world.h"
#include "harness/stage/stage.h"

namespace locklab::stage_random_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kSeeds = 10;
#else
constexpr std::uint64_t kSeeds = 100;
#endif
constexpr int kMoves = 600;
constexpr int kMostMoves = 100'000;  ///< until all have gone home
constexpr std::uint32_t kClients = 3;

/// Five commands of 32 meet with one of five faults each.
class RandomFaults final : public CommandFaults {
public:
    RandomFaults(RandomChoices& choices, bool calm) : choices_(choices), calm_(calm) {}
    CommandFault on_send(const Wait& wait) override {
        if (calm_ || wait.node == kOracle) return CommandFault::none;
        const std::uint32_t pick = choices_.pick(ChoiceKind::fault, 32);
        return pick < 5 ? static_cast<CommandFault>(pick + 1) : CommandFault::none;
    }

private:
    RandomChoices& choices_;
    bool calm_;
};

StageConfig config_for(const Algorithm& algorithm) {
    StageConfig config;
    config.algorithm = &algorithm;
    config.options = algorithm.defaults;
    config.clients = kClients;
    for (std::uint32_t i = 0; i < kClients; ++i) {
        StageClient client;
        client.workload.job = {milliseconds(10), milliseconds(10)};
        client.workload.think = {milliseconds(10), milliseconds(10)};
        client.workload.wait = {WaitPolicy::Kind::fixed, milliseconds(10)};
        config.roles.push_back(client);
    }
    return config;
}

/// One run, from its seed alone.
class RandomRun {
public:
    RandomRun(const Algorithm& algorithm, std::uint64_t seed, bool calm)
        : choices_(seed), faults_(choices_, calm), calm_(calm) {
        stage_.emplace(config_for(algorithm), client_, faults_);
    }

    History play() {
        for (std::uint32_t i = 0; i < kClients; ++i) stage_->start(ClientId{i});
        for (int i = 0; i < kMoves; ++i) {
            if (!calm_) befall();
            move();
        }
        end();
        return stage_->take_scene(seconds(600)).history;
    }

private:
    std::uint32_t pick(std::uint32_t count) { return choices_.pick(ChoiceKind::fault, count); }

    /// Now and then something befalls a client or Redis.
    void befall() {
        const ClientId client{pick(kClients)};
        const Duration time = milliseconds(1 + pick(20'000));
        switch (pick(400)) {
            case 0: return stage_->evict();
            case 1: return stage_->restart();
            case 2: return stage_->restore(time);
            case 3: return stage_->jump_server_clock(time);
            case 4: return stage_->jump_clock(client, -time);
            case 5: return stage_->pass_until(stage_->time() + time);
            case 6:
                // One client always lives.
                if (client.value != 0 && !stage_->progress(client).gone) stage_->crash(client);
                return;
            case 7:
            case 8:
            case 9:
                halted_[client.value] ? stage_->resume(client) : stage_->pause(client);
                halted_[client.value] = !halted_[client.value];
                return;
            default: return;
        }
    }

    /// One of the moves that can be made; where there is none, time passes until there is.
    bool move() {
        if (!stage_->moves().empty()) {
            stage_->step(choices_);
            return true;
        }
        const auto due = stage_->next_due([](const Wait&) { return true; });
        if (due) stage_->pass_until(*due);
        return due.has_value();
    }

    void end() {
        for (std::uint32_t i = 0; i < kClients; ++i) {
            if (halted_[i]) stage_->resume(ClientId{i});
        }
        stage_->close();
        int moves = 0;
        while (moves < kMostMoves && move()) ++moves;
        EXPECT_LT(moves, kMostMoves);
        for (std::uint32_t i = 0; i < kClients; ++i) {
            EXPECT_TRUE(stage_->progress(ClientId{i}).gone) << "client " << i;
        }
    }

    RandomChoices choices_;
    RandomFaults faults_;
    bool calm_;
    SimWorld client_;
    std::optional<Stage> stage_;
    std::array<bool, kClients> halted_{};
};

Judgement judged(const Algorithm& algorithm, std::uint64_t seed, bool calm) {
    return judge(RandomRun(algorithm, seed, calm).play());
}

TEST(StageRandom, every_lock_is_played_to_an_end) {
    for (const Algorithm& algorithm : algorithms()) {
        SCOPED_TRACE(algorithm.name);
        std::uint64_t grants = 0;
        for (std::uint64_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
            SCOPED_TRACE(seed);
            grants += judged(algorithm, seed, false).grants;
        }
        EXPECT_GE(grants, 3 * kSeeds);
    }
}

TEST(StageRandom, the_checkers_catch_no_lock_and_never_accuse_perfect_lock) {
    const Algorithm& none = *algorithm_named("no_lock");
    const Algorithm& perfect = *algorithm_named("perfect_lock");
    for (const bool calm : {true, false}) {
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            EXPECT_EQ(judged(none, seed, calm).verdict, Verdict::violated) << "seed " << seed;
            EXPECT_EQ(judged(perfect, seed, calm).verdict, Verdict::holds) << "seed " << seed;
        }
    }
}

TEST(StageRandom, the_same_seed_plays_the_same) {
    const Algorithm& algorithm = *algorithm_named("watchdog_owned");
    const History first = RandomRun(algorithm, 7, false).play();
    const History second = RandomRun(algorithm, 7, false).play();
    ASSERT_EQ(first.events.size(), second.events.size());
    for (std::size_t i = 0; i < first.events.size(); ++i) {
        EXPECT_EQ(first.events[i].at, second.events[i].at) << i;
        EXPECT_EQ(first.events[i].client, second.events[i].client) << i;
        EXPECT_EQ(first.events[i].detail.index(), second.events[i].detail.index()) << i;
    }
}

}  // namespace
}  // namespace locklab::stage_random_test
