// Processes that want one lock: whose grants and waits count, and that nothing is left held.

#include "harness/bench/driver_contest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/bench/statistics.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "tests/bench/shell_driver.h"
#include "tests/core/places.h"

namespace locklab::driver_contest_test {
namespace {

using namespace std::chrono_literals;

const std::function<bool()> kNever = [] { return false; };

ContestTerms terms_of(std::uint32_t clients, Duration window) {
    ContestTerms terms;
    terms.clients = clients;
    terms.window = window;
    terms.hold = 1ms;
    terms.wait = {WaitPolicy::Kind::fixed, 1ms};
    return terms;
}

ContestFigures contest_of(const Library& library, const ContestTerms& terms) {
    const Subject subject(library);
    Team team(subject);
    EXPECT_EQ(open(team, {}, terms.clients), "");
    return hold_contest(team, terms, kNever);
}

TEST(DriverContest, each_gets_its_share_and_nothing_is_left_held) {
    RedisProcess server(RedisProcess::Listen::on_port_too);
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    Team team(subject);
    ASSERT_EQ(open(team, server.port_endpoint(), 3), "");
    const ContestFigures figures = hold_contest(team, terms_of(3, 300ms), kNever);
    ASSERT_EQ(figures.shares.size(), 3U);
    EXPECT_GT(figures.grants(), 3);
    EXPECT_LE(figures.grants(), 300) << "each holds the lock for 1 ms";
    EXPECT_GE(static_cast<double>(figures.waits.size()), figures.grants());
    EXPECT_LE(static_cast<double>(figures.waits.size()), figures.grants() + 3);
    EXPECT_TRUE(std::is_sorted(figures.waits.begin(), figures.waits.end()));
    EXPECT_GE(static_cast<double>(figures.all_grants), figures.grants());
    EXPECT_LE(static_cast<double>(figures.all_grants), figures.grants() + 3);
    EXPECT_DOUBLE_EQ(figures.seconds, 0.3);
    EXPECT_EQ(figures.errors, 0U) << figures.first_error;
    EXPECT_EQ(SyncConnection(server.endpoint()).command(Command::of("EXISTS", "key")).as_integer(),
              0);
}

TEST(DriverContest, who_can_wait_is_told_to_and_who_cannot_is_not) {
    // It is granted the lock as it is opened, and then where it may wait for 25 ms.
    const Library library = shell_library(
        R"(n=$((n + 1)); said='"granted":false'; [ $n != 1 ] || said='"granted":true'
           case $line in *'"wait_ms":25'*) said='"granted":true' ;; esac)");
    ContestTerms terms = terms_of(1, 25ms);
    EXPECT_EQ(contest_of(library, terms).grants(), 0);
    terms.waits_itself = true;
    EXPECT_GT(contest_of(library, terms).grants(), 0);
}

TEST(DriverContest, a_wait_that_the_end_cuts_off_counts_as_it_stood) {
    const Library library =
        shell_library(std::string("n=$((n + 1)); [ $n = 1 ] && ") + kGrants + " || " + kRefuses);
    const ContestFigures figures = contest_of(library, terms_of(2, 40ms));
    EXPECT_EQ(figures.grants(), 0);
    EXPECT_EQ(figures.all_grants, 0U);
    ASSERT_EQ(figures.waits.size(), 2U);
    EXPECT_GT(figures.waits.front(), 30'000);
    EXPECT_LE(figures.waits.back(), 40'000);
}

TEST(DriverContest, errors_are_counted_and_are_no_grants) {
    const Library library = shell_library(std::string("n=$((n + 1)); [ $n = 1 ] && ") + kGrants +
                                          R"( || said='"error":"broken","definite":false')");
    const ContestFigures figures = contest_of(library, terms_of(1, 40ms));
    EXPECT_EQ(figures.grants(), 0);
    EXPECT_GT(figures.errors, 1U);
    EXPECT_EQ(figures.first_error, "broken");
}

TEST(DriverContest, whoever_dies_ends_it_with_a_sentence) {
    const Library library =
        shell_library("n=$((n + 1)); [ $n = 1 ] || exit 3; " + std::string(kGrants));
    try {
        contest_of(library, terms_of(2, 40ms));
        ADD_FAILURE() << "there is nothing to measure";
    } catch (const DriverTrouble& trouble) {
        EXPECT_STREQ(trouble.what(), "The driver of odd ended with code 3.");
    }
}

TEST(DriverContest, who_is_stopped_waits_for_nobody) {
    const Subject subject(shell_library(kGrants));
    Team team(subject);
    ASSERT_EQ(open(team, {}, 2), "");
    const auto began = std::chrono::steady_clock::now();
    hold_contest(team, terms_of(2, 1h), [] { return true; });
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
}

}  // namespace
}  // namespace locklab::driver_contest_test
