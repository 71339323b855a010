// The rules of a cluster and the tables of a search are two forms of one thing. Random walks are
// taken in both, step by step, with every fault: each step that one form offers, the other offers,
// and both say the same of where it leads.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "harness/core/random_choices.h"
#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"
#include "tests/algorithms/by_digest.h"
#include "tests/core/places.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/search_bounds.h"

namespace locklab::two_forms_test {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kBounds = 5;
#else
const std::uint64_t kBounds = is_night() ? 40 : 8;
#endif
/// Within each of the bounds.
constexpr std::uint64_t kWalks = 20;

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

/// Both, sorted. Whether a reply that is taken begins a job, a run knows only afterwards.
Texts texts_of(const std::vector<Step>& steps, const std::vector<Step>& without) {
    Texts texts;
    for (const Step& step : steps) {
        const bool is_known = std::find(without.begin(), without.end(), step) != without.end();
        if (!step.slow || is_known) texts.push_back(to_string(step));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::string joined(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
}

class TwoForms {
public:
    TwoForms(const Algorithm& algorithm, const Bounds& bounds)
        : algorithm_(algorithm), bounds_(bounds), rules_(algorithm, bounds) {}

    /// The first difference, after the steps that lead there; empty: none.
    std::string walk(std::uint64_t seed) {
        for (;;) {
            const Rules::Lesson before = rules_.lesson();
            const std::string found = try_walk(seed);
            if (rules_.lesson() == before) return found;
            rules_.begin_anew();
        }
    }
    const Coverage& coverage() const { return coverage_; }
    /// A background task that outlives its client's work is not followed: the search says so.
    bool is_followed() const { return !rules_.clients().has_ghosts(); }

private:
    std::string try_walk(std::uint64_t seed) {
        RandomChoices random(seed);
        const std::vector<State>& starts = rules_.initial();
        State state = starts[pick(random, starts.size())];
        PlainRun run(algorithm_, bounds_, scripts_, path_from(rules_, state).clocks);
        Texts made;
        std::vector<Step> offered;
        while (!rules_.is_violated(state)) {
            if (!is_followed()) break;
            rules_.offer(state, offered);
            const Texts tables = texts_of(offered, offered);
            const Texts cluster = texts_of(run.offered(), offered);
            if (tables != cluster) {
                return joined(made) + ": the tables offer " + joined(tables) +
                       "; the cluster offers " + joined(cluster);
            }
            if (offered.empty()) break;
            const Step step = offered[pick(random, offered.size())];
            made.push_back(to_string(step));
            state = rules_.after(state, step);
            const bool is_one = run.make(step);
            if (is_one && rules_.is_violated(state) == run.is_violated()) continue;
            return joined(made) + ": only one form calls it a step, or a violation";
        }
        coverage_.add(run.coverage());
        return "";
    }

    static std::size_t pick(RandomChoices& random, std::size_t count) {
        return random.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(count));
    }

    const Algorithm& algorithm_;
    const Bounds bounds_;
    Rules rules_;
    ScriptEngine scripts_;
    Coverage coverage_;
};

/// Two clients or three, and a few faults out of all there are.
Bounds swarm(const Algorithm& algorithm, RandomChoices& random) {
    Bounds bounds = bounds_for(algorithm);
    bounds.outage = bounds.options.ttl / 10;
    bounds.symmetry = false;
    bounds.clients = 2 + random.pick(ChoiceKind::workload, 2);
    bounds.rounds = 1 + random.pick(ChoiceKind::workload, 2);
    bounds.attempts = 2;
    bounds.leaves = random.pick(ChoiceKind::workload, 2);
    bounds.takes_again = algorithm.reentrant && random.pick(ChoiceKind::workload, 2) == 0;
    bounds.any_length = random.pick(ChoiceKind::workload, 4) != 0;
    for (int i = 0; i < 3; ++i) {
        const HazardRow& row =
            kSimulatedHazards[random.pick(ChoiceKind::fault, kSimulatedHazards.size())];
        if (applies(algorithm, row.hazard)) ++bounds.faults[row.hazard];
    }
    bounds.faults[Hazard::contention] = 0;
    std::uint32_t& failovers = bounds.faults[Hazard::failover];
    failovers = std::min(failovers, most_of(Hazard::failover));
    // These are not searched at once.
    if (failovers > 0) bounds.faults[Hazard::server_clock_jump] = 0;
    return bounds;
}

/// Of these the search says that it does not know, as soon as they tell the server a time of day,
/// or ask.
constexpr std::array<std::string_view, 5> kNotSearched{"set_until", "expires_by_own_clock",
                                                       "deadline_of_server", "microseconds_added",
                                                       "expires_at_instant"};

std::vector<const Algorithm*> all_locks() {
    std::vector<const Algorithm*> all;
    for (const Algorithm* lock : every_algorithm()) all.push_back(lock);
    for (const Algorithm& lock : locks_by_digest()) all.push_back(&lock);
    for (const corpus::Entry& entry : corpus::entries()) all.push_back(&entry.algorithm);
    return all;
}

class TwoFormsTest : public testing::TestWithParam<const Algorithm*> {};

TEST_P(TwoFormsTest, offer_the_same_steps) {
    RandomChoices random(1);
    const Algorithm& lock = *GetParam();
    std::uint64_t walked = 0;
    bool is_followed = true;
    for (std::uint64_t i = 0; i < kBounds; ++i) {
        TwoForms both(lock, swarm(lock, random));
        try {
            for (std::uint64_t seed = 0; seed < kWalks; ++seed) {
                ASSERT_EQ(both.walk(seed), "");
                if (both.is_followed()) ++walked;
            }
        } catch (const std::length_error& why) {
            RecordProperty("not_searched", why.what());
        }
        is_followed = is_followed && both.is_followed();
    }
    const bool is_searched =
        std::find(kNotSearched.begin(), kNotSearched.end(), lock.name) == kNotSearched.end();
    if (is_searched) {
        EXPECT_GT(walked, is_followed ? kBounds * kWalks / 2 : 0);
    } else {
        EXPECT_LT(walked, kBounds * kWalks / 10);
    }
}

/// Each client has a TTL, and some a job, of its own; the search must not take one for another.
Bounds unequal(const Algorithm& algorithm, RandomChoices& random) {
    Bounds bounds = swarm(algorithm, random);
    const std::array<Duration, 4> ttls{300ms, 600ms, 2000ms, 2400ms};
    for (std::uint32_t i = 1; i < bounds.clients; ++i) {
        ClientOptions own{ClientId{i}};
        own.ttl = ttls[random.pick(ChoiceKind::workload, ttls.size())];
        if (random.pick(ChoiceKind::workload, 2) == 0) own.job = 100ms;
        own.mode = kModes[random.pick(ChoiceKind::workload, kModes.size())];
        bounds.unequal.push_back(own);
    }
    bounds.unequal = kept_by(algorithm, bounds.unequal);
    return bounds;
}

TEST_P(TwoFormsTest, offer_the_same_steps_to_unequal_clients) {
    RandomChoices random(3);
    const Algorithm& lock = *GetParam();
    for (std::uint64_t i = 0; i < kBounds / 4; ++i) {
        TwoForms both(lock, unequal(lock, random));
        try {
            for (std::uint64_t seed = 0; seed < kWalks; ++seed) ASSERT_EQ(both.walk(seed), "");
        } catch (const std::length_error& why) {
            RecordProperty("not_searched", why.what());
        }
    }
}

TEST_P(TwoFormsTest, offer_the_same_steps_where_messages_take_time) {
    RandomChoices random(4);
    const Algorithm& lock = *GetParam();
    for (std::uint64_t i = 0; i < kBounds / 4; ++i) {
        Bounds bounds = swarm(lock, random);
        bounds.latency = bounds.command_timeout / (3 + random.pick(ChoiceKind::workload, 4));
        bounds.latency -= bounds.latency % 1ms;
        TwoForms both(lock, bounds);
        try {
            for (std::uint64_t seed = 0; seed < kWalks; ++seed) ASSERT_EQ(both.walk(seed), "");
        } catch (const std::length_error& why) {
            RecordProperty("not_searched", why.what());
        }
    }
}

std::string name_of_lock(const testing::TestParamInfo<const Algorithm*>& info) {
    return std::string(info.param->name);
}
INSTANTIATE_TEST_SUITE_P(EveryLock, TwoFormsTest, testing::ValuesIn(all_locks()), name_of_lock);

TEST(TwoForms, meet_every_fault) {
    const Algorithm& lock = *algorithm_named("watchdog_owned");
    RandomChoices random(2);
    Coverage coverage;
    for (std::uint64_t i = 0; i < 10 * kBounds; ++i) {
        TwoForms both(lock, swarm(lock, random));
        try {
            for (std::uint64_t seed = 0; seed < kWalks; ++seed) ASSERT_EQ(both.walk(seed), "");
        } catch (const std::length_error&) {
            // More requests on their way than a search has room for.
        }
        coverage.add(both.coverage());
    }
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.target == FaultTarget::nobody) continue;
        EXPECT_TRUE(coverage.has_struck(row.hazard)) << row.name;
    }
}

}  // namespace
}  // namespace locklab::two_forms_test
