// Whether a client can be passed over for ever: what a search says of locks, fair ones and others,
// against their rows.

#include "harness/explore/starvation.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "harness/explore/components.h"
#include "harness/explore/step_text.h"
#include "harness/play/starved.h"
#include "tests/explore/fair_locks.h"
#include "tests/explore/search_bounds.h"

namespace locklab::starvation_test {
namespace {

constexpr const char* kLike = "setnx_del";

Starvation starvation_of(const Algorithm& lock, std::uint32_t clients = 2,
                         std::uint64_t states = StarvationLimits().states) {
    Bounds bounds = starvation_bounds(lock);
    bounds.clients = clients;
    return find_starvation(lock, bounds, {states}, kGoOn, [](std::uint64_t) {});
}

/// Where a row and a search do not agree; empty where they do.
std::string disagreement(const Algorithm& row, const Starvation& found) {
    switch (found.verdict) {
        case Verdict::violated: return row.fair ? "the row says fair, and there is a lasso" : "";
        case Verdict::holds: return row.fair ? "" : "the row does not say fair, and none starves";
        case Verdict::stuck:
        case Verdict::not_seen:
        case Verdict::unknown: break;
    }
    return "unknown: " + found.why_unknown;
}

/// By the numbers of their nodes.
using Successors = std::map<std::uint32_t, std::vector<std::uint32_t>>;

std::vector<std::uint32_t> components_of(std::uint32_t nodes, const Successors& graph) {
    return components(nodes, [&](std::uint32_t node, auto visit) {
        const auto to = graph.find(node);
        if (to == graph.end()) return;
        for (const std::uint32_t one : to->second) visit(one);
    });
}

TEST(Components, are_those_that_one_lists_by_hand) {
    // 0 -> 1 <-> 2 -> 3 -> 4 -> 3, and 5 alone, with an edge to itself.
    const auto found =
        components_of(6, {{0, {1}}, {1, {2}}, {2, {1, 3}}, {3, {4}}, {4, {3, 3}}, {5, {5}}});
    EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 1, 1, 3, 3, 5}));
}

TEST(Components, of_a_long_circle_are_one) {
    constexpr std::uint32_t kNodes = 100'000;
    const auto found =
        components(kNodes, [](std::uint32_t node, auto visit) { visit((node + 1) % kNodes); });
    EXPECT_TRUE(std::ranges::all_of(found, [&](std::uint32_t one) { return one == found[0]; }));
}

/// Each client wants nothing, is in a job, or at its end: 9 states. Each can go on in all of them,
/// and time can pass in the 3 where somebody is in a job and nobody at its end.
TEST(Laps, of_no_lock_are_those_that_one_lists_by_hand) {
    const Algorithm& lock = *algorithm_named("no_lock");
    const Starvation found = starvation_of(lock);
    EXPECT_EQ(found.states, 9U);
    EXPECT_EQ(found.steps, 9U * 2 + 3);
    EXPECT_EQ(found.granted, 3U * 2);  // where that client wants nothing
    EXPECT_EQ(found.refused, 0U);
    EXPECT_TRUE(found.exhausted);
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_EQ(found.why_unknown, "not every client was refused, so nobody need have waited");
}

TEST(Starvation, is_what_the_rows_of_the_registry_say) {
    for (const Algorithm& row : algorithms()) {
        std::string expected;
        if (row.control == Control::grants_always) {
            expected = "unknown: not every client was refused, so nobody need have waited";
        } else if (row.reads_wall_clock) {
            expected =
                "unknown: the lock reads its client's clock, which never shows the same time again";
        }
        EXPECT_EQ(disagreement(row, starvation_of(row)), expected) << row.name;
    }
}

/// The counters grow without end, and the states are finitely many.
TEST(Starvation, of_tickets_there_is_none) {
    for (Algorithm row : {ticket_row(), written<ScriptedTickets>(kLike, "scripted_tickets")}) {
        const Starvation found = starvation_of(row, 2, 4000);
        row.fair = true;
        EXPECT_EQ(disagreement(row, found), "") << row.name;
        row.fair = false;
        EXPECT_EQ(disagreement(row, found), "the row does not say fair, and none starves");
        EXPECT_TRUE(found.exhausted);
        EXPECT_GT(found.granted, 0U);
        EXPECT_GT(found.refused, 0U);
        EXPECT_GE(found.checked, found.steps);
        EXPECT_EQ(found.tries, 1U);
    }
}

TEST(Starvation, is_found_where_a_row_says_too_much) {
    Algorithm row = *algorithm_named("set_nx_lua");
    row.fair = true;
    EXPECT_EQ(disagreement(row, starvation_of(row)), "the row says fair, and there is a lasso");
}

TEST(Starvation, needs_three_clients_where_one_can_be_next_in_line) {
    const Algorithm lock = written<NextInLine>(kLike, "next_in_line");
    EXPECT_EQ(starvation_of(lock).verdict, Verdict::holds);
    EXPECT_EQ(starvation_of(lock, 3).verdict, Verdict::violated);
}

TEST(Starvation, is_there_where_a_booking_runs_out) {
    const Algorithm lock = written<BookingRunsOut>(kLike, "booking_runs_out");
    const Starvation found = starvation_of(lock);
    ASSERT_EQ(found.verdict, Verdict::violated) << found.why_unknown;
    EXPECT_TRUE(found.lasso->takes_time);
    EXPECT_TRUE(goes_round(found, *found.lasso, 5));
}

/// Two in turns, until a try comes to nothing for want of an answer: then nobody looks who is next.
class FairUntilUnanswered final : public NextInLine {
public:
    using NextInLine::NextInLine;

    Task<Acquired> try_acquire() override {
        if (was_unanswered_) {
            const Reply rude = co_await client_.command("SET", key_.name + ":rude", "1");
            if (rude.failed()) co_return Failed{rude};
            was_unanswered_ = false;
        }
        const Reply rude = co_await client_.command("EXISTS", key_.name + ":rude");
        if (rude.failed()) {
            was_unanswered_ = true;
            co_return Failed{rude};
        }
        if (!rude.is_integer(1)) {
            Acquired acquired = co_await NextInLine::try_acquire();
            co_return acquired;
        }
        const Reply set = co_await client_.command("SETNX", key_, "held");
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }

private:
    bool was_unanswered_ = false;
};

TEST(Starvation, takes_faults_into_its_stem) {
    const Algorithm lock = written<FairUntilUnanswered>(kLike);
    Bounds bounds = starvation_bounds(lock);
    EXPECT_EQ(name_of(starvation_of(lock).verdict), "holds");
    bounds.faults = parse_faults("lose_request=1");
    const Starvation found =
        find_starvation(lock, bounds, StarvationLimits(), kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(name_of(found.verdict), "violated") << found.why_unknown;
    ASSERT_TRUE(found.lasso.has_value());
    const auto is_loss = [](const Step& step) { return step.kind == Step::Kind::lose_request; };
    EXPECT_EQ(std::ranges::count_if(found.lasso->stem, is_loss), 1);
    EXPECT_EQ(std::ranges::count_if(found.lasso->cycle, is_loss), 0);
    EXPECT_TRUE(goes_round(found, *found.lasso, 30)) << "on the stage, too";
}

TEST(Starvation, is_seen_on_the_stage_or_not_told) {
    const Starvation found = starvation_of(*algorithm_named("set_nx_lua"));
    ASSERT_TRUE(found.lasso);
    EXPECT_TRUE(goes_round(found, *found.lasso, 5));
    Lasso wrong = *found.lasso;
    wrong.victim = 1 - wrong.victim;  // who is granted the lock
    EXPECT_FALSE(goes_round(found, wrong, 5));
    wrong = *found.lasso;
    wrong.cycle.pop_back();  // does not come back
    EXPECT_FALSE(goes_round(found, wrong, 5));
}

/// Each has the lock in turn, and is refused while the other has it.
TEST(Starvation, is_none_where_who_was_refused_is_granted_next) {
    const Starvation found = starvation_of(*algorithm_named("set_nx_lua"));
    Lasso lasso;
    for (const char* client : {"A", "B", "A", "B", "A", "B"}) {
        for (const char* step : {" wake", " send", " take"}) {
            lasso.cycle.push_back(*parse_step(client + std::string(step)));
        }
    }
    for (lasso.victim = 0; lasso.victim < 2; ++lasso.victim) {
        EXPECT_FALSE(goes_round(found, lasso, 3));
    }
}

/// In both pasts it did the same so far, or not: then another time.
TEST(Starvation, is_not_known_of_a_lock_that_does_not_repeat_itself) {
    const Starvation second = starvation_of(written<LooksTwice<2>>(kLike, "looks_twice"));
    EXPECT_EQ(second.verdict, Verdict::unknown);
    EXPECT_EQ(second.why_unknown, "after more laps the lock does something else");
    const Starvation third = starvation_of(written<LooksTwice<3>>(kLike, "looks_twice"));
    EXPECT_EQ(third.verdict, Verdict::unknown);
    EXPECT_NE(third.why_unknown.find("after another past the lock"), std::string::npos)
        << third.why_unknown;
}

TEST(Starvation, is_found_where_a_third_try_is_unlike_the_others) {
    const Starvation found =
        starvation_of(written<LooksInItsThirdTry>(kLike, "looks_in_its_third_try"));
    EXPECT_EQ(found.verdict, Verdict::violated) << found.why_unknown;
}

TEST(Starvation, is_not_known_where_a_bound_is_hit) {
    const Starvation found = starvation_of(ticket_row(), 2, 100);
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_FALSE(found.exhausted);
    EXPECT_EQ(found.why_unknown,
              "more than 100 states: it comes to none of them again, or there are too many");
}

}  // namespace
}  // namespace locklab::starvation_test
