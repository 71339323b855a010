// Locks that several may have at once: who is one too many, and why.

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "harness/check/outcome.h"
#include "tests/check/story.h"

namespace locklab::shared_test {
namespace {

/// Of a lock with so many permits, whose grants carry a lease of 100 ms.
class SharedStory : public Story {
public:
    explicit SharedStory(Permits permits, std::string world = "sim")
        : Story(std::move(world)), permits_(permits) {}

    SharedStory& shares(std::uint32_t c) { return enters(c, Mode::shared); }
    SharedStory& alone(std::uint32_t c) { return enters(c, Mode::alone); }
    SharedStory& leaves(std::uint32_t c) {
        leaving(c);
        return *this;
    }
    SharedStory& later(std::int64_t t) {
        at(t);
        return *this;
    }
    SharedStory& strikes(Hazard hazard) {
        fault(0, hazard);
        return *this;
    }
    History end() {
        History history = Story::end();
        history.permits = permits_;
        return history;
    }
    Judgement judged() { return judge(end()); }

private:
    SharedStory& enters(std::uint32_t c, Mode mode) {
        wants(c);
        note(c, Phase::inside,
             event::Granted{++grants_, Token{}, std::chrono::milliseconds(100), 0, mode});
        return *this;
    }

    Permits permits_;
    std::uint64_t grants_ = 0;
};

Cause only_cause(const Judgement& judgement) {
    EXPECT_EQ(judgement.violations.size(), 1U);
    return judgement.violations.empty() ? Cause::unexplained : judgement.violations[0].cause;
}

TEST(Shared, as_many_as_the_permits_may_be_inside) {
    EXPECT_EQ(SharedStory(2).shares(0).shares(1).judged().verdict, Verdict::holds);
    EXPECT_EQ(SharedStory(2).shares(0).shares(1).leaves(0).shares(2).judged().verdict,
              Verdict::holds);
    EXPECT_EQ(SharedStory(kAnyNumber).shares(0).shares(1).shares(2).judged().verdict,
              Verdict::holds);
}

TEST(Shared, one_more_is_one_too_many_and_paired_with_who_is_inside_longest) {
    const Judgement judgement = SharedStory(2).shares(1).shares(0).shares(2).judged();
    EXPECT_EQ(judgement.verdict, Verdict::violated);
    EXPECT_EQ(judgement.overlaps, 1U);
    ASSERT_EQ(judgement.violations.size(), 1U);
    EXPECT_EQ(judgement.violations[0].grant, 3U);
    EXPECT_EQ(judgement.violations[0].other, 1U);
    EXPECT_EQ(judgement.violations[0].sharing, 3U);
}

TEST(Shared, each_that_is_too_many_counts_once) {
    EXPECT_EQ(SharedStory(2).shares(0).shares(1).shares(2).shares(3).judged().overlaps, 2U);
}

TEST(Shared, who_wants_it_alone_is_alone) {
    EXPECT_EQ(SharedStory(kAnyNumber).shares(0).alone(1).judged().overlaps, 1U);
    EXPECT_EQ(SharedStory(kAnyNumber).alone(0).shares(1).judged().overlaps, 1U);
    EXPECT_EQ(SharedStory(kAnyNumber).alone(0).alone(1).judged().overlaps, 1U);
    EXPECT_EQ(SharedStory(kAnyNumber).shares(0).shares(1).alone(2).judged().overlaps, 2U);
    EXPECT_EQ(SharedStory(kAnyNumber).alone(0).leaves(0).shares(1).judged().overlaps, 0U);
}

TEST(Shared, nobody_shares_a_mutex) {
    EXPECT_EQ(SharedStory(1).shares(0).shares(1).judged().verdict, Verdict::violated);
}

/// Elsewhere lines of one instant have no order.
TEST(Shared, stays_that_only_touch_do_not_meet_in_anothers_history) {
    EXPECT_EQ(SharedStory(2, "").shares(0).shares(1).later(9).shares(2).leaves(0).judged().overlaps,
              0U);
    EXPECT_EQ(SharedStory(2).shares(0).shares(1).later(9).shares(2).leaves(0).judged().overlaps,
              1U);
}

TEST(Shared, the_cause_is_told_by_leases_and_faults) {
    const auto late = [] { return SharedStory(2).shares(0).shares(1); };
    EXPECT_EQ(only_cause(late().later(50).shares(2).judged()), Cause::miscounted);
    EXPECT_EQ(only_cause(late().later(100).shares(2).judged()), Cause::expired_while_held);
    EXPECT_EQ(only_cause(late().strikes(Hazard::restart).later(50).shares(2).judged()),
              Cause::lost_data);
    EXPECT_EQ(only_cause(late().strikes(Hazard::evict).later(50).shares(2).judged()),
              Cause::lost_data);
    EXPECT_EQ(only_cause(late().strikes(Hazard::failover).later(50).shares(2).judged()),
              Cause::failover);
    EXPECT_EQ(only_cause(late().strikes(Hazard::clock_jump).later(50).shares(2).judged()),
              Cause::clock);
    EXPECT_EQ(only_cause(late().later(50).shares(2).strikes(Hazard::restart).judged()),
              Cause::miscounted)
        << "what strikes afterwards is no cause";
    SharedStory before(2);
    before.strikes(Hazard::restart).later(1).shares(0).shares(1).later(50).shares(2);
    EXPECT_EQ(only_cause(before.judged()), Cause::miscounted);
}

TEST(Shared, a_lease_that_is_renewed_tells_nothing) {
    SharedStory renewed(2);
    renewed.tells_within(30);
    EXPECT_EQ(only_cause(renewed.shares(0).shares(1).later(200).shares(2).judged()),
              Cause::unexplained);
}

/// B counts down a key that A counted up: nobody's key is touched.
TEST(Shared, nobody_has_the_key) {
    SharedStory story(2);
    story.sets(0, "1", 100);
    story.shares(0).shares(1).deletes(1);
    const Outcome outcome = outcome_of(story.end(), std::chrono::milliseconds(100));
    EXPECT_TRUE(is_harmless(outcome));
}

TEST(Shared, tokens_of_those_who_share_have_no_order) {
    const auto fenced = [](Mode mode) {
        Story story;
        story.wants(0);
        story.note(0, Phase::inside, event::Granted{1, Token{}, Duration(0), 5, mode});
        story.leaving(0).released(0).wants(1);
        story.note(1, Phase::inside, event::Granted{2, Token{}, Duration(0), 5, mode});
        History history = story.end();
        history.permits = kAnyNumber;
        return judge(history).fence_inversions;
    };
    EXPECT_EQ(fenced(Mode::shared), 0U);
    EXPECT_EQ(fenced(Mode::alone), 1U);
}

}  // namespace
}  // namespace locklab::shared_test
