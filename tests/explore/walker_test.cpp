// What the strategies of random schedules promise, seen in the schedules.

#include "harness/explore/walker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "harness/explore/step_text.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::walker_test {
namespace {

constexpr std::uint64_t kSchedules = 200;

/// Calls see(step, offered) for each step of the walker's schedule at which somebody must act, with
/// the clients that could have.
void replay(Walker& walker,
            const std::function<void(const Step&, const std::set<std::uint8_t>&)>& see) {
    Rules& rules = walker.rules();
    State state = rules.initial()[0];
    std::vector<Step> offered;
    for (const Step& step : walker.path().steps) {
        rules.offer_calm(state, rules.bounds().any_length, offered);
        std::set<std::uint8_t> clients;
        bool may_rest = false;
        for (const Step& other : offered) {
            may_rest = may_rest || other.kind == Step::Kind::pass;
            clients.insert(other.client);
        }
        if (!may_rest && !is_fault(step)) see(step, clients);
        state = rules.after(state, step);
    }
}

/// Whether jobs end early is drawn for each schedule, so that one cannot tell from outside what
/// could have been chosen: here they do not.
Bounds exact_bounds(const Algorithm& lock, const char* faults, std::uint32_t clients,
                    std::uint32_t rounds = 1, std::uint32_t attempts = 3) {
    Bounds bounds = bounds_with(lock, faults, clients, rounds, attempts);
    bounds.any_length = false;
    return bounds;
}

/// Of how many schedules no order of the clients explains who acted.
std::size_t without_an_order(std::uint32_t changes) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Walker walker(lock, exact_bounds(lock, "none", 3), Strategy::pct, changes);
    std::size_t count = 0;
    for (std::uint64_t number = 0; number < kSchedules; ++number) {
        walker.walk(1, number);
        std::set<std::pair<std::uint8_t, std::uint8_t>> before;
        bool has_order = true;
        replay(walker, [&](const Step& step, const std::set<std::uint8_t>& clients) {
            for (const std::uint8_t other : clients) {
                if (other == step.client) continue;
                before.insert({step.client, other});
                has_order = has_order && !before.contains({other, step.client});
            }
        });
        count += has_order ? 0 : 1;
    }
    return count;
}

TEST(Walker, goes_by_priorities_that_change_as_often_as_it_is_told) {
    EXPECT_EQ(without_an_order(0), 0U);
    EXPECT_GT(without_an_order(2), kSchedules / 4);
}

/// How often, in all schedules, another client acted though the one before could have gone on.
std::size_t delays(std::uint32_t changes) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Walker walker(lock, exact_bounds(lock, "none", 3), Strategy::delay_bounded, changes);
    std::size_t count = 0;
    for (std::uint64_t number = 0; number < kSchedules; ++number) {
        walker.walk(1, number);
        std::optional<std::uint8_t> last;
        replay(walker, [&](const Step& step, const std::set<std::uint8_t>& clients) {
            if (last && *last != step.client && clients.contains(*last)) ++count;
            last = step.client;
        });
    }
    return count;
}

TEST(Walker, lets_a_client_go_on_until_it_can_no_more_or_is_delayed) {
    EXPECT_EQ(delays(0), 0U);
    EXPECT_GT(delays(2), kSchedules / 4);
    EXPECT_LE(delays(2), kSchedules * 2);
}

std::vector<std::string> words(const Path& path) {
    std::vector<std::string> words;
    for (const Step& step : path.steps) words.push_back(to_string(step));
    return words;
}

/// Looks at its clock when its job is over, and not before: what it does then depends on the time.
class LooksAtItsClockLate final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "1", "NX", "PX", ms());
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{Token{"1"}, ttl_};
    }
    Task<Release> release() override {
        const auto tenths = client_.now().time_since_epoch() / std::chrono::milliseconds(100);
        if (tenths % 2 == 0) co_return Release::not_ours;
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }
};

TEST(Walker, walks_a_schedule_the_same_way_whatever_it_walked_before) {
    // The first schedule is where it is learnt that the lock looks at its clock.
    const Algorithm lock = written<LooksAtItsClockLate>("set_nx_del", "looks_at_its_clock_late");
    const Bounds bounds = exact_bounds(lock, "clock_jump=2,pause=1", 3);
    Walker later(lock, bounds, Strategy::walk, 0);
    for (std::uint64_t number = 0; number < kSchedules; ++number) {
        Walker first(lock, bounds, Strategy::walk, 0);
        EXPECT_EQ(first.walk(1, number), later.walk(1, number));
        ASSERT_EQ(words(first.path()), words(later.path())) << "schedule " << number;
    }
}

constexpr std::array kStrategies{Strategy::uniform, Strategy::pct, Strategy::delay_bounded,
                                 Strategy::walk};

TEST(Walker, walks_only_where_the_rules_lead_to_the_end) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "restart=1,crash=1,restart_snapshot=1", 3);
    for (const Strategy strategy : kStrategies) {
        Walker walker(lock, bounds, strategy, 2);
        std::size_t violated = 0;
        for (std::uint64_t number = 0; number < kSchedules; ++number) {
            const bool is_violated = walker.walk(1, number);
            violated += is_violated ? 1 : 0;
            Rules rules(lock, bounds);
            State state = rules.initial()[0];
            std::vector<Step> offered;
            for (const Step& step : walker.path().steps) {
                EXPECT_FALSE(rules.is_violated(state));
                rules.offer(state, offered);
                ASSERT_NE(std::ranges::find(offered, step), offered.end()) << to_string(step);
                state = rules.after(state, step);
            }
            rules.offer(state, offered);
            EXPECT_EQ(rules.is_violated(state), is_violated);
            EXPECT_TRUE(is_violated || offered.empty());
        }
        EXPECT_GT(violated, 0U);
        EXPECT_LT(violated, kSchedules);
    }
}

TEST(Walker, walks_the_same_way_without_its_memory) {
    const std::pair<const char*, const char*> cases[] = {
        {"set_nx_lua", "pause=1,evict=1"}, {"setnx_getset_epoch", "clock_jump=2,pause=1"}};
    for (const auto& [name, faults] : cases) {
        const Algorithm& lock = *algorithm_named(name);
        const Bounds bounds = bounds_with(lock, faults, 3);
        for (const Strategy strategy : kStrategies) {
            Walker remembers(lock, bounds, strategy, 2);
            Walker forgets(lock, bounds, strategy, 2, 0);
            for (std::uint64_t number = 0; number < kSchedules; ++number) {
                EXPECT_EQ(remembers.walk(1, number), forgets.walk(1, number));
                ASSERT_EQ(words(remembers.path()), words(forgets.path()));
            }
        }
    }
}

TEST(Walker, lets_things_end_early_in_half_of_the_schedules) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Walker walker(lock, bounds_with(lock, "pause=1", 3), Strategy::uniform, 0);
    std::size_t early = 0;
    for (std::uint64_t number = 0; number < kSchedules; ++number) {
        walker.walk(1, number);
        Rules& rules = walker.rules();
        State state = rules.initial()[0];
        std::vector<Step> exact;
        bool ends_early = false;
        for (const Step& step : walker.path().steps) {
            rules.offer_calm(state, false, exact);
            ends_early =
                ends_early || (!is_fault(step) && std::ranges::find(exact, step) == exact.end());
            state = rules.after(state, step);
        }
        early += ends_early ? 1 : 0;
    }
    EXPECT_GT(early, kSchedules * 3 / 10);
    EXPECT_LT(early, kSchedules * 6 / 10);
}

TEST(Walker, lets_faults_strike_at_any_moment) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    for (const Strategy strategy : {Strategy::uniform, Strategy::pct, Strategy::delay_bounded}) {
        Walker walker(lock, exact_bounds(lock, "evict=1,crash=1", 3), strategy, 2);
        std::map<Hazard, std::set<std::size_t>> moments;
        for (std::uint64_t number = 0; number < kSchedules; ++number) {
            walker.walk(1, number);
            const std::vector<Step>& steps = walker.path().steps;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (is_fault(steps[i])) moments[*hazard_of(steps[i])].insert(i);
            }
        }
        EXPECT_GT(moments[Hazard::crash].size(), 15U);
        EXPECT_GT(moments[Hazard::evict].size(), 10U);
    }
}

}  // namespace
}  // namespace locklab::walker_test
