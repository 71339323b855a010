// The worker of a driver process, fed with what a driver may say.

#include "harness/foreign/driver_worker.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/foreign/team.h"

namespace locklab::driver_worker_test {
namespace {

using Heard = DriverWorker::Heard;
using Outcome = DriverWorker::Outcome;

class DriverWorkerTest : public ::testing::Test {
protected:
    void terms(const DriverWorker::Terms& terms) {
        worker_ = DriverWorker(ClientId{1}, terms, story_);
    }
    /// What it gives next is sent, and this is answered.
    Outcome on(const DriverWorker::Request& request, DriverAnswer answer) {
        answer.id = ++sent_;
        answer.op = request.op;
        worker_.asked(sent_);
        EXPECT_EQ(worker_.hear(answer), Heard::answer);
        return worker_.take(answer);
    }
    Outcome next(const DriverAnswer& answer) { return on(worker_.next(), answer); }
    static DriverAnswer yes() {
        DriverAnswer answer;
        answer.yes = true;
        return answer;
    }
    static DriverAnswer no() {
        DriverAnswer answer;
        answer.yes = false;
        return answer;
    }
    static DriverAnswer error(bool definite) {
        DriverAnswer answer;
        answer.error = "oh no";
        answer.definite = definite;
        return answer;
    }
    /// One word for each event.
    std::string told() {
        std::string words;
        for (const Event& event : story_.finish().events) words += word(event) + " ";
        return words;
    }
    static std::string word(const Event& event) {
        if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
            return "granted:" + std::to_string(granted->fence);
        }
        if (const auto* refused = std::get_if<event::Refused>(&event.detail)) {
            return refused->unsure ? "unsure" : "refused";
        }
        if (std::holds_alternative<event::Wants>(event.detail)) return "wants";
        if (std::holds_alternative<event::Failed>(event.detail)) return "failed";
        if (std::holds_alternative<event::Lost>(event.detail)) return "lost";
        if (std::holds_alternative<event::Leaving>(event.detail)) return "leaving";
        if (std::holds_alternative<event::Released>(event.detail)) return "released";
        if (std::holds_alternative<event::Finished>(event.detail)) return "finished";
        return "other";
    }

    RunStory story_{HistoryHead{}, RunStory::Clock::time_point(),
                    [] { return RunStory::Clock::time_point(); }};
    DriverWorker worker_{ClientId{1}, {}, story_};
    std::uint64_t sent_ = 0;
};

TEST_F(DriverWorkerTest, wants_tries_works_and_releases) {
    terms({.wait = std::chrono::milliseconds(30)});
    const DriverWorker::Request first = worker_.next();
    EXPECT_EQ(first.op, DriverOp::acquire);
    EXPECT_EQ(first.more["wait_ms"], 30);
    EXPECT_TRUE(worker_.is_asked_to_send());
    EXPECT_EQ(on(first, no()), Outcome::refused);
    EXPECT_EQ(worker_.tries(), 1U);
    EXPECT_EQ(next(yes()), Outcome::granted);
    const DriverWorker::Request step = worker_.next();
    EXPECT_EQ(step.op, DriverOp::step);
    EXPECT_FALSE(worker_.is_asked_to_send());
    EXPECT_EQ(on(step, yes()), Outcome::inside);
    EXPECT_EQ(on(worker_.leave(), yes()), Outcome::released);
    EXPECT_EQ(worker_.round(), 1U);
    worker_.finish();
    EXPECT_EQ(told(), "wants refused granted:0 leaving released finished ");
}

TEST_F(DriverWorkerTest, a_definite_error_is_no_refusal) {
    EXPECT_EQ(next(error(true)), Outcome::refused);
    EXPECT_FALSE(worker_.is_unsure());
    EXPECT_EQ(next(error(false)), Outcome::refused);
    EXPECT_TRUE(worker_.is_unsure());
    EXPECT_EQ(worker_.first_error(), "oh no");
    EXPECT_EQ(told(), "wants failed unsure ");
}

TEST_F(DriverWorkerTest, releases_what_it_was_told_to_have_lost) {
    next(yes());
    EXPECT_EQ(worker_.hear(DriverEvent{DriverEvent::Kind::lost, ""}), Heard::lost);
    EXPECT_EQ(worker_.hear(DriverEvent{DriverEvent::Kind::lost, ""}), Heard::nothing);
    EXPECT_FALSE(story_.is_inside(ClientId{1}));
    EXPECT_EQ(worker_.next().op, DriverOp::release);
    EXPECT_EQ(worker_.hear(DriverEvent{DriverEvent::Kind::lost, ""}), Heard::nothing);
}

TEST_F(DriverWorkerTest, extends_by_hand_after_half_of_what_is_valid) {
    using std::chrono::milliseconds;
    next(yes());
    EXPECT_FALSE(worker_.extends_after());
    on(worker_.leave(), yes());
    terms({.extended = milliseconds(200)});
    next(yes());
    EXPECT_EQ(worker_.extends_after(), milliseconds(100));
    DriverAnswer extended = yes();
    extended.valid = milliseconds(60);
    const DriverWorker::Request extend = worker_.extend();
    EXPECT_EQ(extend.op, DriverOp::extend);
    EXPECT_TRUE(worker_.is_asked_to_send());
    EXPECT_EQ(worker_.phase_of_command(), Phase::background);
    EXPECT_EQ(on(extend, extended), Outcome::extended);
    EXPECT_EQ(worker_.phase_of_command(), Phase::inside);
    EXPECT_EQ(worker_.extends_after(), milliseconds(30));
    extended.valid = milliseconds(-60);
    EXPECT_EQ(on(worker_.extend(), extended), Outcome::extended);
    EXPECT_EQ(worker_.extends_after(), milliseconds(0));
    EXPECT_EQ(on(worker_.extend(), yes()), Outcome::extended);
    EXPECT_EQ(worker_.extends_after(), milliseconds(100));
    EXPECT_TRUE(story_.is_inside(ClientId{1}));
}

TEST_F(DriverWorkerTest, an_extension_that_is_refused_tells_of_the_loss) {
    terms({.extended = std::chrono::milliseconds(200)});
    next(yes());
    EXPECT_EQ(on(worker_.extend(), no()), Outcome::outside);
    EXPECT_TRUE(worker_.is_lost());
    EXPECT_FALSE(story_.is_inside(ClientId{1}));
    EXPECT_EQ(worker_.next().op, DriverOp::release);
    EXPECT_EQ(told(), "wants granted:0 lost ");
}

/// Its library told it of the loss while it was about to extend.
TEST_F(DriverWorkerTest, an_extension_after_its_loss_is_none) {
    terms({.extended = std::chrono::milliseconds(200)});
    next(yes());
    const DriverWorker::Request extend = worker_.extend();
    worker_.hear(DriverEvent{DriverEvent::Kind::lost, ""});
    EXPECT_EQ(on(extend, yes()), Outcome::outside);
    EXPECT_EQ(worker_.next().op, DriverOp::release);
}

TEST_F(DriverWorkerTest, who_cannot_extend_leaves_and_was_told_of_no_loss) {
    terms({.extended = std::chrono::milliseconds(200)});
    next(yes());
    EXPECT_EQ(on(worker_.extend(), error(false)), Outcome::outside);
    EXPECT_FALSE(worker_.is_lost());
    EXPECT_TRUE(worker_.is_out());
    EXPECT_EQ(next(yes()), Outcome::released);
    EXPECT_EQ(next(yes()), Outcome::granted);
    EXPECT_FALSE(worker_.is_out());
    EXPECT_EQ(told(), "wants granted:0 leaving released wants granted:0 leaving ");
}

/// The line came while its step was under way.
TEST_F(DriverWorkerTest, a_step_after_its_loss_is_none) {
    next(yes());
    const DriverWorker::Request step = worker_.next();
    worker_.hear(DriverEvent{DriverEvent::Kind::lost, ""});
    EXPECT_EQ(on(step, yes()), Outcome::outside);
    EXPECT_TRUE(story_.seen_inside().empty());
    EXPECT_EQ(worker_.next().op, DriverOp::release);
}

TEST_F(DriverWorkerTest, a_step_that_fails_or_says_that_it_is_lost_ends_the_stay) {
    next(yes());
    EXPECT_EQ(next(error(true)), Outcome::outside);
    EXPECT_TRUE(worker_.is_lost());
    EXPECT_EQ(next(yes()), Outcome::released);
    next(yes());
    EXPECT_FALSE(worker_.is_lost());
    DriverAnswer lost = yes();
    lost.lost = true;
    EXPECT_EQ(next(lost), Outcome::outside);
}

TEST_F(DriverWorkerTest, fencing_tokens_are_those_of_a_lock_that_fences) {
    DriverAnswer granted = yes();
    granted.fence = 7;
    next(granted);
    EXPECT_EQ(worker_.fence(), 0U);
    terms({.fences = true});
    next(granted);
    EXPECT_EQ(worker_.fence(), 7U);
    EXPECT_EQ(told(), "wants granted:0 leaving wants granted:7 leaving ");
}

TEST_F(DriverWorkerTest, who_always_releases_does_so_though_it_was_refused) {
    terms({.always_releases = true});
    EXPECT_EQ(next(no()), Outcome::releases);
    const DriverWorker::Request in_vain = worker_.next();
    EXPECT_EQ(in_vain.op, DriverOp::release);
    EXPECT_EQ(on(in_vain, yes()), Outcome::refused);
    EXPECT_EQ(next(yes()), Outcome::granted);
    EXPECT_EQ(told(), "wants refused granted:0 leaving ");
}

TEST_F(DriverWorkerTest, hears_complaints_and_takes_only_what_it_asked_for) {
    EXPECT_EQ(worker_.hear(DriverEvent{DriverEvent::Kind::unhandled, "a promise"}),
              Heard::complaint);
    EXPECT_EQ(worker_.complaints(), 1U);
    EXPECT_EQ(worker_.first_error(), "a promise");
    worker_.next();
    worker_.asked(5);
    DriverAnswer others = yes();
    others.id = 4;
    EXPECT_EQ(worker_.hear(others), Heard::nothing);
    EXPECT_TRUE(worker_.is_asked());
    EXPECT_EQ(worker_.hear(DriverSilence{}), Heard::nothing);
    EXPECT_THROW(worker_.hear(DriverFailure{"It ended."}), DriverTrouble);
}

TEST_F(DriverWorkerTest, who_crashes_inside_is_inside_no_more) {
    next(yes());
    worker_.crash();
    EXPECT_TRUE(worker_.is_dead());
    EXPECT_FALSE(story_.is_inside(ClientId{1}));
}

}  // namespace
}  // namespace locklab::driver_worker_test
