// No violation of a simulated run is left unexplained, whatever the lock and whatever struck it:
// the history tells all that happened to the key.
#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/explore/sim_run.h"

namespace locklab::cause_campaign_test {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRuns = 2;
#else
constexpr std::uint64_t kRuns = 5;
#endif

/// Runs of every lock under every hazard, twice in each run, and under all of them together.
template <class Look>
void for_every_run(Look look) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kSimulatedHazards) {
            FaultBudget budget;
            for (const HazardRow& each : kSimulatedHazards) {
                const bool all = row.hazard == Hazard::contention && each.hazard != row.hazard;
                budget[each.hazard] = all ? 1 : each.hazard == row.hazard ? 2 : 0;
            }
            budget[Hazard::contention] = 0;
            SimRunner runner(make_run_spec(algorithm, algorithm.defaults, {}, budget));
            for (std::uint64_t run = 0; run < kRuns; ++run) {
                const History history = runner.run(31, run).history;
                SCOPED_TRACE(history.algorithm + " under " + std::string(row.name) + ", run " +
                             std::to_string(run));
                look(algorithm, history);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(CauseCampaign, nothing_is_left_unexplained) {
    std::uint64_t violations = 0;
    CauseCounts seen;
    for_every_run([&](const Algorithm&, const History& history) {
        const Judgement judgement = judge(history);
        EXPECT_EQ(judgement.uncertain_effects, 0U);
        EXPECT_EQ(judgement.register_jumps, 0U);
        for (const Violation& violation : judgement.violations) {
            ++violations;
            ++seen[violation.cause];
            EXPECT_NE(violation.cause, Cause::unexplained)
                << "grants " << violation.other << " and " << violation.grant;
        }
    });
    EXPECT_GT(violations, 500U);
    for (const Cause cause : {Cause::expired_while_held, Cause::foreign_delete, Cause::lost_data,
                              Cause::clock, Cause::no_key}) {
        EXPECT_GT(seen[cause], 0U) << name_of(cause);
    }
}

/// Those that find out by a renewal, and say so: within what it takes them to.
TEST(CauseCampaign, the_watchdogs_that_tell_are_not_late_and_the_one_that_does_not_is) {
    Notices owned;
    Notices unowned;
    for_every_run([&](const Algorithm& algorithm, const History& history) {
        const Notices found = judge(history).notices;
        const bool tells =
            algorithm.name == "watchdog_owned" || algorithm.name == "reentrant_watchdog";
        if (tells) {
            EXPECT_EQ(found.late, 0U) << us(found.longest) << " us, grant " << found.longest_grant;
            owned.losses += found.losses;
            owned.told += found.told;
        } else if (algorithm.renews) {
            unowned.late += found.late;
        } else {
            EXPECT_EQ(found.late, 0U);
        }
    });
    EXPECT_GT(owned.losses, 20U);
    EXPECT_GT(owned.told, 5U);
    EXPECT_GT(unowned.late, 0U);
}

/// watchdog_owned, and it thinks for two renewals before it tells: as safe by any overlap, and
/// its holder works that much longer without a lock.
class Hesitant final : public Lock {
public:
    Hesitant(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), options_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX", "PX", ttl());
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, options_.ttl};
    }
    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply held = co_await client_.command("GET", key_);
        if (!held.is_bulk() || held.text() != token_.text) co_return Release::not_ours;
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted.is_integer(1) ? Release::yes : Release::unknown;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(options_.renewal);
            const Reply held = co_await client_.command("GET", key_);
            if (held.is_unknown()) continue;
            if (held.is_bulk() && held.text() == token_.text) {
                co_await client_.command("PEXPIRE", key_, ttl());
                continue;
            }
            co_await client_.sleep(2 * options_.renewal);
            client_.lost();
            co_return;
        }
    }
    std::int64_t ttl() const { return options_.ttl / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const LockOptions options_;
    Token token_;
    Background watchdog_;
};

TEST(CauseCampaign, a_watchdog_that_waits_before_it_tells_is_late) {
    Algorithm hesitant = *algorithm_named("watchdog_owned");
    hesitant.name = "hesitant";
    hesitant.make = [](Client& client, const Key& key,
                       const LockOptions& options) -> std::unique_ptr<Lock> {
        return std::make_unique<Hesitant>(client, key, options);
    };
    FaultBudget budget;
    budget[Hazard::evict] = 3;
    budget[Hazard::slow_job] = 3;
    const auto found = [&](const Algorithm& algorithm) {
        SimRunner runner(make_run_spec(algorithm, algorithm.defaults, {}, budget));
        Notices sum;
        for (std::uint64_t run = 0; run < 20; ++run) {
            const Notices notices = judge(runner.run(32, run).history).notices;
            sum.late += notices.late;
            sum.told += notices.told;
        }
        EXPECT_GE(sum.told, 10U);
        return sum.late;
    };
    EXPECT_GT(found(hesitant), 5U);
    EXPECT_EQ(found(*algorithm_named("watchdog_owned")), 0U);
}

}  // namespace
}  // namespace locklab::cause_campaign_test
