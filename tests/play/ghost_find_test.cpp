// A find in which a background task outlives its client's work: searches do not follow the task, so
// what they find there is not said unless the stage sees it.
#include <gtest/gtest.h>

#include "algorithms/compare_and_delete.h"
#include "harness/play/explored.h"
#include "harness/play/finding.h"
#include "harness/play/strategies.h"
#include "tests/explore/proof_run.h"
#include "tests/explore/written_lock.h"

namespace locklab::ghost_find_test {
namespace {

constexpr Script kExtendOwn{
    "extend_own",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"};

/// Its watchdog goes on for ever where a release is not answered.
class KeepsItsWatchdog final : public DeletesItsKey {
public:
    KeepsItsWatchdog(Client& client, Key key, const LockOptions& options)
        : DeletesItsKey(client, std::move(key), options), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ms());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        watchdog_ = client_.spawn(renew(token_));
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        client_.cancel(watchdog_);
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew(Token token) {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.eval(kExtendOwn, key_, token, ms());
            }
            if (!renewed.is_integer(1)) {
                client_.lost();
                co_return;
            }
        }
    }

    const Duration renewal_;
    Token token_;
    Background watchdog_;
};

TEST(GhostFind, what_is_found_beside_an_unknown_verdict_is_not_told) {
    const Algorithm lock = written<KeepsItsWatchdog>("watchdog_owned");
    Bounds bounds = bounds_with(lock, "lose_request=1", 2, 1, 2);
    bounds.leaves = 0;
    Explored explored =
        explore_exhaustively(lock, {bounds}, {bounds.faults}, SearchLimits(), Watcher());
    EXPECT_EQ(explored.result.verdict, Verdict::unknown);
    EXPECT_TRUE(explored.result.has_ghosts);
    EXPECT_GT(explored.result.longest_orphan, Duration::zero());
    show_witness(explored, testing::TempDir());
    show_findings(explored, testing::TempDir());
    EXPECT_FALSE(explored.orphaned);
    EXPECT_NE(explored_text(explored).find(kGhosts), std::string::npos) << explored_text(explored);
}

/// Every second release forgets to delete the key.
class ForgetsEverySecond final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SETNX", key_, "held");
        if (set.failed()) co_return Failed{set};
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        const Key counter{key_.name + ":n"};
        const Reply count = co_await client_.command("INCR", counter);
        if (count.as_integer() % 2 == 0) co_return Release::yes;
        Release released = co_await DeletesItsKey::release();
        co_return released;
    }
};

TEST(GhostFind, what_depends_on_the_order_of_those_who_wait_is_asked_of_each) {
    const Algorithm lock = written<ForgetsEverySecond>("setnx_del");
    Bounds bounds = bounds_with(lock, "none", 2, 1, 1);
    bounds.leaves = 0;
    Explored plain = explore_plainly(lock, bounds, 60'000, Watcher());
    EXPECT_EQ(plain.result.verdict, Verdict::stuck);
    show_witness(plain, testing::TempDir());
    EXPECT_EQ(plain.result.verdict, Verdict::stuck) << "the stage sees it, too";
    EXPECT_NE(explored_text(plain).find("never gets the lock"), std::string::npos);
}

TEST(GhostFind, what_the_stage_does_not_see_is_unknown) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "pause=1");
    Explored explored =
        explore_exhaustively(lock, {bounds}, {bounds.faults}, SearchLimits(), Watcher());
    ASSERT_EQ(explored.result.verdict, Verdict::violated);
    explored.result.has_ghosts = true;
    explored.result.witness.steps.pop_back();
    show_witness(explored, testing::TempDir());
    EXPECT_EQ(explored.result.verdict, Verdict::unknown);
    EXPECT_EQ(explored.result.why_unknown, kGhosts);
    EXPECT_TRUE(explored.result.witness.steps.empty());
    EXPECT_TRUE(explored.trace.empty());
    EXPECT_EQ(explored.proofs[0].verdict, Verdict::unknown);
}

}  // namespace
}  // namespace locklab::ghost_find_test
