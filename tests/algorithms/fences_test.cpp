// What fencing tokens are for, and locks whose tokens are good for nothing: they are drawn before
// the lock, after it, from a counter that goes, or from a clock.
#include <gtest/gtest.h>

#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/registry.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {
namespace {

const StopFlag kNeverStop{false};
constexpr Duration kTtl = std::chrono::seconds(1);

/// The lock that all of these are: SET NX PX, and a script that compares and deletes.
class Drawing : public Lock {
public:
    Drawing(World& world, const Key& key, const LockOptions& options)
        : world_(world), key_(key), options_(options) {}

    Task<Release> release() override {
        const Reply deleted = co_await world_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

protected:
    Task<Reply> take() {
        token_ = world_.fresh_token();
        const Reply taken = co_await world_.command("SET", key_, token_, "NX", "PX", ttl_ms());
        co_return taken;
    }
    std::int64_t ttl_ms() const { return options_.ttl / std::chrono::milliseconds(1); }
    Key counter() const { return Key{key_.name + ":fence"}; }

    World& world_;
    const Key key_;
    const LockOptions options_;
    Token token_;
};

class DrawsBefore final : public Drawing {
public:
    using Drawing::Drawing;
    Task<Acquired> try_acquire() override {
        const Reply drawn = co_await world_.command("INCR", counter());
        if (drawn.failed()) co_return Failed{drawn};
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_ok()) co_return Refused{};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

class DrawsAfter final : public Drawing {
public:
    using Drawing::Drawing;
    Task<Acquired> try_acquire() override {
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_ok()) co_return Refused{};
        const Reply drawn = co_await world_.command("INCR", counter());
        if (drawn.failed()) co_return Failed{drawn};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

constexpr Script kCountForAWhile{
    "count_for_a_while",
    "if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end "
    "local drawn = redis.call('incr', KEYS[1] .. ':fence') "
    "redis.call('pexpire', KEYS[1] .. ':fence', ARGV[2]) "
    "return drawn"};

/// Tidy, and wrong: the counter goes if nobody wants the lock for as long as its TTL.
class CounterGoes final : public Drawing {
public:
    using Drawing::Drawing;
    Task<Acquired> try_acquire() override {
        token_ = world_.fresh_token();
        const Reply drawn = co_await world_.eval(kCountForAWhile, key_, token_, ttl_ms());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.is_integer(0)) co_return Refused{};
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(drawn.as_integer())};
    }
};

/// Clocks differ, and each is somewhere else.
class ReadsClock final : public Drawing {
public:
    using Drawing::Drawing;
    Task<Acquired> try_acquire() override {
        const Reply taken = co_await take();
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_ok()) co_return Refused{};
        const auto since_epoch = world_.now().time_since_epoch();
        co_return Grant{token_, options_.ttl, static_cast<std::uint64_t>(since_epoch.count())};
    }
};

template <class T>
std::unique_ptr<Lock> make(World& world, const Key& key, const LockOptions& options) {
    return std::make_unique<T>(world, key, options);
}

/// `fenced`, but for how it draws its tokens.
template <class T>
Algorithm drawing() {
    Algorithm algorithm = *algorithm_named("fenced");
    algorithm.make = make<T>;
    return algorithm;
}

Tally counted(const Algorithm& algorithm, FaultBudget budget) {
    LockOptions options = with_ttl(algorithm.defaults, kTtl);
    options.retry = std::chrono::milliseconds(10);
    const RunSpec spec = make_run_spec(algorithm, options, kTtl, budget);
    const CampaignGoal goal{.seed = 11, .grants = ~std::uint64_t{0}, .most_runs = 300};
    return run_sim_campaign(spec, goal, kNeverStop, {}).tally();
}

Tally counted(const Algorithm& algorithm, Hazard hazard) {
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 1;
    return counted(algorithm, budget);
}

TEST(Fences, a_pause_lets_two_in_and_the_resource_loses_no_update) {
    for (const Hazard hazard : {Hazard::pause, Hazard::slow_job}) {
        const Tally fenced = counted(*algorithm_named("fenced"), hazard);
        EXPECT_EQ(fenced.verdict(), Verdict::violated);
        EXPECT_GT(fenced.overlaps(), 0U);
        EXPECT_EQ(fenced.lost_updates(), 0U);
        EXPECT_GT(fenced.denied(), 0U);
        const Tally without = counted(*algorithm_named("set_nx_lua"), hazard);
        EXPECT_GT(without.lost_updates(), 0U);
        EXPECT_EQ(without.denied(), 0U);
    }
}

TEST(Fences, tokens_grow_unless_the_server_loses_their_counter) {
    for (const HazardRow& row : kHazards) {
        SCOPED_TRACE(row.name);
        const Tally fenced = counted(*algorithm_named("fenced"), row.hazard);
        if (restarts_server(row.hazard) || takes_over(row.hazard)) {
            EXPECT_GT(fenced.fence_inversions(), 0U);
            EXPECT_EQ(fenced.causes()[Cause::old_token], 0U) << "it was lost, and that is told";
        } else {
            EXPECT_EQ(fenced.fence_inversions(), 0U);
        }
    }
}

TEST(Fences, locks_without_tokens_are_not_asked_for_them) {
    EXPECT_EQ(counted(*algorithm_named("set_nx_lua"), Hazard::restart).causes()[Cause::old_token],
              0U);
}

class BadFences : public testing::TestWithParam<std::pair<const char*, Algorithm>> {};

/// No fault but what makes two of them wait at the wrong moment.
TEST_P(BadFences, have_old_tokens) {
    FaultBudget budget;
    for (const Hazard hazard : {Hazard::pause, Hazard::slow_job, Hazard::clock_offset}) {
        budget[hazard] = 1;
    }
    const Tally tally = counted(GetParam().second, budget);
    EXPECT_GT(tally.causes()[Cause::old_token], 0U);
    EXPECT_EQ(tally.causes()[Cause::unexplained], 0U);
}

INSTANTIATE_TEST_SUITE_P(Fences, BadFences,
                         testing::Values(std::pair("drawn_before", drawing<DrawsBefore>()),
                                         std::pair("drawn_after", drawing<DrawsAfter>()),
                                         std::pair("counter_goes", drawing<CounterGoes>()),
                                         std::pair("clock", drawing<ReadsClock>())),
                         [](const auto& one) { return std::string(one.param.first); });

}  // namespace
}  // namespace locklab
