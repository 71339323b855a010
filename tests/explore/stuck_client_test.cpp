// Whether each client that is alive can get the lock: with what it has seen, also after its rounds,
// alone or because the others go on.

#include <gtest/gtest.h>

#include "harness/explore/every_schedule.h"
#include "harness/explore/exhaustive.h"
#include "harness/explore/proof.h"
#include "harness/play/explore_trace.h"
#include "harness/stage/sim_world.h"
#include "tests/explore/fair_locks.h"
#include "tests/explore/search_bounds.h"

namespace locklab {
namespace {

/// Who had it last lets another go first. `me`: what it is known by.
class LetsAnotherGo : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        static constexpr Script kTake{
            "take_if_another_had_it",
            "if redis.call('get', KEYS[1] .. ':last') == ARGV[1] then return 0 end "
            "if not redis.call('set', KEYS[1], 'held', 'NX') then return 0 end "
            "redis.call('set', KEYS[1] .. ':last', ARGV[1]) "
            "return 1"};
        const std::string name = me();
        const Reply taken = co_await client_.eval(kTake, key_, name);
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }

protected:
    virtual std::string me() { return std::to_string(client_.id().value); }
};

class LetsAnotherGoByName final : public LetsAnotherGo {
public:
    using LetsAnotherGo::LetsAnotherGo;

private:
    std::string me() override {
        if (name_.text.empty()) name_ = client_.fresh_token();
        return name_.text;
    }
    Token name_;
};

/// A client that was refused, or had it, so often is refused for ever.
template <int kTries, int kGrants>
class Forbids final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        if (refused_ == kTries || granted_ == kGrants) co_return Refused{};
        const Reply set = co_await client_.command("SETNX", key_, "held");
        if (set.failed()) co_return Failed{set};
        ++(set.is_integer(1) ? granted_ : refused_);
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }

private:
    int refused_ = 0;
    int granted_ = 0;
};

class OnlyTheFirst final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        if (client_.id().value != 0) co_return Refused{};
        const Reply set = co_await client_.command("SETNX", key_, "held");
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }
};

/// Two clients in turns, and nobody else at all.
class TakesTurns final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply turn = co_await client_.command("GET", key_);
        if (turn.failed()) co_return Failed{turn};
        const std::string its = turn.is_bulk() ? turn.text() : "0";
        if (its != std::to_string(client_.id().value)) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        co_await client_.command("SET", key_, 1 - client_.id().value);
        co_return Release::yes;
    }
};

/// A client that comes within a lease of the last grant is refused, though nobody has the lock.
class RestsForALease final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "held", "NX", "PX", ms());
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        co_await client_.command("GET", key_);
        co_return Release::yes;
    }
};

SearchResult in_states(const Algorithm& lock, const char* faults, std::uint32_t rounds = 1,
                       std::uint32_t attempts = 2) {
    return search_states(lock, bounds_with(lock, faults, 2, rounds, attempts), {}, kGoOn,
                         [](const SearchProgress&) {});
}

Schedules in_schedules(const Algorithm& lock, const char* faults, std::uint64_t most) {
    return every_schedule(lock, bounds_with(lock, faults, 2, 1, 1), most, kGoOn,
                          [](std::uint64_t) {});
}

/// The stage, too, sees that the client waits for ever, and nobody else.
void expect_seen_on_stage(const Algorithm& lock, const Bounds& bounds, const SearchResult& found) {
    ASSERT_TRUE(found.stuck.has_value());
    SimWorld world;
    const Find find = find_of(lock, bounds, found.stuck->witness, found.stuck->client);
    const Judgement seen = judge(play_steps(find, world, Key{"lock"}).history);
    EXPECT_TRUE(seen.liveness.stuck);
    EXPECT_EQ(seen.liveness.waiting, std::vector{found.stuck->client});
}

TEST(StuckClient, who_lets_another_go_is_stuck_once_the_others_are_dead) {
    for (const Algorithm& lock :
         {written<LetsAnotherGo>("setnx_del"), written<LetsAnotherGoByName>("setnx_del")}) {
        const SearchResult calm = in_states(lock, "none");
        EXPECT_EQ(name_of(calm.verdict), "holds");
        EXPECT_TRUE(calm.counts_on_waiters);
        const SearchResult crash = in_states(lock, "crash=1");
        EXPECT_EQ(name_of(crash.verdict), "stuck");
        expect_seen_on_stage(lock, bounds_with(lock, "crash=1", 2, 1, 2), crash);
        EXPECT_GT(in_schedules(lock, "crash=1", 200'000).stuck, 0U);
    }
}

TEST(StuckClient, who_is_refused_for_good_is_stuck_in_each_of_its_rounds) {
    const Algorithm once = written<Forbids<1, 100>>("setnx_del");
    EXPECT_EQ(name_of(in_states(once, "none").verdict), "stuck");
    EXPECT_EQ(name_of(in_states(once, "none", 1, 1).verdict), "stuck") << "as it comes again";
    EXPECT_GT(in_schedules(once, "none", 200'000).stuck, 0U);
    const Algorithm thrice = written<Forbids<3, 100>>("setnx_del");
    EXPECT_EQ(name_of(in_states(thrice, "none").verdict), "holds") << "within these bounds";
    EXPECT_EQ(name_of(in_states(thrice, "none", 1, 3).verdict), "stuck");
}

TEST(StuckClient, who_has_done_its_rounds_may_come_again) {
    const Algorithm lock = written<Forbids<100, 1>>("setnx_del");
    const SearchResult found = in_states(lock, "none");
    EXPECT_EQ(name_of(found.verdict), "stuck") << "after one round, in one round";
    expect_seen_on_stage(lock, bounds_with(lock, "none", 2, 1, 2), found);
    const Algorithm twice = written<Forbids<100, 2>>("setnx_del");
    EXPECT_EQ(name_of(in_states(twice, "none").verdict), "holds");
    EXPECT_EQ(name_of(in_states(twice, "none", 2).verdict), "stuck");
}

TEST(StuckClient, is_told_before_anything_has_happened) {
    const Algorithm lock = written<OnlyTheFirst>("setnx_del");
    const SearchResult found = in_states(lock, "none");
    EXPECT_EQ(name_of(found.verdict), "stuck");
    EXPECT_TRUE(found.witness.steps.empty());
    EXPECT_EQ(found.stuck->client, ClientId{1});
    expect_seen_on_stage(lock, bounds_with(lock, "none", 2, 1, 2), found);
}

TEST(StuckClient, is_nobody_where_two_take_turns) {
    const Algorithm lock = written<TakesTurns>("setnx_del");
    for (const std::uint32_t rounds : {1U, 2U}) {
        const SearchResult calm = in_states(lock, "none", rounds);
        EXPECT_EQ(name_of(calm.verdict), "holds") << "the third that is refused is nobody";
    }
    EXPECT_EQ(name_of(in_states(lock, "crash=1").verdict), "stuck");
    const Schedules all = in_schedules(lock, "none", 200'000);
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.stuck, 0U);
}

TEST(StuckClient, symmetry_tells_the_same) {
    for (const char* faults : {"none", "crash=1"}) {
        for (const Algorithm& lock : {ticket_row(), written<NextInLine>("setnx_del"),
                                      written<LetsAnotherGoByName>("setnx_del")}) {
            Bounds bounds = bounds_with(lock, faults, 3, 1, 2);
            const SearchResult reduced = search(lock, bounds);
            bounds.symmetry = false;
            const SearchResult whole = search(lock, bounds);
            EXPECT_EQ(name_of(reduced.verdict), name_of(whole.verdict)) << faults;
            ASSERT_EQ(reduced.stuck.has_value(), whole.stuck.has_value());
            if (!whole.stuck) continue;
            EXPECT_EQ(reduced.stuck->witness.steps.size(), whole.stuck->witness.steps.size());
        }
    }
}

TEST(StuckClient, hides_no_violation) {
    // A crash leaves the key for good. That is soon found; an eviction that lets a second client in
    // takes more steps, and is looked for after it.
    const Algorithm& lock = *algorithm_named("setnx_del");
    const Prover prover(lock, SearchLimits());
    std::vector<Bounds> searches(2, searches_for(lock).front());
    searches[0].faults = parse_faults("crash=1");
    searches[1].faults = parse_faults("evict=1");
    const Proof proof = prover.prove(searches, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(name_of(proof.verdict), "violated");
    ASSERT_TRUE(proof.stuck.has_value());
    EXPECT_LT(proof.searches[*proof.stuck].result.stuck->witness.steps.size(),
              proof.shown().result.witness.steps.size());
}

TEST(StuckClient, waits_for_a_lease_though_nothing_failed) {
    const Algorithm lock = written<RestsForALease>("set_nx_lua");
    const SearchResult found = in_states(lock, "none");
    EXPECT_EQ(name_of(found.verdict), "holds");
    EXPECT_GE(found.longest_orphan, lock.defaults.ttl / 100);
}

}  // namespace
}  // namespace locklab
