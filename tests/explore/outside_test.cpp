// Locks that keep something outside of their object. The simulator's clients share it, and
// processes do not: nothing that it shows of such a lock is true of processes.

#include "harness/explore/outside.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>

#include "algorithms/compare_and_delete.h"
#include "harness/explore/proof.h"
#include "harness/explore/sim_campaign.h"
#include "harness/explore/sim_run.h"
#include "harness/explore/starvation.h"
#include "harness/play/strategies.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_text.h"
#include "tests/explore/written_lock.h"

namespace locklab::outside_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kNobody = ~0U;

/// Whoever finds nobody in the variable is granted; the server is asked for nothing. Each test has
/// a variable of its own, for what one leaves in it another would find.
template <int number>
class KeepsOwner final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;
    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token, "PX", ms());
        if (reply.failed()) co_return Failed{reply};
        std::uint32_t nobody = kNobody;
        const std::uint32_t own = client_.id().value;
        if (!owner.compare_exchange_strong(nobody, own) && nobody != own) co_return Refused{};
        co_return Grant{token, ttl_};
    }
    Task<Release> release() override {
        owner = kNobody;
        return DeletesItsKey::release();
    }

private:
    static inline std::atomic<std::uint32_t> owner{kNobody};
};

/// A flag that is always down between two rounds, of one thread.
class KeepsFlag final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;
    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token, "PX", ms());
        if (reply.failed()) co_return Failed{reply};
        if (std::exchange(flag, true)) co_return Refused{};
        co_return Grant{token, ttl_};
    }
    Task<Release> release() override {
        flag = false;
        return DeletesItsKey::release();
    }

private:
    static inline thread_local bool flag = false;
};

class TakesAToken : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

protected:
    Task<Acquired> take(Token token) {
        const Reply reply = co_await client_.command("SET", key_, token, "NX", "PX", ms());
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token, ttl_};
    }
};

/// A right lock, but for tokens of a counter that clients share: those of processes are the same.
class CountsTokens final : public TakesAToken {
public:
    using TakesAToken::TakesAToken;
    Task<Acquired> try_acquire() override {
        const Token token{"n" + std::to_string(++count)};
        Acquired acquired = co_await take(token);
        co_return acquired;
    }

private:
    static inline std::atomic<int> count{0};
};

/// What all share never changes what anybody does.
class CountsForItself final : public TakesAToken {
public:
    using TakesAToken::TakesAToken;
    Task<Acquired> try_acquire() override {
        ++count;
        const Token token = client_.fresh_token();
        Acquired acquired = co_await take(token);
        co_return acquired;
    }

private:
    static inline std::atomic<int> count{0};
};

/// Deletes whosever key it is, the first time that a release gets no answer, and never again: all
/// is well from then on, in this process.
template <int number>
class ForcesOnce final : public TakesAToken {
public:
    using TakesAToken::TakesAToken;
    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        Acquired acquired = co_await take(token_);
        co_return acquired;
    }
    Task<Release> release() override {
        const Reply freed = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (!freed.is_unknown()) co_return Release::yes;
        if (!forced.exchange(true)) co_await client_.command("DEL", key_);
        co_return Release::unknown;
    }

private:
    static inline std::atomic<bool> forced{false};
    Token token_;
};

/// Takes whosever key it is once the variable says so, which the test sets between two runs: no run
/// sees it change, and each client does alone what it did in its run.
template <int number>
class TurnsBad final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;
    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        if (is_bad) co_await client_.command("DEL", key_);
        const Reply reply = co_await client_.command("SET", key_, token, "NX", "PX", ms());
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token, ttl_};
    }
    static inline std::atomic<bool> is_bad{false};
};

FaultBudget one_lost_reply() {
    FaultBudget budget;
    budget[Hazard::lose_reply] = 1;
    return budget;
}

CampaignCount campaign_of(const Algorithm& lock, const FaultBudget& faults = FaultBudget()) {
    const RunSpec spec = make_run_spec(lock, lock.defaults, 0s, faults);
    const StopFlag stop{false};
    return run_sim_campaign(spec, {1, 600, 40}, stop, {});
}

void expect_outside(const std::string& why) {
    EXPECT_NE(why.find("keeps something outside of its object"), std::string::npos) << why;
}

TEST(Outside, a_campaign_is_unknown) {
    for (const Algorithm& lock :
         {written<KeepsOwner<0>>("set_nx_del"), written<KeepsFlag>("set_nx_del"),
          written<CountsTokens>("set_nx_del")}) {
        const CampaignCount count = campaign_of(lock);
        EXPECT_EQ(count.verdict(), Verdict::unknown);
        expect_outside(count.why_unknown());
        EXPECT_FALSE(count.witness());
    }
    EXPECT_TRUE(is_clean(campaign_of(written<CountsForItself>("set_nx_del")).verdict()));
}

TEST(Outside, no_lock_of_ours_keeps_anything) {
    for (const Algorithm& lock : algorithms()) EXPECT_EQ(keeps_outside(lock), "") << lock.name;
}

TEST(Outside, a_run_tells_who_differs_alone) {
    const Algorithm lock = written<KeepsOwner<1>>("set_nx_del");
    SimRunner runner(make_run_spec(lock, lock.defaults, 0s, FaultBudget()));
    EXPECT_FALSE(runner.run(1, 0).history.differs_alone) << "nobody looked";
    const History history = runner.run_taped(1, 0).history;
    ASSERT_TRUE(history.differs_alone);
    std::stringstream lines;
    write_history(lines, history);
    const History read = read_history(lines, "h");
    EXPECT_EQ(read.differs_alone, history.differs_alone);
    expect_outside(to_text(judge(read)));
}

TEST(Outside, what_is_left_behind_does_not_hide_it) {
    const Algorithm lock = written<KeepsOwner<2>>("set_nx_del");
    expect_outside(keeps_outside(lock));
    FaultBudget crash;
    crash[Hazard::crash] = 1;
    SimRunner runner(make_run_spec(lock, lock.defaults, 0s, crash));
    for (std::uint64_t run = 0; run < 8; ++run) {
        EXPECT_TRUE(runner.run_taped(1, run).history.differs_alone) << run;
    }
}

TEST(Outside, no_search_shows_anything) {
    const std::atomic<bool> stop{false};
    const Algorithm first = written<KeepsOwner<3>>("set_nx_del");
    const Proof proof = Prover(first, SearchLimits()).prove(FaultBudget(), stop, {});
    EXPECT_EQ(proof.verdict, Verdict::unknown);
    expect_outside(proof.why_unknown);

    Bounds bounds = bounds_for(first);
    bounds.clients = 2;
    bounds.rounds = bounds.attempts = 1;
    const Watcher watcher;
    const Algorithm second = written<KeepsOwner<4>>("set_nx_del");
    const Explored plain = explore_plainly(second, bounds, 100'000, watcher);
    EXPECT_EQ(plain.result.verdict, Verdict::unknown);
    expect_outside(plain.result.why_unknown);

    const Algorithm third = written<KeepsOwner<5>>("set_nx_del");
    const Explored random = explore_randomly(third, bounds, RandomLimits(), watcher);
    EXPECT_EQ(random.result.verdict, Verdict::unknown);
    expect_outside(random.result.why_unknown);

    const Algorithm fourth = written<KeepsOwner<6>>("set_nx_del");
    const Starvation starved =
        find_starvation(fourth, starvation_bounds(fourth), StarvationLimits(), stop, {});
    EXPECT_EQ(starved.verdict, Verdict::unknown);
    expect_outside(starved.why_unknown);
}

TEST(Outside, what_changes_once_is_seen_as_it_changes) {
    const CampaignCount count = campaign_of(written<ForcesOnce<0>>("set_nx_lua"), one_lost_reply());
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    expect_outside(count.why_unknown());

    const std::atomic<bool> stop{false};
    const Algorithm second = written<ForcesOnce<1>>("set_nx_lua");
    const Proof proof = Prover(second, SearchLimits()).prove(one_lost_reply(), stop, {});
    EXPECT_EQ(proof.verdict, Verdict::unknown);
    expect_outside(proof.why_unknown);

    const Algorithm third = written<ForcesOnce<2>>("set_nx_lua");
    Bounds bounds = bounds_for(third);
    bounds.clients = 2;
    bounds.rounds = bounds.attempts = 1;
    bounds.faults = one_lost_reply();
    const Explored plain = explore_plainly(third, bounds, 100'000, Watcher());
    EXPECT_EQ(plain.result.verdict, Verdict::unknown);
    expect_outside(plain.result.why_unknown);
}

TEST(Outside, what_changes_between_runs_is_seen_in_the_end) {
    using First = TurnsBad<0>;
    const Algorithm first = written<First>("set_nx_del");
    const RunSpec spec = make_run_spec(first, first.defaults, 0s, FaultBudget());
    const StopFlag stop{false};
    const CampaignCount count = run_sim_campaign(spec, {1, ~std::uint64_t{0}, 200}, stop,
                                                 [](std::uint64_t) { First::is_bad = true; });
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    expect_outside(count.why_unknown());

    using Second = TurnsBad<1>;
    const Algorithm second = written<Second>("set_nx_del");
    const Proof proof = Prover(second, SearchLimits()).prove(FaultBudget(), stop, [](const auto&) {
        Second::is_bad = true;
    });
    EXPECT_EQ(proof.verdict, Verdict::unknown);
    expect_outside(proof.why_unknown);
    EXPECT_TRUE(proof.shown().result.witness.steps.empty());

    using Third = TurnsBad<2>;
    const Algorithm third = written<Third>("set_nx_del");
    Watcher turns;
    turns.on_show = [](std::string_view) { Third::is_bad = true; };
    const Explored random = explore_randomly(third, bounds_for(third), RandomLimits(), turns);
    EXPECT_EQ(random.result.verdict, Verdict::unknown);
    expect_outside(random.result.why_unknown);
}

TEST(Outside, a_table_of_clients_is_made_of_what_they_do_again) {
    const std::atomic<bool> stop{false};
    const Algorithm lock = written<CountsTokens>("set_nx_del");
    const SearchResult result =
        search_exhaustively(lock, bounds_for(lock), SearchLimits(), stop, [](const auto&) {});
    EXPECT_EQ(result.verdict, Verdict::unknown);
    expect_outside(result.why_unknown);
}

}  // namespace
}  // namespace locklab::outside_test
