// Locks that ask all their servers alike: of all states that differ only by a renaming of servers
// one is kept, and a lock that tells its servers apart is noticed.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/explore/plain_run.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::like_servers_test {
namespace {

using Replies = std::vector<Reply>;

struct Both {
    SearchResult kept;
    SearchResult all;
};

/// One of all renamings is kept, and all of them are.
Both both_searches(const Algorithm& lock, Bounds bounds) {
    Both both;
    both.kept = search(lock, bounds);
    bounds.server_symmetry = false;
    both.all = search(lock, bounds);
    return both;
}

void expect_the_same_answer(const Both& both, const std::string& what) {
    EXPECT_EQ(both.kept.verdict, both.all.verdict) << what << both.kept.why_unknown;
    EXPECT_EQ(both.kept.why_unknown, both.all.why_unknown) << what;
    EXPECT_EQ(both.kept.depth, both.all.depth) << what;
    EXPECT_EQ(both.kept.witness.steps.size(), both.all.witness.steps.size()) << what;
    EXPECT_EQ(both.kept.longest_orphan, both.all.longest_orphan) << what;
    EXPECT_EQ(both.kept.counts_on_waiters, both.all.counts_on_waiters) << what;
    EXPECT_TRUE(both.kept.coverage == both.all.coverage) << what;
}

/// Cluster makes each step, with the servers as they are called there.
void expect_to_be_played(const Algorithm& lock, const Bounds& bounds, const Path& path) {
    ScriptEngine scripts;
    PlainRun run(lock, bounds, scripts, path.clocks);
    for (const Step& step : path.steps) {
        ASSERT_FALSE(run.is_violated());
        const std::vector<Step> offered = run.offered();
        ASSERT_EQ(std::ranges::count(offered, step), 1);
        ASSERT_TRUE(run.make(step));
    }
    EXPECT_TRUE(run.is_violated());
}

TEST(LikeServers, change_nothing_but_the_number_of_states) {
    for (const char* name : {"redlock", "redlock_no_undo", "redlock_unchecked"}) {
        const Algorithm& lock = *algorithm_named(name);
        std::size_t fewer = 0;
        for (const HazardRow& row : kHazards) {
            if (!applies(lock, row.hazard) || !is_made_in(FaultWorld::search, row.hazard)) continue;
            const std::string faults =
                row.hazard == kNoFault ? "none" : std::string(row.name) + "=1";
            const std::string what = std::string(name) + " under " + faults;
            const Bounds bounds = bounds_with(lock, faults.c_str(), 2, 1, 1);
            const Both both = both_searches(lock, bounds);
            expect_the_same_answer(both, what);
            if (both.all.exhausted) {
                EXPECT_LT(3 * both.kept.states, both.all.states) << what;
                ++fewer;
            }
            if (both.kept.verdict != Verdict::violated) continue;
            SCOPED_TRACE(what);
            expect_to_be_played(lock, bounds, both.kept.witness);
        }
        EXPECT_GT(fewer, 3U) << name;
    }
}

TEST(LikeServers, count_for_several_tries_and_rounds_and_clients) {
    const Algorithm& lock = *algorithm_named("redlock");
    for (const auto& [clients, rounds, attempts] :
         {std::tuple(2U, 1U, 2U), std::tuple(2U, 2U, 1U), std::tuple(3U, 1U, 1U)}) {
        const Both both = both_searches(lock, bounds_with(lock, "none", clients, rounds, attempts));
        const std::string what = std::to_string(clients) + " clients, " + std::to_string(rounds) +
                                 " rounds, " + std::to_string(attempts) + " attempts";
        expect_the_same_answer(both, what);
        EXPECT_EQ(both.kept.verdict, Verdict::holds) << what;
        EXPECT_LT(3 * both.kept.states, both.all.states) << what;
    }
}

TEST(LikeServers, five_of_them_have_few_states_left) {
    const Algorithm& lock = *algorithm_named("redlock");
    Bounds bounds = bounds_with(lock, "lose_request=1", 2, 1, 1);
    bounds.servers = 5;
    const Both both = both_searches(lock, bounds);
    expect_the_same_answer(both, "");
    EXPECT_LT(20 * both.kept.states, both.all.states);
}

/// Random runs, and the same with clients and servers called otherwise.
TEST(LikeServers, one_state_is_kept_whatever_they_are_called) {
    const Algorithm& lock = *algorithm_named("redlock");
    const Bounds bounds = bounds_with(
        lock, "partition=1,delay_request=2,retry=1,freeze=1,restart=1,evict=1,pause=1", 2, 1, 2);
    Rules rules(lock, bounds);
    RandomChoices choices(1);
    std::size_t renamed = 0;
    for (int run = 0; run < 3000; ++run) {
        Renaming called;
        if (run % 2 == 1) std::swap(called.clients[0], called.clients[1]);
        for (int order = run % 6; order > 0; --order) {
            std::next_permutation(called.servers.begin(), called.servers.begin() + 3);
        }
        State one = rules.initial()[0];
        State other = one;
        std::vector<Step> offered;
        for (rules.offer(one, offered); !offered.empty(); rules.offer(one, offered)) {
            const Step step = offered[choices.next() % offered.size()];
            const Step its = rules.renamed(one, step, called);
            one = rules.after(one, step);
            other = rules.after(other, its);
            State kept = one;
            State other_kept = other;
            rules.reduce(kept);
            rules.reduce(other_kept);
            ASSERT_EQ(kept, other_kept);
            renamed += one == other ? 0 : 1;
        }
    }
    EXPECT_TRUE(rules.reduces());
    EXPECT_GT(renamed, 10000U);
}

/// A majority of servers grants it, as in Redlock, and each try has an object of its own. Others
/// are less fair.
class FairMajority : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        replies_ = co_await client_.ask_all("SET", key_, "1", "NX", "PX", ms());
        if (is_taken()) co_return Grant{};
        co_await give_back();
        co_return Refused{};
    }
    Task<Release> release() override {
        co_await give_back();
        co_return Release::yes;
    }

protected:
    virtual bool is_taken() const { return has_most(); }
    /// Where it set the key, or else it would delete another's.
    virtual Task<> give_back() { co_await client_.ask_all("PING"); }
    bool has_most() const {
        return std::ranges::count_if(replies_, &Reply::is_ok) > std::ssize(replies_) / 2;
    }

    Replies replies_;
};

class NeedsTheFirst final : public FairMajority {
    using FairMajority::FairMajority;
    bool is_taken() const override { return has_most() && replies_[0].is_ok(); }
};

/// Not safe: one client can have the first server, and another the other two.
class TrustsTheFirst final : public FairMajority {
    using FairMajority::FairMajority;
    bool is_taken() const override { return has_most() || replies_[0].is_ok(); }
};

/// Asks servers one by one once it knows who set its key.
class GivesBackOneByOne final : public FairMajority {
    using FairMajority::FairMajority;
    Task<> give_back() override {
        for (std::uint32_t i = 0; i < replies_.size(); ++i) {
            if (replies_[i].is_ok()) co_await client_.command(NodeId{i}, "DEL", key_);
        }
    }
};

/// Its first server shows in what it does two steps later.
class RemembersTheFirst final : public FairMajority {
    using FairMajority::FairMajority;
    Task<> give_back() override {
        co_await client_.ask_all("PING");
        if (replies_[0].is_ok()) co_await client_.ask_all("PING");
    }
};

/// The same, but it asks as many things of as many servers.
class AsksByTheFirst final : public FairMajority {
    using FairMajority::FairMajority;
    Task<> give_back() override {
        co_await client_.ask_all("PING");
        co_await client_.ask_all(replies_[0].is_ok() ? "TTL" : "PTTL", key_);
    }
};

template <class Written>
Algorithm majority_of(bool new_each_try = true) {
    Algorithm lock = written<Written>("redlock");
    lock.new_each_try = new_each_try;
    return lock;
}

Both small_searches(const Algorithm& lock) {
    return both_searches(lock, bounds_with(lock, "none", 2, 1, 2));
}

TEST(LikeServers, a_lock_that_tells_them_apart_keeps_all_its_states) {
    const auto expect_all_kept = [](const Algorithm& lock, const char* what) {
        const Both both = small_searches(lock);
        expect_the_same_answer(both, what);
        EXPECT_NE(both.all.verdict, Verdict::unknown) << what << both.all.why_unknown;
        EXPECT_EQ(both.kept.states, both.all.states) << what;
        EXPECT_EQ(both.kept.digest, both.all.digest) << what;
    };
    expect_all_kept(majority_of<NeedsTheFirst>(), "needs the first");
    expect_all_kept(majority_of<TrustsTheFirst>(), "trusts the first");
    expect_all_kept(majority_of<GivesBackOneByOne>(), "gives back one by one");
    expect_all_kept(majority_of<RemembersTheFirst>(), "remembers the first");
    expect_all_kept(majority_of<AsksByTheFirst>(), "asks by the first");
    // Nothing is known of what an object that stays remembers.
    expect_all_kept(majority_of<FairMajority>(false), "has one object");
    expect_all_kept(*algorithm_named("redlock_in_turn"), "asks one after the other");
}

TEST(LikeServers, a_lock_that_tells_them_apart_is_still_broken) {
    EXPECT_EQ(small_searches(majority_of<TrustsTheFirst>()).kept.verdict, Verdict::violated);
    const Both fair = small_searches(majority_of<FairMajority>());
    EXPECT_NE(fair.kept.verdict, Verdict::violated);
    EXPECT_LT(3 * fair.kept.states, fair.all.states);
}

}  // namespace
}  // namespace locklab::like_servers_test
