// What a server is beside its keys and values: the scripts that it has cached, and when each key
// expires. Both forms of the rules count the same schedules of locks to which that matters.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/core/sha1.h"
#include "harness/explore/every_schedule.h"
#include "harness/explore/sim_run.h"
#include "harness/explore/state_graph.h"
#include "harness/explore/walker.h"
#include "harness/play/explored.h"
#include "harness/play/proof_text.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/two_counts.h"
#include "tests/explore/written_lock.h"

namespace locklab::server_state_test {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostSchedules = 400'000;

const Algorithm& lock_named(std::string_view name) { return corpus::entry_named(name)->algorithm; }

struct Case {
    const char* lock;
    const char* faults;
    std::uint32_t clients = 2;
    std::uint32_t attempts = 1;
    std::uint32_t leaves = 0;
    bool any_length = false;
};

Bounds bounds_of(const Case& c) {
    Bounds bounds = bounds_with(lock_named(c.lock), c.faults, c.clients, 1, c.attempts);
    bounds.leaves = c.leaves;
    bounds.any_length = c.any_length;
    return bounds;
}

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.lock << " under " << c.faults << ", " << c.clients << " clients, " << c.attempts
         << " attempts" << (c.leaves > 0 ? ", leaves" : "") << (c.any_length ? ", any length" : "");
}

class ServerState : public testing::TestWithParam<Case> {};

TEST_P(ServerState, leads_to_as_many_schedules_in_tables_and_in_the_cluster) {
    const Algorithm& lock = lock_named(GetParam().lock);
    const Bounds bounds = bounds_of(GetParam());
    expect_the_same_of_tables(
        lock, bounds, every_schedule(lock, bounds, kMostSchedules, kGoOn, [](std::uint64_t) {}));
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, ServerState,
    testing::Values(Case{"loads_once", "none"}, Case{"loads_once", "restart=1"},
                    Case{"loads_once", "failover=1", 1}, Case{"by_known_digest", "none"},
                    Case{"by_known_digest", "restart=1", 1, 2},
                    Case{"by_known_digest", "restart_snapshot=1", 1},
                    Case{"by_known_digest", "failover=1", 1}, Case{"by_known_digest", "evict=1", 1},
                    Case{"by_known_digest", "flush=1"}, Case{"by_known_digest", "retry=1"},
                    Case{"refused_deletes_by_digest", "none"},
                    Case{"deletes_until_loaded", "retry=1"}, Case{"flushes_scripts", "none"},
                    Case{"loads_for_next_time", "none"}));

INSTANTIATE_TEST_SUITE_P(
    Times, ServerState,
    testing::Values(
        Case{"heartbeat_beside", "none"}, Case{"heartbeat_beside", "crash=1"},
        Case{"heartbeat_beside", "none", 2, 2, 1},
        Case{"heartbeat_beside", "server_clock_jump=1", 1, 1, 1},
        Case{"heartbeat_beside", "restart_snapshot=1", 1, 1, 1},
        Case{"heartbeat_beside", "failover=1", 1, 1, 1}, Case{"heartbeat_beside", "evict=1", 2},
        Case{"heartbeat_beside", "none", 2, 1, 1, true}, Case{"short_heartbeat", "none"},
        Case{"place_in_queue", "crash=1"}, Case{"turn_without_asking", "none", 2, 2},
        Case{"cools_down", "crash=1", 2, 2}, Case{"renewed_heartbeat", "none", 1, 1, 1},
        Case{"renewed_heartbeat", "evict=1", 1, 1, 1},
        Case{"renewed_heartbeat", "flush=1", 1, 1, 1}, Case{"mirrored_and_signed", "evict=1", 2},
        Case{"mirrored_and_signed", "flush=1", 2}, Case{"named_alive", "evict=1", 2},
        Case{"named_alive", "evict=1", 1, 1, 1},
        Case{"renewed_heartbeat", "server_clock_jump=1", 1, 1, 1}));

/// What a state keeps of a key is named by its client, and clients change their numbers.
TEST(TokenKeys, are_evicted_alike_with_and_without_symmetry) {
    for (const std::string_view name : {"mirrored_and_signed", "named_alive"}) {
        for (const std::uint32_t clients : {2U, 3U}) {
            const Algorithm& lock = lock_named(name);
            Bounds bounds = bounds_with(lock, "evict=1", clients, 1, 2);
            const SearchResult reduced = search(lock, bounds);
            bounds.symmetry = false;
            const SearchResult whole = search(lock, bounds);
            SCOPED_TRACE(std::string(name) + " of " + std::to_string(clients));
            EXPECT_EQ(name_of(reduced.verdict), name_of(whole.verdict));
            EXPECT_EQ(reduced.verdict == Verdict::violated, name == "named_alive");
            EXPECT_EQ(reduced.witness.steps.size(), whole.witness.steps.size());
            EXPECT_EQ(reduced.depth, whole.depth);
            EXPECT_LT(reduced.states, whole.states);
            EXPECT_EQ(reduced.coverage.unlisted_key, "");
        }
    }
}

/// Sets two keys that expire at the same moment, and two that expire before and after the lock's.
class ExpiresTogether final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        static constexpr Script kTake{
            "take_with_three",
            "if redis.call('exists', KEYS[1], KEYS[1] .. ':a') > 0 then return 0 end "
            "for name, times in pairs({[':a'] = 1, [':b'] = 1, [':c'] = 2}) do "
            "redis.call('set', KEYS[1] .. name, ARGV[1], 'PX', ARGV[2] * times) end "
            "redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1"};
        const Token token = client_.fresh_token();
        const Reply took = co_await client_.eval(kTake, key_, token, ms());
        if (took.failed()) co_return Failed{took};
        if (!took.is_integer(1)) co_return Refused{};
        co_return Grant{token, ttl_};
    }
};

TEST(ServerStateTies, of_four_keys_are_the_same_in_both_forms) {
    const Algorithm lock = written<ExpiresTogether>("set_nx_del", "expires_together");
    for (const char* faults : {"none", "crash=1", "server_clock_jump=1", "evict=1", "flush=1"}) {
        SCOPED_TRACE(faults);
        Bounds bounds = bounds_with(lock, faults, faults == std::string("none") ? 2 : 1, 1, 1);
        bounds.leaves = 1;
        bounds.any_length = false;
        const Schedules plain =
            every_schedule(lock, bounds, kMostSchedules, kGoOn, [](std::uint64_t) {});
        ASSERT_TRUE(plain.complete);
        const Odds odds = odds_of(lock, bounds, Path(), kMemory, kGoOn);
        ASSERT_TRUE(odds.complete) << odds.why_not;
        EXPECT_EQ(odds.schedules, static_cast<double>(plain.count));
        EXPECT_EQ(odds.violated_schedules, static_cast<double>(plain.violated));
    }
}

std::string digest_of(std::string_view lua) { return to_hex(sha1(lua)); }

/// The digest of the script that the command makes its server know; empty: of none.
std::string digest_made_known(const Command& command) {
    if (command.script() != nullptr) return digest_of(command.script()->lua);
    return command[0] == "EVAL" ? digest_of(command[1]) : "";
}

/// As a real server does it: tests/live/failover_test.cpp looks.
TEST(ServerScripts, are_lost_in_a_restart_and_stay_behind_in_a_failover) {
    const Algorithm& lock = lock_named("by_known_digest");
    for (const Hazard hazard : {Hazard::restart, Hazard::restart_snapshot, Hazard::failover,
                                Hazard::evict, Hazard::flush}) {
        SCOPED_TRACE(name_of(hazard));
        FaultBudget faults;
        faults[hazard] = 1;
        SimRunner runner(make_run_spec(lock, lock.defaults, Duration::zero(), faults));
        std::size_t forgot = 0;  // though some server had known it
        for (std::uint64_t run = 0; run < 40; ++run) {
            std::map<NodeId, std::set<std::string>> known;
            std::set<std::string> ever_known;
            for (const Event& event : runner.run(1, run).history.events) {
                if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
                    if (restarts_server(fault->hazard)) known[fault->node].clear();
                }
                const auto* ran = std::get_if<event::Executed>(&event.detail);
                if (ran == nullptr || ran->node == kOracle) continue;
                const std::string made_known = digest_made_known(ran->command);
                if (!made_known.empty()) {
                    known[ran->node].insert(made_known);
                    ever_known.insert(made_known);
                }
                if (ran->command.script() != nullptr || ran->command[0] != "EVALSHA") continue;
                const std::string digest(ran->command[1]);
                const bool is_no_script = ran->reply.text().starts_with("NOSCRIPT");
                EXPECT_EQ(is_no_script, !known[ran->node].contains(digest));
                forgot += is_no_script && ever_known.contains(digest) ? 1 : 0;
            }
        }
        EXPECT_EQ(forgot > 0, !deletes_keys(hazard));
    }
}

/// Random schedules share the tables of a search, and see what it sees.
TEST(ServerStateWalks, see_what_a_cached_script_does) {
    const Algorithm& lock = lock_named("refused_deletes_by_digest");
    for (const Strategy strategy : {Strategy::uniform, Strategy::pct, Strategy::walk}) {
        Walker walker(lock, bounds_with(lock, "none", 3), strategy, 2);
        bool violated = false;
        for (std::uint64_t i = 0; i < 2'000 && !violated; ++i) violated = walker.walk(1, i);
        EXPECT_TRUE(violated);
    }
}

std::string coverage_of_search(const Algorithm& lock) {
    Explored explored;
    explored.algorithm = &lock;
    explored.bounds = bounds_with(lock, "none");
    explored.exercised = search(lock, explored.bounds).coverage;
    return coverage_text(explored);
}

TEST(CoverageText, says_which_command_was_answered_with_nothing_but_an_error) {
    const std::string nothing = coverage_of_search(lock_named("takes_no_script_for_gone"));
    EXPECT_NE(nothing.find("EVALSHA e9f69f2b (release, answered only NOSCRIPT)"), std::string::npos)
        << nothing;
    const std::string both = coverage_of_search(lock_named("loads_for_next_time"));
    EXPECT_NE(both.find("SCRIPT LOAD (release)"), std::string::npos) << both;
    const std::string once = coverage_of_search(lock_named("loads_once"));
    EXPECT_EQ(once.find("NOSCRIPT"), std::string::npos) << once;
}

/// The server's clock, asked for as the text of a script does not show.
class AsksForTime : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply took = co_await client_.eval(script(), key_, "PXAT");
        if (!took.is_ok()) co_return Refused{};
        co_return Grant{Token{"1"}, ttl_};
    }

private:
    virtual const Script& script() const = 0;
};

template <const Script* text>
class AsksBy final : public AsksForTime {
public:
    using AsksForTime::AsksForTime;

private:
    const Script& script() const override { return *text; }
};

constexpr Script kApostrophe{"after_an_apostrophe",
                             "-- the server's clock\n"
                             "local now = redis.call('time')\n"
                             "return redis.call('set', KEYS[1], now[1], 'NX')"};
constexpr Script kBrackets{"in_brackets",
                           "local now = redis.call([[time]])\n"
                           "return redis.call('set', KEYS[1], now[1], 'NX')"};
constexpr Script kTwoWords{"of_two_words",
                           "local now = redis.pcall('ti' .. 'me')\n"
                           "return redis.call('set', KEYS[1], now[1], 'NX')"};
constexpr Script kArgument{"in_an_argument",
                           "return redis.call('set', KEYS[1], 1, ARGV[1], '1800000000000', 'NX')"};
constexpr Script kNames{"names_it_and_does_not_ask",
                        "-- 'time' and \"PXAT\"\n"
                        "return redis.call('set', KEYS[1], 'TIME', 'NX')"};

template <const Script* text>
SearchResult search_of() {
    const Algorithm lock = written<AsksBy<text>>("setnx_del", "asks_for_time");
    return search(lock, bounds_with(lock, "none"));
}

TEST(ServerClock, is_noticed_by_what_a_script_asked_for_and_not_by_its_text) {
    for (const SearchResult& found : {search_of<&kApostrophe>(), search_of<&kBrackets>(),
                                      search_of<&kTwoWords>(), search_of<&kArgument>()}) {
        EXPECT_EQ(name_of(found.verdict), "unknown");
        EXPECT_NE(found.why_unknown.find("tell it a time of day"), std::string::npos)
            << found.why_unknown;
    }
    const SearchResult found = search_of<&kNames>();
    EXPECT_EQ(name_of(found.verdict), "holds") << found.why_unknown;
}

}  // namespace
}  // namespace locklab::server_state_test
