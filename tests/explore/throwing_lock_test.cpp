// A lock that throws an exception, or sends a command that is none, says nothing of itself: each
// engine ends its run, and tells the lock's name and what it threw.

#include <gtest/gtest.h>

#include <stdexcept>

#include "algorithms/compare_and_delete.h"
#include "harness/explore/every_schedule.h"
#include "harness/explore/proof.h"
#include "harness/explore/sim_campaign.h"
#include "harness/explore/starvation.h"
#include "harness/play/strategies.h"
#include "tests/explore/written_lock.h"

namespace locklab::throwing_lock_test {
namespace {

using namespace std::chrono_literals;

enum class Where : std::uint8_t {
    taking,
    releasing,
    watching,
    at_once,  ///< a task that throws as it is begun
    nested,
    making,
    making_badly,
    words,
    servers
};

template <Where where>
class Throws final : public DeletesItsKey {
public:
    Throws(Client& client, Key key, const LockOptions& options)
        : DeletesItsKey(client, std::move(key), options) {
        if (where == Where::making) throw std::invalid_argument("no such key");
        if (where == Where::making_badly) throw 2;
    }
    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token, "NX", "PX", ms());
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        if (where == Where::taking) throw std::runtime_error("not locked by me");
        if (where == Where::nested) co_await throws();
        if (where == Where::watching) client_.spawn(throws());
        if (where == Where::servers) co_await client_.command(NodeId{4}, "PING");
        if (where == Where::words) {
            co_await client_.command("MSET", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        }
        co_return Grant{token, ttl_};
    }
    Task<Release> release() override {
        if (where == Where::releasing) throw 1;
        if (where == Where::at_once) client_.spawn(throws_at_once());
        return DeletesItsKey::release();
    }

private:
    Task<> throws() {
        co_await client_.command("GET", key_);
        throw std::logic_error("spoilt");
    }
    Task<> throws_at_once() {
        throw std::logic_error("at once");
        co_return;
    }
};

struct Case {
    const char* name;
    Algorithm lock;
    std::string words;
};

template <Where where>
Case case_of(const char* name, std::string words) {
    return {name, written<Throws<where>>("set_nx_del", name), std::move(words)};
}

const std::string kThrew = "threw an exception: ";

std::vector<Case> cases() {
    return {case_of<Where::taking>("taking", kThrew + "not locked by me"),
            case_of<Where::releasing>("releasing", kThrew + "something that is no std::exception"),
            case_of<Where::watching>("watching", kThrew + "spoilt"),
            case_of<Where::at_once>("at_once", kThrew + "at once"),
            case_of<Where::nested>("nested", kThrew + "spoilt"),
            case_of<Where::making>("making", kThrew + "no such key"),
            case_of<Where::making_badly>("making_badly", kThrew + "something that is no std"),
            case_of<Where::words>("words", "sends a command of more than 16 words"),
            case_of<Where::servers>("servers", "asks server 5 of 1")};
}

class ThrowingLock : public testing::TestWithParam<Case> {
protected:
    void expect_told(Verdict verdict, const std::string& why) const {
        EXPECT_EQ(name_of(verdict), "unknown");
        EXPECT_NE(why.find("the lock " + std::string(lock().name) + " " + GetParam().words),
                  std::string::npos)
            << why;
    }
    const Algorithm& lock() const { return GetParam().lock; }
    const std::atomic<bool> go_on_{false};
};

TEST_P(ThrowingLock, a_campaign_does_not_know) {
    const RunSpec spec = make_run_spec(lock(), lock().defaults, 0s, FaultBudget());
    const CampaignCount count = run_sim_campaign(spec, {1, 600, 10}, go_on_, {});
    expect_told(count.verdict(), count.why_unknown());
}

TEST_P(ThrowingLock, a_search_does_not_know) {
    const Proof proof =
        Prover(lock(), SearchLimits{}).prove(FaultBudget(), go_on_, [](const SearchProgress&) {});
    expect_told(proof.verdict, proof.why_unknown);
}

TEST_P(ThrowingLock, random_schedules_do_not_know) {
    RandomLimits limits;
    limits.schedules = 100;
    limits.threads = 1;
    const RandomResult found =
        search_randomly(lock(), bounds_for(lock()), limits, go_on_, [](std::uint64_t) {});
    expect_told(found.verdict, found.why_unknown);
}

TEST_P(ThrowingLock, plain_schedules_do_not_know) {
    const Explored explored = explore_plainly(lock(), bounds_for(lock()), 100, Watcher());
    expect_told(explored.result.verdict, explored.result.why_unknown);
}

TEST_P(ThrowingLock, a_search_for_starvation_does_not_know) {
    const Starvation found =
        find_starvation(lock(), starvation_bounds(lock()), {}, go_on_, [](std::uint64_t) {});
    expect_told(found.verdict, found.why_unknown);
}

INSTANTIATE_TEST_SUITE_P(Each, ThrowingLock, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace locklab::throwing_lock_test
