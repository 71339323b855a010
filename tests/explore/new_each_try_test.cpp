// Locks whose tries have a lock object each: the tables keep one of the histories of a client that
// is between two tries, and show what all of them show.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/explore/two_counts.h"

namespace locklab::new_each_try_test {
namespace {

struct Case {
    const char* algorithm;
    const char* faults;
    std::uint32_t clients;
    std::uint32_t rounds;
    std::uint32_t attempts;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.algorithm << " under " << c.faults << ", " << c.clients << " clients, " << c.rounds
         << " rounds, " << c.attempts << " attempts";
}

Bounds bounds_of(const Case& c) {
    return bounds_with(*algorithm_named(c.algorithm), c.faults, c.clients, c.rounds, c.attempts);
}

class NewEachTry : public testing::TestWithParam<Case> {};

TEST_P(NewEachTry, has_as_many_schedules_as_paths) {
    const Case& c = GetParam();
    const Algorithm& lock = *algorithm_named(c.algorithm);
    const Bounds bounds = bounds_of(c);
    const Schedules plain = every_schedule(lock, bounds, 3'000'000, kGoOn, [](std::uint64_t) {});
    EXPECT_GT(plain.count, 100U);
    expect_the_same_of_tables(lock, bounds, plain);
}

INSTANTIATE_TEST_SUITE_P(Redlock, NewEachTry,
                         testing::Values(Case{"redlock", "none", 1, 2, 2},
                                         Case{"redlock", "lose_reply=1", 1, 2, 2},
                                         Case{"redlock_in_turn", "delay_request=1", 1, 2, 1},
                                         Case{"redlock", "delay_reply=1", 1, 1, 2},
                                         Case{"redlock_in_turn", "pause=1", 1, 2, 1},
                                         Case{"redlock_in_turn", "lose_request=1", 1, 2, 2},
                                         Case{"redlock_unchecked", "lose_reply=1", 1, 2, 2}),
                         [](const auto& row) {
                             return test_name(testing::PrintToString(row.param));
                         });

/// The same outcome, by a way as long, in fewer states.
TEST(NewEachTry, changes_nothing_but_the_number_of_states) {
    for (const Case& c :
         {Case{"redlock", "restart=1", 2, 1, 2}, Case{"redlock", "pause=1", 2, 1, 2},
          Case{"redlock_in_turn", "none", 2, 1, 2}, Case{"redlock_no_undo", "none", 2, 1, 2}}) {
        const Algorithm& lock = *algorithm_named(c.algorithm);
        Bounds bounds = bounds_of(c);
        const SearchResult merged = search(lock, bounds);
        bounds.forgets_tries = false;
        const SearchResult all = search(lock, bounds);
        EXPECT_EQ(merged.verdict, all.verdict) << testing::PrintToString(c);
        EXPECT_EQ(merged.witness.steps.size(), all.witness.steps.size())
            << testing::PrintToString(c);
        EXPECT_TRUE(merged.coverage == all.coverage) << testing::PrintToString(c);
        EXPECT_LE(merged.states, all.states) << testing::PrintToString(c);
    }
}

/// A lock on one server, whose clients fail often: the same schedules with a new object for each
/// try and with one object for all, in fewer states if what is alike is one.
TEST(NewEachTry, has_the_schedules_of_a_lock_object_that_stays) {
    const Algorithm& stays = *algorithm_named("set_nx_lua");
    Algorithm anew = stays;
    anew.new_each_try = true;
    for (const char* faults : {"lose_request=1", "delay_request=1"}) {
        const Bounds bounds = bounds_with(stays, faults, 2, 2, 3);
        const auto odds = [&](const Algorithm& lock) {
            return odds_of(lock, bounds, Path(), std::uint64_t{1} << 30, kGoOn);
        };
        const Odds of_one = odds(stays);
        const Odds of_many = odds(anew);
        ASSERT_TRUE(of_one.complete && of_many.complete) << of_one.why_not << of_many.why_not;
        EXPECT_EQ(of_many.schedules, of_one.schedules) << faults;
        EXPECT_EQ(of_many.violated_schedules, of_one.violated_schedules) << faults;
        EXPECT_LT(search(anew, bounds).states, search(stays, bounds).states) << faults;
    }
}

/// Its token tells when it was drawn.
class UsesTheReading : public Lock {
public:
    UsesTheReading(Client& client, Key key) : client_(client), key_(std::move(key)) {}
    Task<Acquired> try_acquire() override {
        const std::string value = std::to_string(us(client_.monotonic()));
        const Reply set = co_await client_.command("SET", key_, value, "NX", "PX", 1200);
        if (set.failed()) co_return Failed{set};
        if (set.is_ok()) co_return Grant{};
        co_return Refused{};
    }
    Task<Release> release() override {
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

private:
    Client& client_;
    const Key key_;
};

TEST(NewEachTry, is_not_searched_where_a_reading_is_more_than_a_difference) {
    Algorithm lock = *algorithm_named("redlock");
    lock.redis_servers = 1;
    lock.make = [](Client& client, const Key& key, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<UsesTheReading>(client, key);
    };
    const SearchResult found = search(lock, bounds_with(lock, "none"));
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_NE(found.why_unknown.find("new_each_try"), std::string::npos) << found.why_unknown;
}

/// One empty restart of one of three servers breaks Redlock, and so does a pause after its check.
TEST(NewEachTry, redlock_falls_to_what_the_argument_of_2016_says) {
    const auto steps = [](const char* algorithm, const char* faults) {
        const SearchResult found = search(algorithm, faults, 2, 1, 2);
        EXPECT_EQ(found.verdict, Verdict::violated) << algorithm << " " << faults;
        return found.witness.steps.size();
    };
    EXPECT_EQ(steps("redlock", "restart=1"), 11U);
    EXPECT_EQ(steps("redlock", "pause=1"), 13U);
    EXPECT_EQ(steps("redlock", "slow_job=1"), 11U);
}

}  // namespace
}  // namespace locklab::new_each_try_test
