// Times of a live run, from histories written by hand.

#include "harness/bench/live_figures.h"

#include <gtest/gtest.h>

namespace locklab::live_figures_test {
namespace {

using std::chrono::microseconds;

class Times : public testing::Test {
protected:
    void at(int us, std::uint32_t client, EventDetail detail) {
        history_.events.push_back(
            {Instant(microseconds(us)), ClientId{client}, Phase::idle, std::move(detail)});
    }
    void wants(int us, std::uint32_t client) { at(us, client, event::Wants{}); }
    void granted(int us, std::uint32_t client) { at(us, client, event::Granted{}); }
    void leaves(int us, std::uint32_t client) { at(us, client, event::Leaving{}); }

    LiveFigures figures(int end_us, std::uint32_t clients) {
        history_.clients = clients;
        history_.end = Instant(microseconds(end_us));
        LiveFigures figures;
        add_times(history_, workload_, figures);
        return figures;
    }

    History history_;
    Workload workload_;
};

using Values = std::vector<double>;

TEST_F(Times, a_wait_goes_from_wanting_to_the_grant) {
    wants(10, 0);
    granted(15, 0);
    wants(12, 1);
    leaves(30, 0);
    granted(42, 1);
    EXPECT_EQ(figures(50, 2).waits, (Values{5, 30}));
}

TEST_F(Times, a_wait_that_the_end_cut_off_counts_as_it_stood) {
    wants(10, 0);
    granted(15, 0);
    wants(20, 1);
    const LiveFigures seen = figures(120, 2);
    EXPECT_EQ(seen.waits, (Values{5, 100}));
    EXPECT_EQ(seen.clients_without_a_grant, 1U);
    EXPECT_DOUBLE_EQ(seen.jain, 0.5);
}

TEST_F(Times, who_gave_up_as_the_run_ended_waited_until_then) {
    wants(10, 0);
    at(60, 0, event::Finished{});
    EXPECT_EQ(figures(500, 1).waits, (Values{50}));
}

TEST_F(Times, a_hand_over_needs_somebody_who_waits) {
    wants(0, 0);
    granted(1, 0);
    leaves(5, 0);  // nobody waits
    wants(10, 0);
    granted(12, 0);
    wants(13, 1);
    leaves(20, 0);
    granted(27, 1);
    EXPECT_EQ(figures(30, 2).hand_overs, (Values{7}));
}

TEST_F(Times, recovery_is_counted_from_the_crash_of_a_holder) {
    wants(0, 0);
    wants(0, 1);
    granted(1, 0);
    at(10, 0, event::Fault{Hazard::crash});
    granted(210, 1);
    leaves(215, 1);
    wants(216, 1);
    at(217, 1, event::Fault{Hazard::crash});  // it held nothing
    const LiveFigures seen = figures(300, 2);
    EXPECT_EQ(seen.recoveries, (Values{200}));
    EXPECT_EQ(seen.crashes, 1U);
}

TEST_F(Times, in_an_open_loop_a_wait_begins_when_the_client_was_to_want_the_lock) {
    workload_.arrives_every = microseconds(100);
    workload_.arrival_offset = microseconds(50);
    wants(3, 0);  // due at 0
    granted(250, 0);
    leaves(260, 0);
    wants(261, 0);  // due at 100
    granted(262, 0);
    wants(51, 1);  // due at 50
    granted(270, 1);
    EXPECT_EQ(figures(300, 2).waits, (Values{250, 162, 220}));
}

}  // namespace
}  // namespace locklab::live_figures_test
