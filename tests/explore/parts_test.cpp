// A search that is shared by ranks is to the bit that of one process, whatever it finds, and
// whatever ends it.

#include "harness/explore/parts.h"

#include <gtest/gtest.h>

#include "harness/explore/step_text.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/thread_ranks.h"

namespace locklab::parts_test {
namespace {

const TellProgress kSilent = [](const SearchProgress&) {};

struct Case {
    const char* name;
    const char* algorithm;
    const char* faults;
    std::uint32_t clients;
    std::uint32_t rounds;
    std::uint32_t attempts;
    std::uint32_t servers = 1;
    SearchLimits limits{};

    Bounds bounds() const {
        Bounds bounds = bounds_with(*algorithm_named(algorithm), faults, clients, rounds, attempts);
        bounds.servers = servers;
        return bounds;
    }
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

SearchResult search_of(const Case& c, Ranks* ranks, std::uint32_t threads,
                       const std::atomic<bool>& stop = kGoOn) {
    SearchLimits limits = c.limits;
    limits.threads = threads;
    limits.ranks = ranks;
    return search_exhaustively(*algorithm_named(c.algorithm), c.bounds(), limits,
                               ranks == nullptr ? stop : ranks->stop(), kSilent);
}

std::vector<SearchResult> search_in_ranks(const Case& c, std::uint32_t ranks,
                                          std::uint32_t threads = 1,
                                          const std::atomic<bool>& asked = kGoOn) {
    return in_thread_ranks(
        ranks, [&](Ranks& all) { return search_of(c, &all, threads); }, asked);
}

std::string text_of(const Path& path) {
    std::string text;
    for (const std::int16_t clock : path.clocks) text += std::to_string(clock) + " ";
    for (const Step& step : path.steps) text += to_string(step) + "; ";
    return text;
}

void expect_the_same(const SearchResult& its, const SearchResult& one) {
    EXPECT_EQ(name_of(its.verdict), name_of(one.verdict));
    EXPECT_EQ(its.why_unknown, one.why_unknown);
    EXPECT_EQ(its.exhausted, one.exhausted);
    EXPECT_EQ(its.states, one.states);
    EXPECT_EQ(its.steps, one.steps);
    EXPECT_EQ(its.depth, one.depth);
    EXPECT_EQ(its.digest, one.digest);
    EXPECT_EQ(its.memory, one.memory);
    EXPECT_EQ(its.client_runs, one.client_runs);
    EXPECT_EQ(text_of(its.witness), text_of(one.witness));
    ASSERT_EQ(its.stuck.has_value(), one.stuck.has_value());
    if (one.stuck) {
        EXPECT_EQ(text_of(its.stuck->witness), text_of(one.stuck->witness));
        EXPECT_EQ(its.stuck->client.value, one.stuck->client.value);
    }
    EXPECT_EQ(its.longest_orphan, one.longest_orphan);
    EXPECT_EQ(text_of(its.orphan_witness), text_of(one.orphan_witness));
    EXPECT_EQ(its.counts_on_waiters, one.counts_on_waiters);
    EXPECT_EQ(its.false_refusals.of_own, one.false_refusals.of_own);
    EXPECT_EQ(its.false_refusals.of_nobodys, one.false_refusals.of_nobodys);
    EXPECT_EQ(text_of(its.false_refusals.witness), text_of(one.false_refusals.witness));
    EXPECT_TRUE(its.coverage == one.coverage);
    EXPECT_EQ(its.has_ghosts, one.has_ghosts);
    EXPECT_EQ(its.cuts_tokens, one.cuts_tokens);
}

SearchLimits limited(std::uint64_t states, std::size_t depth) {
    SearchLimits limits;
    limits.states = states;
    limits.depth = depth;
    return limits;
}

SearchLimits asking(Goal goal) {
    SearchLimits limits;
    limits.goal = goal;
    return limits;
}

constexpr std::size_t kAnyDepth = std::numeric_limits<std::size_t>::max();

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint32_t kManyAttempts = 1;
#else
constexpr std::uint32_t kManyAttempts = 2;
#endif

class SearchInRanks : public testing::TestWithParam<Case> {};

TEST_P(SearchInRanks, is_that_of_one_process) {
    const SearchResult one = search_of(GetParam(), nullptr, 1);
    for (const auto& [ranks, threads] : {std::pair(1U, 1U), {2U, 1U}, {3U, 2U}, {4U, 1U}}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks");
        for (const SearchResult& its : search_in_ranks(GetParam(), ranks, threads)) {
            expect_the_same(its, one);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cells, SearchInRanks,
    testing::Values(
        // Levels of several chunks.
        Case{"holds", "set_nx_lua", "lose_reply=1,lose_request=1,retry=1", 4, 1, kManyAttempts},
        Case{"violated", "set_nx_lua", "pause=1", 2, 1, 3},
        Case{"stuck", "setnx_del", "crash=1", 3, 1, 2},
        Case{"stuck_and_violated", "setnx_expire", "crash=1,slow_job=1", 2, 1, 3},
        Case{"asked_for_progress", "setnx_expire", "crash=1,slow_job=1", 2, 1, 3, 1,
             asking(Goal::progress)},
        // It learns late that the lock looks at a clock, and begins anew.
        Case{"looks_at_a_clock", "setnx_getset_epoch", "clock_offset=1", 2, 1, 2},
        // Its clients are told apart when they are done.
        Case{"remembers", "reentrant_watchdog", "retry=1", 2, 1, 3},
        Case{"draws_tokens", "fenced", "lose_reply=1,pause=1", 2, 1, 2},
        Case{"evicts", "set_nx_lua", "evict=1,crash=1", 3, 1, 2},
        Case{"follows_a_replica", "set_nx_lua", "failover=1", 2, 1, 2},
        Case{"hangs", "watchdog_owned", "freeze=1", 2, 1, 2},
        Case{"too_many_states", "set_nx_lua", "crash=1", 3, 1, 3, 1, limited(2000, kAnyDepth)},
        Case{"too_deep", "set_nx_lua", "crash=1", 3, 1, 3, 1, limited(1'000'000, 9)},
        Case{"not_searched", "set_nx_lua", "delay_request=9", 2, 1, 3}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(SearchInRanks, has_a_memory_in_each_rank) {
    Case wide{"", "set_nx_lua", "crash=1,retry=1", 3, 1, 3};
    const SearchResult one = search_of(wide, nullptr, 1);
    ASSERT_EQ(one.verdict, Verdict::holds);
    wide.limits.memory = one.memory - 1;
    EXPECT_EQ(search_of(wide, nullptr, 1).why_unknown, "out of memory");
    for (const SearchResult& its : search_in_ranks(wide, 4)) expect_the_same(its, one);
    wide.limits.memory = one.memory / 8;
    for (const SearchResult& its : search_in_ranks(wide, 4)) {
        EXPECT_EQ(name_of(its.verdict), "unknown");
        EXPECT_EQ(its.why_unknown, "out of memory");
    }
}

TEST(SearchInRanks, ends_in_all_where_one_is_asked_to_stop) {
    const std::atomic<bool> asked{true};
    const Case any{"", "set_nx_lua", "crash=1", 3, 1, 3};
    for (const SearchResult& its : search_in_ranks(any, 3, 1, asked)) {
        EXPECT_EQ(name_of(its.verdict), "unknown");
        EXPECT_EQ(its.why_unknown, "interrupted");
    }
}

/// What a rank throws in what it does after `fail` did something to one of them.
template <class Fail>
std::vector<std::string> thrown_after(const Fail& fail) {
    return in_thread_ranks(
        3,
        [&](Ranks& ranks) {
            Parts<2> parts(&ranks);
            std::vector<ByShard<2>> sources(4);
            Expanded<2> left;
            try {
                fail(ranks, parts, sources);
                parts.agree(left);
                parts.deliver(sources);
                parts.agree(SortedIn());
            } catch (const std::exception& error) {
                return std::string(error.what());
            }
            return std::string();
        },
        kGoOn);
}

TEST(SearchInRanks, fails_in_all_where_one_fails) {
    for (const std::string& its : thrown_after([](Ranks&ranks, Parts<2>&parts, auto&) {
             parts.by_itself([&] {
                 if (ranks.own() == 2) throw std::length_error("too much of the third");
                 if (ranks.own() == 1) throw std::bad_alloc();
             });
         })) {
        EXPECT_EQ(its, "out of memory") << "the first of them tells";
    }
}

TEST(SearchInRanks, is_none_where_one_has_learnt_something_else) {
    for (const std::string& its : thrown_after([](Ranks&ranks, Parts<2>&, auto&sources) {
             if (ranks.own() == 2) sources.back()[0].push_back({});
         })) {
        EXPECT_NE(its.find("have learnt different things"), std::string::npos) << its;
    }
    for (const std::string& its :
         thrown_after([](Ranks&, Parts<2>&, auto& sources) { sources.back()[0].push_back({}); })) {
        EXPECT_EQ(its, "");
    }
}

}  // namespace
}  // namespace locklab::parts_test
