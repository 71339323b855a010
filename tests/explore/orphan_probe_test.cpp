// When a state is at rest, and how long a client that comes then waits for the lock.

#include "harness/explore/orphan_probe.h"

#include <gtest/gtest.h>

#include "harness/explore/step_text.h"
#include "tests/explore/search_bounds.h"

namespace locklab::orphan_probe_test {
namespace {

using std::chrono::milliseconds;

/// A search whose steps are made by their names.
class Played {
public:
    Played(const char* algorithm, const char* faults)
        : lock_(*algorithm_named(algorithm)), rules_(lock_, bounds_with(lock_, faults)) {
        // Whether the lock looks at its clock is known after a first run.
        state_ = rules_.initial()[0];
        play({"A wake"});
        state_ = rules_.initial()[0];
    }

    /// Fails if a step is not offered.
    void play(std::initializer_list<const char*> names) {
        for (const char* name : names) {
            std::vector<Step> steps;
            rules_.offer(state_, steps);
            const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& offered) {
                return to_string(offered).starts_with(name);
            });
            ASSERT_NE(step, steps.end()) << name;
            state_ = rules_.after(state_, *step);
        }
    }
    bool is_at_rest() const { return rules_.is_at_rest(state_); }
    const State& state() const { return state_; }
    OrphanProbe probe() { return OrphanProbe(lock_, rules_); }

private:
    const Algorithm& lock_;
    Rules rules_;
    State state_;
};

TEST(Rest, is_where_nothing_is_on_its_way) {
    Played played("set_nx_lua", "delay_request=1");
    EXPECT_TRUE(played.is_at_rest());
    played.play({"A wake"});
    EXPECT_FALSE(played.is_at_rest()) << "about to try";
    played.play({"A delay", "pass", "A time_out"});
    EXPECT_FALSE(played.is_at_rest()) << "A waits for its next try, its last one may still arrive";
    played.play({"pass", "pass", "A arrive"});
    EXPECT_TRUE(played.is_at_rest());
}

TEST(Rest, is_where_the_dead_have_nothing_on_its_way) {
    Played played("set_nx_lua", "delay_request=1,crash=1");
    played.play({"A wake", "A delay", "A crash"});
    EXPECT_FALSE(played.is_at_rest());
    played.play({"pass", "A arrive"});
    EXPECT_TRUE(played.is_at_rest());
}

TEST(OrphanProbe, who_comes_later_waits_for_less) {
    for (const char* algorithm : {"set_nx_lua", "setnx_getset_epoch"}) {
        Played played(algorithm, "crash=1");
        OrphanProbe probe = played.probe();
        EXPECT_EQ(probe.wait(played.state()), Duration::zero());
        played.play({"A wake", "A send", "A crash"});
        const auto first = probe.wait(played.state());
        ASSERT_TRUE(first.has_value());
        EXPECT_GT(*first, milliseconds(1200));
        EXPECT_LE(*first, milliseconds(1500));
        // B tries in vain, and waits for its next try.
        played.play({"B wake", "B send", "B take"});
        while (!played.is_at_rest()) played.play({"B send", "B take"});
        played.play({"pass 720"});
        EXPECT_EQ(probe.wait(played.state()), *first - milliseconds(720)) << algorithm;
    }
}

TEST(OrphanProbe, waits_for_ever_for_what_is_not_given_back) {
    Played played("perfect_lock", "crash=1");
    OrphanProbe probe = played.probe();
    EXPECT_EQ(probe.wait(played.state()), Duration::zero());
    played.play({"A wake", "A send"});
    EXPECT_FALSE(probe.wait(played.state()).has_value());
    played.play({"A crash"});
    EXPECT_EQ(probe.wait(played.state()), Duration::zero()) << "the oracle knows the dead";
}

}  // namespace
}  // namespace locklab::orphan_probe_test
