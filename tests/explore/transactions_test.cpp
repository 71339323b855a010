// Transactions in a search: both forms of the rules count the same schedules of locks that use
// them, and what is open over a connection is lost with it.
#include <gtest/gtest.h>

#include "tests/explore/two_counts.h"
#include "tests/explore/written_lock.h"

namespace locklab::transactions_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMostSchedules = 600'000;

/// Takes a key that nobody has by a transaction, as long as nobody takes it meanwhile.
class TakesByWatch : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        co_await client_.command("WATCH", key_);
        const Reply held = co_await client_.command("EXISTS", key_);
        if (!held.is_integer(0)) {
            co_await client_.command("UNWATCH");
            co_return Refused{};
        }
        const Token token = client_.fresh_token();
        co_await client_.command("MULTI");
        co_await client_.command("SET", key_, token, "PX", ms());
        const Reply done = co_await client_.command("EXEC");
        if (done.is_unknown()) co_return Unknown{};
        if (done.elements().empty()) co_return Refused{};
        co_return Grant{token, ttl_};
    }
};

/// The same, and a watchdog that keeps the key by such a transaction.
class KeepsByWatch final : public TakesByWatch {
public:
    using TakesByWatch::TakesByWatch;

    Task<Acquired> try_acquire() override {
        Acquired taken = co_await TakesByWatch::try_acquire();
        if (taken.grant() != nullptr) watchdog_ = client_.spawn(keep());
        co_return taken;
    }
    Task<Release> release() override {
        client_.cancel(watchdog_);
        co_return co_await TakesByWatch::release();
    }

private:
    Task<> keep() {
        for (;;) {
            co_await client_.sleep(ttl_ / 3);
            co_await client_.command("WATCH", key_);
            co_await client_.command("UNWATCH");
        }
    }
    Background watchdog_;
};

const Algorithm kTakesByWatch = written<TakesByWatch>("set_nx_del", "takes_by_watch");

struct Case {
    const char* faults;
    bool takes = false;  ///< by a transaction; else it only gives back by one
    std::uint32_t clients = 2;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << (c.takes ? "takes" : "gives back") << " under " << c.faults << ", " << c.clients
         << " clients";
}

class Transactions : public testing::TestWithParam<Case> {};

TEST_P(Transactions, lead_to_as_many_schedules_in_tables_and_in_the_cluster) {
    const Case& c = GetParam();
    const Algorithm& lock = c.takes ? kTakesByWatch : *algorithm_named("watch_multi_del");
    const Bounds bounds = bounds_with(lock, c.faults, c.clients, 1, 1);
    expect_the_same_of_tables(
        lock, bounds, every_schedule(lock, bounds, kMostSchedules, kGoOn, [](std::uint64_t) {}));
}

INSTANTIATE_TEST_SUITE_P(
    Few, Transactions,
    testing::Values(Case{"none"}, Case{"crash=1"}, Case{"retry=1", false, 1},
                    Case{"lose_reply=1", false, 1}, Case{"reset=1", false, 1},
                    Case{"evict=1", false, 1}, Case{"delay_request=1", false, 1},
                    Case{"restart=1", false, 1}, Case{"restart_snapshot=1", false, 1},
                    Case{"failover=1", false, 1}, Case{"pause=1", false, 1},
                    Case{"server_clock_jump=1", false, 1}, Case{"delay_request=1", true, 1},
                    Case{"delay_request=1,crash=1", true, 1}),
    [](const auto& row) { return test_name(testing::PrintToString(row.param)); });

/// Each has seen the key free, and only one runs what it has queued.
TEST(Transaction, is_dropped_where_another_has_taken_the_key) {
    const SearchResult found = search(kTakesByWatch, bounds_with(kTakesByWatch, "none", 3, 1, 1));
    EXPECT_EQ(found.verdict, Verdict::holds);
    EXPECT_TRUE(found.exhausted);
}

TEST(Transaction, of_a_watchdog_is_not_searched) {
    const Algorithm lock = written<KeepsByWatch>("watchdog_owned");
    const SearchResult found = search(lock, bounds_with(lock, "none"));
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_NE(found.why_unknown.find("watches a key"), std::string::npos) << found.why_unknown;
}

/// A client library that sends the rest of a transaction again, over another connection, sends it
/// unwatched. That matters where the key expires before its time-out.
TEST(Transaction, is_unwatched_over_another_connection) {
    const Algorithm& lock = *algorithm_named("watch_multi_del");
    Bounds bounds = bounds_with(lock, "retry=1", 2, 2, 2);
    EXPECT_EQ(search(lock, bounds).verdict, Verdict::holds);
    bounds.command_timeout = 1100ms;
    const SearchResult found = search(lock, bounds);
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.witness.steps.size(), 25U);
}

}  // namespace
}  // namespace locklab::transactions_test
