// Locks on several servers: both forms of the rules count the same schedules, a script says which
// server it means, and pictures show the key at each.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/explore/every_schedule.h"
#include "harness/explore/random_search.h"
#include "harness/explore/state_graph.h"
#include "harness/explore/walker.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_words.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/two_counts.h"

namespace locklab::several_servers_test {
namespace {

const Algorithm& lock_named(std::string_view name) {
    const Algorithm* known = algorithm_named(name);
    return known != nullptr ? *known : corpus::entry_named(name)->algorithm;
}

struct Case {
    const char* algorithm;
    const char* faults;
    std::uint32_t clients;
    double schedules;  ///< what both forms found; the first was listed by hand
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.algorithm << " under " << c.faults << ", " << c.clients << " clients";
}

class SchedulesOnSeveralServers : public testing::TestWithParam<Case> {};

TEST_P(SchedulesOnSeveralServers, are_as_many_as_paths) {
    const Case& c = GetParam();
    const Algorithm& lock = lock_named(c.algorithm);
    const Bounds bounds = bounds_with(lock, c.faults, c.clients, 1, 1);
    const Schedules plain = every_schedule(lock, bounds, 2'000'000, kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(static_cast<double>(plain.count), c.schedules);
    expect_the_same_of_tables(lock, bounds, plain);
}

Bounds on_five_masters(const Algorithm& lock, const char* faults, std::uint32_t clients) {
    Bounds bounds = bounds_with(lock, faults, clients, 1, 1);
    bounds.servers = 5;
    return bounds;
}

/// What a walk remembers of a place is of that state, on however many servers.
TEST(WalkOnSeveralServers, takes_what_its_state_offers_and_nothing_else) {
    const auto look = [](const Algorithm& lock, const Bounds& bounds) {
        Walker walker(lock, bounds, Strategy::walk, 0);
        for (std::uint64_t number = 0; number < 200; ++number) {
            const bool violated = walker.walk(1, number);
            Rules& rules = walker.rules();
            State state = rules.initial()[0];
            std::vector<Step> offered;
            for (const Step& step : walker.path().steps) {
                ASSERT_FALSE(rules.is_violated(state)) << lock.name;
                rules.offer(state, offered);
                ASSERT_NE(std::ranges::find(offered, step), offered.end()) << lock.name;
                state = rules.after(state, step);
            }
            ASSERT_EQ(rules.is_violated(state), violated) << lock.name;
        }
    };
    const Algorithm& one = lock_named("set_nx_del");
    look(one, bounds_with(one, "restart=1,delay_request=1,pause=1", 3));
    const Algorithm& five = lock_named("everywhere");
    look(five, on_five_masters(five, "restart=1,delay_request=1", 2));
}

// The orders of five SETs, a job that ends at once or in time, the orders of five releases.
TEST(FiveMasters, have_as_many_schedules_as_can_be_listed) {
    const Algorithm& lock = lock_named("everywhere");
    const Bounds bounds = on_five_masters(lock, "none", 1);
    const Schedules plain = every_schedule(lock, bounds, 2'000'000, kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(plain.count, 120U * 2 * 120);
    const Odds odds = odds_of(lock, bounds, Path(), std::uint64_t{1} << 30, kGoOn);
    EXPECT_EQ(odds.schedules, 120.0 * 2 * 120);
}

TEST(FiveMasters, are_searched_by_any_number_of_threads) {
    const Algorithm& lock = lock_named("majority");
    const Bounds bounds = on_five_masters(lock, "none", 2);
    const SearchResult one = search(lock, bounds, 1);
    EXPECT_EQ(one.verdict, Verdict::holds) << one.why_unknown;
    EXPECT_TRUE(one.exhausted);
    EXPECT_EQ(one.states, 102'764U);
    EXPECT_EQ(search(lock, bounds, 2).digest, one.digest);
    const SearchResult forgotten = search(lock, on_five_masters(lock, "restart=1", 2));
    EXPECT_EQ(forgotten.verdict, Verdict::violated) << "any two majorities share one";
}

TEST(FiveMasters, are_unknown_where_memory_ends_and_six_are_not_searched) {
    const Algorithm& lock = lock_named("majority");
    SearchLimits limits;
    limits.memory = std::uint64_t{8} << 20;
    const auto with = [&](const Bounds& bounds) {
        return search_exhaustively(lock, bounds, limits, kGoOn, [](const SearchProgress&) {});
    };
    const SearchResult full = with(on_five_masters(lock, "none", 4));
    EXPECT_EQ(full.verdict, Verdict::unknown);
    EXPECT_EQ(full.why_unknown, "out of memory");
    EXPECT_LT(full.memory, 3 * limits.memory);
    Bounds six = on_five_masters(lock, "none", 2);
    six.servers = 6;
    EXPECT_EQ(with(six).why_unknown, "locks on more than 5 servers are not searched");
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
    const Case& c = info.param;
    return test_name(std::string(c.algorithm) + " " + c.faults + " " + std::to_string(c.clients));
}

INSTANTIATE_TEST_SUITE_P(
    Few, SchedulesOnSeveralServers,
    // Two orders of the SETs, a job that ends at once or in time, two orders of the releases. With
    // a reply that is lost: these 8, 8 whose try ends with giving back, 16 whose release lacks one.
    testing::Values(Case{"everywhere", "none", 1, 8}, Case{"everywhere", "restart=1", 1, 132},
                    Case{"everywhere", "lose_reply=1", 1, 32},
                    Case{"everywhere", "delay_request=1", 1, 176},
                    Case{"everywhere", "retry=1", 1, 32},
                    Case{"everywhere", "delay_reply=1", 1, 88}, Case{"in_turn", "evict=1", 1, 44},
                    Case{"in_turn", "none", 2, 31464}, Case{"half", "none", 2, 144580}),
    name_of_case);

// One client makes six steps, with a job that ends at once or in time. One reader and one writer
// are in each other's way as any two are: as many schedules as with set_nx_lua.
INSTANTIATE_TEST_SUITE_P(Shared, SchedulesOnSeveralServers,
                         testing::Values(Case{"two_at_once", "none", 1, 2},
                                         Case{"two_at_once", "none", 2, 1700},
                                         Case{"two_at_once", "crash=1", 2, 8246},
                                         Case{"readers_and_a_writer", "none", 2, 302},
                                         Case{"readers_and_a_writer", "pause=1", 2, 14778},
                                         Case{"writer_sees_only_writers", "none", 2, 571}),
                         name_of_case);

// No lock at all, listed by hand: its job ends at once, or in time. The failover comes before it
// begins, in it, before or after time has passed, or never; where it comes, the client learns of it
// at any moment until its end, or not before: 2 without, 4 and 8 with.
INSTANTIATE_TEST_SUITE_P(WithAFailover, SchedulesOnSeveralServers,
                         testing::Values(Case{"no_lock", "failover=1", 1, 14},
                                         Case{"set_nx_lua", "failover=1", 1, 62},
                                         Case{"set_nx_lua", "failover=1,retry=1", 1, 215},
                                         Case{"set_nx_lua", "failover=1,delay_request=1", 1, 698},
                                         Case{"set_nx_lua", "failover=1,restart=1", 1, 913},
                                         Case{"setnx_del", "failover=1,pause=1", 1, 1032},
                                         Case{"watchdog_owned", "failover=1", 1, 3534},
                                         Case{"set_nx_del", "failover=1", 2, 143962}),
                         name_of_case);

constexpr const char* kForgets = R"(title: One of two servers forgets
source: "001"
hits: locks on several servers
ttl: 10s
topology: masters:2
cast: [A, B]
script:
  - A acquires
  - Redis 2 restarts
  - B tries
  - A's next EVAL at Redis 1 is lost
  - A releases
expect:
  everywhere, half:
    why: the servers know nothing of one another.
)";

Play play_with(std::string_view algorithm) {
    static const Scenario scenario =
        read_scenario(kForgets, "forgets.yaml", {"everywhere", "half"});
    return play_in_sim(scenario, lock_named(algorithm));
}

TEST(SeveralServersScenario, which_one_is_meant_matters) {
    EXPECT_EQ(play_with("everywhere").judgement.verdict, Verdict::holds);
    EXPECT_EQ(play_with("half").judgement.verdict, Verdict::violated);
    EXPECT_TRUE(play_with("everywhere").passed_over.empty());
}

TEST(SeveralServersScenario, the_key_is_shown_at_each) {
    const Timeline timeline = make_timeline(play_with("everywhere").scene);
    EXPECT_EQ(timeline.nodes, 2U);
    std::string text;
    for (const TimelineRow& row : timeline.rows) {
        text += sentence(timeline, row) + " | " + key_text(timeline, row) + "\n";
    }
    EXPECT_NE(text.find("Redis 2 restarts, and comes back empty"), std::string::npos) << text;
    EXPECT_NE(text.find("1: t1 of A, 10 s left; 2: none"), std::string::npos) << text;
}

TEST(SeveralServersScenario, a_server_that_is_not_there_is_refused) {
    std::string text = kForgets;
    const auto complaint = [&]() -> std::string {
        try {
            read_scenario(text, "f.yaml", {"everywhere", "half"});
        } catch (const ScenarioError& error) {
            return error.what();
        }
        return "";
    };
    text.replace(text.find("Redis 2"), 7, "Redis 3");
    EXPECT_EQ(complaint(),
              "f.yaml:9:11: there is no Redis 3; right would be 'topology: masters:3' or a lower "
              "number");
    text.replace(text.find("masters:2"), 9, "masters:9");
    EXPECT_EQ(complaint(),
              "f.yaml:5:11: 'topology' is 'masters:9'; right would be one, masters:2 up to "
              "masters:5, or replicas:1");
}

TEST(Topology, is_read_as_it_is_written) {
    for (const char* text : {"one", "masters:2", "masters:5", "replicas:1"}) {
        const auto topology = parse_topology(text);
        ASSERT_TRUE(topology) << text;
        EXPECT_EQ(to_string(*topology), text);
    }
    for (const char* text :
         {"", "two", "masters", "masters:", "masters:0", "masters:6", "masters:2x", "masters:-1",
          "masters:99999999999", "replicas:2", "replicas:0"}) {
        EXPECT_FALSE(parse_topology(text)) << text;
    }
}

}  // namespace
}  // namespace locklab::several_servers_test
