// Locks that count on those who wait: who comes later gets them only after another's turn. No such
// lock is stuck as long as all who were refused try on.

#include <gtest/gtest.h>

#include "harness/explore/every_schedule.h"
#include "harness/explore/exhaustive.h"
#include "harness/explore/plain_run.h"
#include "harness/explore/step_text.h"
#include "harness/explore/thresholds.h"
#include "harness/play/explore_trace.h"
#include "harness/view/timeline_text.h"
#include "tests/explore/fair_locks.h"
#include "tests/explore/proof_run.h"

namespace locklab::waiters_test {
namespace {

/// Takes a ticket, and forgets it with each try that is refused.
class ForgetsItsTicket final : public TicketLock {
public:
    using TicketLock::TicketLock;

    Task<Acquired> try_acquire() override {
        Acquired acquired = co_await TicketLock::try_acquire();
        if (acquired.grant() == nullptr) ticket_ = 0;
        co_return acquired;
    }
};

/// Keeps its ticket through so many tries that are refused, and then forgets it.
class ForgetsItsTicketLater final : public TicketLock {
public:
    using TicketLock::TicketLock;

    Task<Acquired> try_acquire() override {
        Acquired acquired = co_await TicketLock::try_acquire();
        if (acquired.grant() == nullptr && ++refused_ == 2) ticket_ = 0;
        co_return acquired;
    }

private:
    int refused_ = 0;
};

/// Knows its own key again, which is there for good.
class KnowsItsOwn final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        if (name_.text.empty()) name_ = client_.fresh_token();
        const Reply set = co_await client_.command("SETNX", key_, name_);
        if (set.failed()) co_return Failed{set};
        if (set.is_integer(1)) co_return Grant{name_};
        const Reply now = co_await client_.command("GET", key_);
        if (now.failed()) co_return Failed{now};
        if (!now.is_bulk() || now.text() != name_.text) co_return Refused{};
        co_return Grant{name_};
    }

private:
    Token name_;
};

/// Asks again at once, until it has the lock.
class NeverPauses final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        for (;;) {
            const Reply set = co_await client_.command("SETNX", key_, "held");
            if (set.is_integer(1)) co_return Grant{};
        }
    }
};

SearchResult in_states(const Algorithm& lock, const Bounds& bounds) {
    return search_states(lock, bounds, {}, kGoOn, [](const SearchProgress&) {});
}

Schedules in_schedules(const Algorithm& lock, const Bounds& bounds, std::uint64_t most) {
    return every_schedule(lock, bounds, most, kGoOn, [](std::uint64_t) {});
}

/// The steps of these names, each of which must be offered.
Path path_of(const Algorithm& lock, const Bounds& bounds,
             std::initializer_list<const char*> names) {
    ScriptEngine scripts;
    PlainRun run(lock, bounds, scripts, {});
    Path path;
    for (const char* name : names) {
        const std::vector<Step> offered = run.offered();
        const auto step = std::ranges::find_if(
            offered, [&](const Step& each) { return to_string(each).starts_with(name); });
        if (step == offered.end()) throw std::invalid_argument(name);
        path.steps.push_back(*step);
        run.make(*step);
    }
    return path;
}

TEST(Waiters, keep_a_queue_going) {
    for (const Algorithm& lock :
         {ticket_row(), written<ScriptedTickets>("setnx_del"), written<NextInLine>("setnx_del")}) {
        for (const std::uint32_t attempts : {1U, 2U, 4U}) {
            const SearchResult found = in_states(lock, bounds_with(lock, "none", 2, 2, attempts));
            EXPECT_EQ(name_of(found.verdict), "holds") << lock.name << " " << attempts;
            EXPECT_TRUE(found.counts_on_waiters) << lock.name;
        }
    }
}

TEST(Waiters, are_three) {
    const Algorithm lock = ticket_row();
    const SearchResult found = in_states(lock, bounds_with(lock, "none", 3, 1, 2));
    EXPECT_EQ(name_of(found.verdict), "holds");
}

TEST(Waiters, who_crashed_do_not_try_on) {
    const Algorithm lock = ticket_row();
    const SearchResult found = in_states(lock, bounds_with(lock, "crash=1"));
    EXPECT_EQ(name_of(found.verdict), "stuck");
}

TEST(Waiters, who_gave_up_on_an_error_may_come_again) {
    const Algorithm lock = written<KnowsItsOwn>("setnx_del");
    EXPECT_EQ(name_of(in_states(lock, bounds_with(lock, "none")).verdict), "holds");
    const SearchResult found = in_states(lock, bounds_with(lock, "lose_reply=1"));
    EXPECT_EQ(name_of(found.verdict), "holds") << "the key is its own, and it gives it back";
    EXPECT_TRUE(found.counts_on_waiters);
    const SearchResult crashed = in_states(lock, bounds_with(lock, "crash=1"));
    EXPECT_EQ(name_of(crashed.verdict), "stuck");
}

TEST(Waiters, whose_try_comes_to_no_end_are_not_searched) {
    const Algorithm lock = written<NeverPauses>("setnx_del");
    const Bounds bounds = bounds_with(lock, "crash=1");
    const Path path = path_of(lock, bounds, {"A wake", "A send", "A take", "A crash"});
    ScriptEngine scripts;
    EXPECT_THROW(who_is_stuck_after(path, lock, bounds, scripts), std::length_error);
}

TEST(Waiters, cannot_use_a_ticket_that_they_forgot) {
    for (const Algorithm& lock :
         {written<ForgetsItsTicket>("setnx_del"), written<ForgetsItsTicketLater>("setnx_del")}) {
        const Bounds bounds = bounds_with(lock, "none", 2, 1, 2);
        const SearchResult found = in_states(lock, bounds);
        EXPECT_EQ(name_of(found.verdict), "stuck");
        EXPECT_GT(in_schedules(lock, bounds, 500).stuck, 0U);
    }
}

/// A has the lock, B is refused, and A gives it back.
Judgement seen_on_stage(const Algorithm& lock, Bounds bounds) {
    const Path path = path_of(lock, bounds,
                              {"A wake", "A send", "A take", "A send", "A take", "B wake", "B send",
                               "B take", "B send", "B take", "A wake", "A send", "A take"});
    SimWorld world;
    return judge(play_steps(find_of(lock, bounds, path, true), world, Key{"lock"}).history);
}

TEST(Waiters, try_on_where_the_find_is_played) {
    const Algorithm lock = ticket_row();
    const Judgement seen = seen_on_stage(lock, bounds_with(lock, "none"));
    EXPECT_FALSE(seen.liveness.stuck);
    EXPECT_EQ(seen.grants, 3U) << "A, B, and the newcomer";
    const Algorithm forgets = written<ForgetsItsTicket>("setnx_del");
    EXPECT_TRUE(seen_on_stage(forgets, bounds_with(forgets, "none")).liveness.stuck);
}

TEST(Waiters, who_got_no_answer_give_up_in_sight) {
    const Algorithm lock = written<KnowsItsOwn>("setnx_del");
    const Bounds bounds = bounds_with(lock, "lose_reply=1");
    const Path path = path_of(lock, bounds, {"A wake", "A lose_reply", "pass", "A time_out"});
    SimWorld world;
    const Scene scene = play_steps(find_of(lock, bounds, path, true), world, Key{"lock"});
    const Judgement seen = judge(scene.history);
    EXPECT_TRUE(seen.liveness.stuck);
    EXPECT_EQ(seen.liveness.waiting, std::vector{ClientId{bounds.clients}}) << "the newcomer alone";
    const std::string story = to_text(make_timeline(scene));
    EXPECT_NE(story.find("A gives up"), std::string::npos) << story;
}

TEST(Waiters, are_asked_for_only_where_it_matters) {
    for (const char* name : {"setnx_del", "set_nx_lua"}) {
        EXPECT_FALSE(search(name, "none").counts_on_waiters) << name;
        EXPECT_FALSE(search(name, "crash=1").counts_on_waiters) << name;
    }
}

TEST(Waiters, are_told_of_where_nothing_breaks_the_lock) {
    const auto harmless = [](const Algorithm& lock) {
        const ThresholdQuestion question{{bounds_with(lock, "none", 2, 1, 2)}, 0};
        const std::atomic<bool> stop{false};
        return find_thresholds(lock, question, SearchLimits(), stop, [](const SearchProgress&) {});
    };
    const ThresholdPair told = harmless(ticket_row());
    EXPECT_TRUE(told.progress.counts_on_waiters);
    EXPECT_FALSE(told.exclusion.counts_on_waiters) << "of exclusion it says nothing";
    EXPECT_FALSE(harmless(*algorithm_named("set_nx_lua")).progress.counts_on_waiters);
}

TEST(Waiters, count_in_every_schedule_too) {
    const Algorithm lock = ticket_row();
    const Bounds calm = bounds_with(lock, "none", 2, 1, 2);
    const Schedules all = in_schedules(lock, calm, 200'000);
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.stuck, 0U);
    const Bounds crash = bounds_with(lock, "crash=1", 2, 1, 1);
    const Schedules crashed = in_schedules(lock, crash, 200'000);
    EXPECT_TRUE(crashed.complete);
    EXPECT_GT(crashed.stuck, 0U);
}

}  // namespace
}  // namespace locklab::waiters_test
