// The stage: which moves it offers when, and what befalls commands and clients on it.

#include "harness/stage/stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/stage/director.h"
#include "tests/stage/stage_fixture.h"

namespace locklab::stage_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(StageTest, offers_nothing_before_somebody_starts) {
    set_up("set_nx_lua");
    EXPECT_EQ(offered(), "");
    stage_->start(kA);
    EXPECT_TRUE(stage_->started(kA) && !stage_->started(kB));
    EXPECT_EQ(offered(), "A sends SET");
    stage_->start(kB);
    EXPECT_EQ(offered(), "A sends SET, B sends SET");
    EXPECT_FALSE(has_key()) << "a request that was not sent has not arrived";
}

TEST_F(StageTest, a_request_is_executed_as_it_is_sent_and_its_reply_waits) {
    set_up("set_nx_lua");
    stage_->start(kA);
    make("A sends SET");
    EXPECT_TRUE(has_key());
    EXPECT_EQ(offered(), "A takes");
    EXPECT_TRUE(stage_->progress(kA).wanting);
    EXPECT_EQ(stage_->progress(kA).grants, 0U);
    pass(seconds(5));
    EXPECT_EQ(offered(), "A takes") << "a reply that is there is taken, however late";
    make("A takes");
    EXPECT_FALSE(stage_->progress(kA).wanting);
    EXPECT_EQ(stage_->progress(kA).grants, 1U);
}

TEST_F(StageTest, who_is_refused_tries_again_after_its_wait) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->start(kB);
    make("B sends SET");
    make("B takes");
    EXPECT_EQ(stage_->progress(kB).refusals, 1U);
    EXPECT_EQ(offered(), "");
    const auto due = stage_->next_due([](const Wait& wait) { return wait.client == kB; });
    ASSERT_TRUE(due.has_value());
    EXPECT_EQ(*due, stage_->time() + milliseconds(250));
    pass(milliseconds(249));
    EXPECT_EQ(offered(), "");
    pass(milliseconds(1));
    EXPECT_EQ(offered(), "B wakes");
    make("B wakes");
    EXPECT_EQ(offered(), "B sends SET");
}

TEST_F(StageTest, who_is_paused_is_offered_no_move) {
    set_up("watchdog_owned");
    acquire(kA, "SET");
    pass(seconds(3));
    EXPECT_EQ(offered(), "A's watchdog wakes");
    stage_->pause(kA);
    EXPECT_EQ(offered(), "");
    EXPECT_FALSE(stage_->next_due([](const Wait&) { return true; }).has_value());
    pass(seconds(20));
    EXPECT_EQ(offered(), "");
    EXPECT_FALSE(has_key()) << "nobody renewed it";
    stage_->resume(kA);
    EXPECT_EQ(offered(), "A's watchdog wakes, A wakes") << "what waits longest comes first";
    const Scene scene = stage_->take_scene(seconds(60));
    const auto is_pause = [](const Event& event) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        return fault != nullptr && fault->hazard == Hazard::pause && fault->amount == seconds(20);
    };
    EXPECT_TRUE(std::any_of(scene.history.events.begin(), scene.history.events.end(), is_pause));
}

TEST_F(StageTest, a_watchdog_that_stalls_leaves_its_worker_alone) {
    set_up("watchdog_owned");
    acquire(kA, "SET");
    stage_->stall(kA);
    pass(seconds(3));
    EXPECT_EQ(offered(), "");
    pass(seconds(17));
    EXPECT_EQ(offered(), "A wakes");
    stage_->unstall(kA);
    EXPECT_EQ(offered(), "A's watchdog wakes, A wakes");
}

TEST_F(StageTest, who_crashed_is_offered_nothing_and_leaves_its_key) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->crash(kA);
    EXPECT_TRUE(stage_->progress(kA).gone);
    EXPECT_EQ(offered(), "");
    pass(seconds(30));
    EXPECT_EQ(offered(), "");
}

TEST_F(StageTest, who_goes_home_is_offered_nothing) {
    set_up("set_nx_lua");
    stage_->start(kA);
    stage_->go_home(kA);
    EXPECT_TRUE(stage_->progress(kA).gone);
    EXPECT_EQ(offered(), "");
}

TEST_F(StageTest, who_crashed_or_went_home_has_no_connection) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->start(kB);
    EXPECT_TRUE(client_.disconnected.empty());
    stage_->crash(kA);
    EXPECT_EQ(client_.disconnected, std::vector{kA});
    stage_->go_home(kB);
    EXPECT_EQ(client_.disconnected, (std::vector{kA, kB}));
}

/// Live, a TTL may be too short for whole seconds.
TEST(SelectorTest, expire_means_pexpire_too) {
    const Selector expire{Selector::Kind::command, "EXPIRE"};
    const auto is_meant = [&](const Command& command) {
        Wait wait;
        wait.command = command;
        return matches(expire, wait);
    };
    EXPECT_TRUE(is_meant(Command::of("EXPIRE", "lock", 1)));
    EXPECT_TRUE(is_meant(Command::of("PEXPIRE", "lock", 500)));
    EXPECT_FALSE(is_meant(Command::of("SETNX", "lock", 1)));
}

TEST_F(StageTest, a_request_that_is_lost_ends_in_a_time_out) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::lose_request;
    stage_->start(kA);
    make("A sends SET");
    EXPECT_FALSE(has_key());
    EXPECT_EQ(offered(), "");
    pass(milliseconds(999));
    EXPECT_EQ(offered(), "");
    pass(milliseconds(1));
    EXPECT_EQ(offered(), "A gives up");
    make("A gives up");
    EXPECT_EQ(stage_->progress(kA).refusals, 1U);
}

TEST_F(StageTest, a_command_whose_reply_is_lost_has_run) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::lose_reply;
    stage_->start(kA);
    make("A sends SET");
    EXPECT_TRUE(has_key());
    EXPECT_EQ(offered(), "");
    pass(seconds(1));
    make("A gives up");
    EXPECT_EQ(stage_->progress(kA).grants, 0U);
    EXPECT_TRUE(has_key());
}

TEST_F(StageTest, a_retry_runs_the_command_twice_and_hands_back_the_second_reply) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::retry;
    stage_->start(kA);
    make("A sends SET");
    EXPECT_EQ(offered(), "");
    pass(seconds(1));
    make("A gives up");  // the client library does, and sends it again
    make("A sends SET");
    EXPECT_EQ(offered(), "A takes");
    make("A takes");
    EXPECT_EQ(stage_->progress(kA).refusals, 1U) << "its own key is in its way";
    EXPECT_EQ(stage_->progress(kA).grants, 0U);
}

TEST_F(StageTest, a_delayed_request_arrives_when_it_is_told_to_and_is_offered_last) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay;
    stage_->start(kA);
    make("A sends SET");
    stage_->start(kB);
    EXPECT_FALSE(has_key());
    EXPECT_EQ(offered(), "B sends SET, A's request arrives");
    EXPECT_FALSE(stage_->waits_for_network(kA)) << "it will give up";
    make("A's request arrives");
    EXPECT_TRUE(has_key());
    EXPECT_EQ(offered(), "A takes, B sends SET");
}

TEST_F(StageTest, a_delayed_request_arrives_also_when_nobody_waits_for_it) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay;
    stage_->start(kA);
    make("A sends SET");
    pass(seconds(1));
    EXPECT_EQ(offered(), "A gives up, A's request arrives") << "either may be first";
    pass(milliseconds(1));
    EXPECT_EQ(offered(), "A gives up") << "the time-out comes before it";
    make("A gives up");
    stage_->crash(kA);
    EXPECT_EQ(offered(), "A's request arrives");
    make("A's request arrives");
    EXPECT_TRUE(has_key());
    EXPECT_EQ(offered(), "");
}

TEST_F(StageTest, what_a_connection_carries_next_stays_behind_a_request_whose_task_is_cancelled) {
    set_up("watchdog_owned");
    acquire(kA, "SET");
    pass(seconds(3));
    make("A's watchdog wakes");
    stage_->wake_early(kA);
    for (const char* next : {"A sends WRITE", "A takes", "A sends EVAL", "A takes", "A wakes",
                             "A sends SET", "A takes", "A sends READ", "A takes"}) {
        make(next);
    }
    pass(seconds(3));
    make("A's watchdog wakes");
    EXPECT_EQ(offered(), "A's watchdog's request arrives");
    make("A's watchdog's request arrives");
    EXPECT_EQ(offered(), "A's watchdog sends EVAL");
}

TEST_F(StageTest, a_delayed_request_of_a_paused_client_arrives) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay;
    stage_->start(kA);
    make("A sends SET");
    stage_->pause(kA);
    pass(seconds(5));
    EXPECT_EQ(offered(), "A's request arrives");
    make("A's request arrives");
    EXPECT_EQ(offered(), "");
    stage_->resume(kA);
    EXPECT_EQ(offered(), "A takes");
}

TEST_F(StageTest, a_delayed_reply_is_taken_when_it_has_come) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay_reply;
    stage_->start(kA);
    make("A sends SET");
    EXPECT_TRUE(has_key());
    EXPECT_TRUE(stage_->waits_for_network(kA));
    EXPECT_EQ(offered(), "A's reply comes");
    stage_->start(kB);
    EXPECT_EQ(offered(), "B sends SET, A's reply comes") << "it is offered last";
    make("A's reply comes");
    EXPECT_FALSE(stage_->waits_for_network(kA));
    EXPECT_EQ(offered(), "A takes, B sends SET");
    make("A takes");
    EXPECT_EQ(stage_->progress(kA).grants, 1U);
}

TEST_F(StageTest, a_delayed_reply_comes_before_the_time_out_or_never) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay_reply;
    stage_->start(kA);
    make("A sends SET");
    pass(seconds(1));
    EXPECT_EQ(offered(), "A gives up");
    make("A gives up");
    EXPECT_EQ(stage_->progress(kA).refusals, 1U);
    EXPECT_TRUE(has_key());
    EXPECT_EQ(offered(), "");
}

TEST_F(StageTest, a_delayed_reply_comes_to_a_client_that_is_paused_and_to_none_that_is_dead) {
    set_up("set_nx_lua");
    faults_.next = CommandFault::delay_reply;
    stage_->start(kA);
    make("A sends SET");
    stage_->pause(kA);
    pass(seconds(5));
    make("A's reply comes");
    EXPECT_EQ(offered(), "");
    stage_->resume(kA);
    EXPECT_EQ(offered(), "A takes");
    faults_.next = CommandFault::delay_reply;
    stage_->start(kB);
    make("B sends SET");
    stage_->crash(kB);
    EXPECT_EQ(offered(), "A takes");
}

TEST_F(StageTest, a_restart_empties_redis_and_tells_who_waits) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    faults_.next = CommandFault::delay;
    stage_->start(kB);
    make("B sends SET");
    stage_->restart();
    EXPECT_FALSE(has_key());
    EXPECT_EQ(offered(), "B takes") << "its request was lost with its connection";
    make("B takes");
    EXPECT_EQ(stage_->progress(kB).refusals, 1U);
}

TEST_F(StageTest, a_server_that_is_down_refuses_until_it_is_back) {
    set_up("set_nx_lua");
    stage_->restart(seconds(2));
    stage_->start(kA);
    make("A sends SET");
    EXPECT_EQ(offered(), "") << "nobody answers";
    pass(seconds(2));
    make("A gives up");
    EXPECT_EQ(stage_->progress(kA).refusals, 1U);
    EXPECT_FALSE(has_key()) << "nothing ran";
    acquire(kB, "SET");
    EXPECT_TRUE(has_key());
}

TEST_F(StageTest, what_is_sent_to_a_server_that_hangs_waits_until_it_goes_on) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->hang({});
    stage_->start(kB);
    make("B sends SET");
    EXPECT_EQ(offered(), "") << "B has no answer, and its request has not arrived";
    pass(seconds(2));
    make("B gives up");
    EXPECT_TRUE(has_key());
    stage_->go_on({});
    EXPECT_NE(offered().find("B's request arrives"), std::string::npos) << "it is not lost";
}

TEST_F(StageTest, a_server_that_is_restarted_hangs_no_more) {
    set_up("set_nx_lua");
    stage_->hang({});
    stage_->start(kA);
    make("A sends SET");
    stage_->restart();
    EXPECT_FALSE(has_key()) << "what waited is lost with its connection";
}

TEST_F(StageTest, an_outage_can_end_early) {
    set_up("set_nx_lua");
    stage_->restart(seconds(60));
    stage_->bring_back({});
    acquire(kA, "SET");
    EXPECT_TRUE(has_key());
}

TEST_F(StageTest, a_restore_brings_back_the_data_of_then) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    pass(seconds(2));
    stage_->restore(seconds(1));
    EXPECT_TRUE(has_key());
    stage_->restore(seconds(3));
    EXPECT_FALSE(has_key()) << "there was none then";
}

TEST_F(StageTest, an_eviction_and_a_jump_of_the_server_clock_take_the_key) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->evict();
    EXPECT_FALSE(has_key());
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->jump_server_clock(seconds(11));
    EXPECT_FALSE(client_.execute(NodeId{0}, nullptr, Command::of("GET", "lock")).is_bulk());
}

TEST_F(StageTest, looks_at_the_key_after_each_change_and_notes_it_once) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    pass(seconds(1));
    stage_->evict();
    const Scene scene = stage_->take_scene(seconds(60));
    ASSERT_EQ(scene.key.size(), 2U);
    EXPECT_TRUE(scene.key[0].value.has_value());
    EXPECT_EQ(scene.key[0].ttl, seconds(10));
    EXPECT_FALSE(scene.key[1].value.has_value());
}

TEST_F(StageTest, whoever_is_inside_comes_to_its_end_after_closing) {
    set_up("set_nx_lua");
    acquire(kA, "SET");
    stage_->close();
    pass(seconds(20));
    make("A wakes");
    make("A sends WRITE");
    make("A takes");
    EXPECT_EQ(stage_->progress(kA).writes, 1U);
    make("A sends EVAL");
    make("A takes");
    EXPECT_EQ(stage_->progress(kA).releases, 1U);
    make("A wakes");
    EXPECT_TRUE(stage_->progress(kA).gone);
    EXPECT_EQ(offered(), "");
}

}  // namespace
}  // namespace locklab::stage_test
