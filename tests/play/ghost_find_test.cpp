// A find in which a background task outlives its client's work: searches do not follow the task, so
// what they find there is not said unless the stage sees it.
#include <gtest/gtest.h>

#include "harness/play/explored.h"
#include "harness/play/strategies.h"
#include "tests/explore/proof_run.h"
#include "tests/explore/written_lock.h"

namespace locklab {
namespace {

/// Its watchdog goes on for ever where the DEL of a release is not answered.
class KeepsItsWatchdog final : public DeletesItsKey {
public:
    KeepsItsWatchdog(Client& client, Key key, const LockOptions& options)
        : DeletesItsKey(client, std::move(key), options), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", ms());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        client_.cancel(watchdog_);
        watchdog_ = client_.spawn(renew());
        co_return Grant{token, ttl_};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        client_.cancel(watchdog_);
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.command("PEXPIRE", key_, ms());
            }
        }
    }

    const Duration renewal_;
    Background watchdog_;
};

TEST(GhostFind, is_not_known_rather_than_a_bug_of_ours) {
    const Algorithm lock = written<KeepsItsWatchdog>("watchdog_unowned");
    const Bounds bounds = bounds_with(lock, "lose_request=1", 2, 1, 2);
    Explored explored =
        explore_exhaustively(lock, {bounds}, {bounds.faults}, SearchLimits(), Watcher());
    ASSERT_EQ(explored.result.verdict, Verdict::stuck);
    EXPECT_TRUE(explored.result.has_ghosts);
    show_witness(explored, testing::TempDir());
    EXPECT_EQ(explored.result.verdict, Verdict::unknown);
    EXPECT_NE(explored_text(explored).find(kGhosts), std::string::npos) << explored_text(explored);
    EXPECT_TRUE(explored.trace.empty());
}

}  // namespace
}  // namespace locklab
