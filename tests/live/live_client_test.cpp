// Every fault of the client's side: that it strikes, what the client is told, what is recorded.
#include "harness/live/live_client.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/check/disturbance.h"
#include "tests/live/in_time.h"

namespace locklab::live_client_test {
namespace {

constexpr ClientId kStruck{1};

LiveConfig struck_run(PlannedFault fault) {
    LiveConfig config = struck_run(HookedLock::algorithm(), 60, {fault});
    config.workload.job = {5ms, 5ms};
    config.command_timeout = 60ms;
    config.options.ttl = 100ms;
    return config;
}

/// The one fault of this hazard, which must have struck.
Noted<event::Fault> the_fault(const History& history, Hazard hazard) {
    const auto faults = faults_of(history, hazard);
    EXPECT_EQ(faults.size(), 1u);
    if (faults.empty()) std::abort();
    EXPECT_EQ(faults[0].event->client, kStruck);
    return faults[0];
}

TEST(LiveClient, lost_request_is_never_executed) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::lose_request, {kStruck, 1, Phase::acquire, 0}}));
    const History& history = result.history;
    const auto [fault, detail] = the_fault(history, Hazard::lose_request);
    EXPECT_EQ(fault->phase, Phase::acquire);
    const auto sent = all_of<event::Sent>(history, detail->call);
    const auto replied = all_of<event::Replied>(history, detail->call);
    ASSERT_EQ(sent.size(), 1u);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_TRUE(replied[0].detail->reply.is_unknown());
    EXPECT_GE(replied[0].event->at, sent[0].event->at + 60ms);
    EXPECT_EQ(all_of<event::Executed>(history, detail->call).size(), 0u);
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, an_error_answers_at_once_and_is_never_executed) {
    PlannedFault planned{Hazard::error_reply, {kStruck, 1, Phase::acquire, 0}};
    planned.error = ErrorKind::readonly;
    const LiveResult result = run_in_time(struck_run(planned));
    const auto [fault, detail] = the_fault(result.history, Hazard::error_reply);
    EXPECT_EQ(detail->error, ErrorKind::readonly);
    const auto replied = all_of<event::Replied>(result.history, detail->call);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_EQ(replied[0].detail->reply,
              Reply::error(std::string(row_of(ErrorKind::readonly).words)));
    EXPECT_LT(replied[0].event->at, fault->at + 60ms);
    EXPECT_EQ(all_of<event::Executed>(result.history, detail->call).size(), 0u);
    EXPECT_FALSE(disturbance_of(result.history)) << "the error is the fault's, not the server's";
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, a_reset_is_known_at_once_and_hides_whether_the_command_ran) {
    for (const bool ran : {false, true}) {
        PlannedFault planned{Hazard::reset, {kStruck, 2, Phase::release, 0}};
        planned.ran = ran;
        const LiveResult result = run_in_time(struck_run(planned));
        const auto [fault, detail] = the_fault(result.history, Hazard::reset);
        EXPECT_EQ(detail->ran, ran);
        const auto replied = all_of<event::Replied>(result.history, detail->call);
        ASSERT_EQ(replied.size(), 1u);
        EXPECT_TRUE(replied[0].detail->reply.is_unknown());
        EXPECT_LT(replied[0].event->at, fault->at + 60ms) << "before its time-out";
        EXPECT_EQ(all_of<event::Executed>(result.history, detail->call).size(), ran ? 1u : 0u);
        EXPECT_FALSE(disturbance_of(result.history));
        EXPECT_GE(result.grants, 60u);
    }
}

/// One lasts for 300 ms, five time-outs.
TEST(LiveClient, nothing_is_executed_through_a_partition) {
    for (const bool ran : {false, true}) {
        PlannedFault planned{Hazard::partition, {kStruck, 1, Phase::acquire, 0}, 300ms};
        planned.ran = ran;
        const LiveResult result = run_in_time(struck_run(planned));
        const History& history = result.history;
        const auto [cut, detail] = the_fault(history, Hazard::partition);
        EXPECT_EQ(detail->amount, Duration(300ms));
        EXPECT_EQ(faults_of(history, Hazard::lose_reply).size(), ran ? 1u : 0u);
        const auto lost = faults_of(history, Hazard::lose_request);
        EXPECT_GE(lost.size(), 2u);
        for (const auto& [fault, its] : lost) {
            EXPECT_EQ(fault->client, kStruck);
            EXPECT_LE(fault->at, cut->at + 300ms);
            EXPECT_EQ(all_of<event::Executed>(history, its->call).size(), 0u);
        }
        EXPECT_FALSE(disturbance_of(history));
        EXPECT_GE(result.grants, 60u) << "and then it is back";
    }
}

TEST(LiveClient, lost_reply_is_executed_and_unknown) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::lose_reply, {kStruck, 2, Phase::release, 0}}));
    const auto call = the_fault(result.history, Hazard::lose_reply).detail->call;
    const auto executed = all_of<event::Executed>(result.history, call);
    const auto replied = all_of<event::Replied>(result.history, call);
    ASSERT_EQ(executed.size(), 1u);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_TRUE(executed[0].detail->reply.is_integer());
    EXPECT_TRUE(replied[0].detail->reply.is_unknown());
    EXPECT_LT(executed[0].event, replied[0].event);
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, delay_beyond_the_timeout_is_executed_after_the_client_gave_up) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::delay_request, {kStruck, 1, Phase::release, 0}, 150ms}));
    const auto call = the_fault(result.history, Hazard::delay_request).detail->call;
    const auto replied = all_of<event::Replied>(result.history, call);
    const auto executed = all_of<event::Executed>(result.history, call);
    ASSERT_EQ(replied.size(), 1u);
    ASSERT_EQ(executed.size(), 1u);
    EXPECT_TRUE(replied[0].detail->reply.is_unknown());
    EXPECT_LT(replied[0].event, executed[0].event);
    EXPECT_GE(executed[0].detail->sent,
              all_of<event::Sent>(result.history, call)[0].event->at + 150ms);
}

TEST(LiveClient, delay_within_the_timeout_is_answered_late) {
    LiveConfig config = struck_run({Hazard::delay_request, {kStruck, 1, Phase::release, 0}, 20ms});
    config.command_timeout = 30s;
    const LiveResult result = run_in_time(config);
    const auto call = the_fault(result.history, Hazard::delay_request).detail->call;
    const auto replied = all_of<event::Replied>(result.history, call);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_FALSE(replied[0].detail->reply.is_unknown());
    EXPECT_GE(replied[0].event->at, all_of<event::Sent>(result.history, call)[0].event->at + 20ms);
}

TEST(LiveClient, late_reply_is_of_a_command_that_ran_at_once) {
    LiveConfig config = struck_run({Hazard::delay_reply, {kStruck, 1, Phase::release, 0}, 150ms});
    config.command_timeout = 30s;
    const LiveResult result = run_in_time(config);
    const auto call = the_fault(result.history, Hazard::delay_reply).detail->call;
    const auto executed = all_of<event::Executed>(result.history, call);
    const auto replied = all_of<event::Replied>(result.history, call);
    ASSERT_EQ(executed.size(), 1u);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_EQ(replied[0].detail->reply, executed[0].detail->reply);
    EXPECT_GE(replied[0].event->at, executed[0].event->at + 150ms);
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, late_reply_beyond_the_timeout_is_none) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::delay_reply, {kStruck, 1, Phase::release, 0}, 150ms}));
    const auto call = the_fault(result.history, Hazard::delay_reply).detail->call;
    const auto replied = all_of<event::Replied>(result.history, call);
    ASSERT_EQ(all_of<event::Executed>(result.history, call).size(), 1u);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_TRUE(replied[0].detail->reply.is_unknown());
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, late_reply_to_a_crashed_client_is_nobodys) {
    LiveConfig config =
        struck_run({Hazard::delay_reply, {kStruck, 1, Phase::background, 0}, 100ms});
    config.command_timeout = 30s;
    config.plan.push_back({Hazard::crash, {kStruck, 1, Phase::inside, 0}});
    const LiveResult result = run_in_time(config);
    const auto faults = faults_of(result.history, Hazard::delay_reply);
    if (!faults.empty()) {
        const auto replied = all_of<event::Replied>(result.history, faults[0].detail->call);
        EXPECT_EQ(replied.size(), 0u);
    }
    EXPECT_GE(result.grants, 60u);
}

TEST(LiveClient, retry_is_executed_twice_and_answered_once) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::retry, {kStruck, 1, Phase::release, 0}}));
    const auto call = the_fault(result.history, Hazard::retry).detail->call;
    const auto executed = all_of<event::Executed>(result.history, call);
    const auto replied = all_of<event::Replied>(result.history, call);
    ASSERT_EQ(executed.size(), 2u);
    ASSERT_EQ(replied.size(), 1u);
    EXPECT_TRUE(executed[0].detail->reply.is_integer(1));
    // The time-out runs from when the client asks: on a busy machine the first leaves late.
    EXPECT_GT(executed[1].detail->sent, executed[0].detail->sent);
    EXPECT_EQ(replied[0].detail->reply, executed[1].detail->reply);
    EXPECT_LT(executed[1].event, replied[0].event);
}

TEST(LiveClient, crashed_client_does_nothing_and_others_go_on) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::crash, {kStruck, 2, Phase::inside, 1}}));
    const auto [crash, detail] = the_fault(result.history, Hazard::crash);
    EXPECT_EQ(crash->phase, Phase::inside);
    std::size_t after = 0;
    for (const Event* event = crash + 1; event <= &result.history.events.back(); ++event) {
        EXPECT_NE(event->client, kStruck);
        ++after;
    }
    EXPECT_GT(after, 0u);
    EXPECT_GE(result.grants, 60u);
    EXPECT_EQ(all_of<event::Finished>(result.history).size(), 2u);
}

/// Events by which a task shows that it runs. A reply may reach a client that is stopped.
bool shows_life(const Event& event) {
    return !std::holds_alternative<event::Executed>(event.detail) &&
           !std::holds_alternative<event::Fault>(event.detail);
}

TEST(LiveClient, pause_stops_the_worker_and_the_background) {
    const LiveResult result =
        run_in_time(struck_run({Hazard::pause, {kStruck, 2, Phase::inside, 0}, 150ms}));
    const auto [pause, detail] = the_fault(result.history, Hazard::pause);
    std::size_t worker = 0;
    std::size_t background = 0;
    for (const Event& event : result.history.events) {
        if (event.client != kStruck || !shows_life(event)) continue;
        if (event.at > pause->at) {
            EXPECT_GE(event.at, pause->at + detail->amount);
        }
        if (event.at >= pause->at + detail->amount) {
            ++(event.phase == Phase::background ? background : worker);
        }
    }
    EXPECT_GT(worker, 0u);
    EXPECT_GT(background, 0u);
}

TEST(LiveClient, stall_stops_only_the_background) {
    LiveConfig config = struck_run({Hazard::stall, {kStruck, 2, Phase::inside, 0}, 150ms});
    config.workload.job = {30ms, 30ms};
    config.grants = 20;
    const LiveResult result = run_in_time(config);
    const auto [stall, detail] = the_fault(result.history, Hazard::stall);
    std::size_t worker = 0;
    std::size_t background = 0;
    for (const Event& event : result.history.events) {
        const bool during = event.at > stall->at && event.at < stall->at + detail->amount;
        if (event.client != kStruck || !during || !shows_life(event)) continue;
        ++(event.phase == Phase::background ? background : worker);
    }
    EXPECT_GT(worker, 0u);
    EXPECT_EQ(background, 0u);
}

/// By how much each client's wall clock was off, the last time it tried.
std::array<Duration, 3> errors_of_clocks(LiveConfig config, History* history) {
    std::array<Duration, 3> errors{};
    HookedLock::before_try = [&](Client& client) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        errors[client.id().value] =
            client.now().time_since_epoch() - std::chrono::duration_cast<Duration>(now);
    };
    *history = run_in_time(std::move(config)).history;
    HookedLock::before_try = nullptr;
    return errors;
}

TEST(LiveClient, clock_offset_is_there_from_the_start) {
    History history;
    const auto errors =
        errors_of_clocks(struck_run({Hazard::clock_offset, {kStruck}, -1h}), &history);
    const auto [fault, detail] = the_fault(history, Hazard::clock_offset);
    EXPECT_EQ(detail->amount, -1h);
    for (const Event* event = &history.events.front(); event < fault; ++event) {
        EXPECT_NE(event->client, kStruck);
    }
    EXPECT_LT(errors[1], -59min);
    EXPECT_GT(errors[0], -1min);
    EXPECT_GT(errors[2], -1min);
}

TEST(LiveClient, clock_jump_is_there_from_then_on) {
    History history;
    const auto errors = errors_of_clocks(
        struck_run({Hazard::clock_jump, {kStruck, 2, Phase::acquire, 0}, 1h}), &history);
    EXPECT_GT(the_fault(history, Hazard::clock_jump).event->at, Instant());
    EXPECT_GT(errors[1], 59min);
    EXPECT_LT(errors[0], 1min);
}

TEST(LiveClient, slow_job_keeps_its_holder_inside) {
    const LiveResult result = run_in_time(struck_run({Hazard::slow_job, {kStruck, 1}, 150ms}));
    const Event* slow = the_fault(result.history, Hazard::slow_job).event;
    const Event* leaving = nullptr;
    for (const auto& noted : all_of<event::Leaving>(result.history)) {
        if (noted.event->client == kStruck && leaving == nullptr) leaving = noted.event;
    }
    ASSERT_NE(leaving, nullptr);
    EXPECT_GE(leaving->at, slow->at + 150ms);
}

/// A step of a transaction means something only on its own connection.
class TransactionLock final : public Lock {
public:
    TransactionLock(Client& client, Key key) : client_(client), key_(std::move(key)) {}
    Task<Acquired> try_acquire() override {
        co_await client_.command("WATCH", key_);
        co_await client_.command("GET", key_);
        co_await client_.command("MULTI");
        co_await client_.command("SET", key_, "1");
        const Reply reply = co_await client_.command("EXEC");
        if (reply.is_unknown()) co_return Unknown{};
        if (reply.elements().size() != 1) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Client& client_;
    const Key key_;
};

const Algorithm kTransaction{
    .name = "transaction",
    .label = "Transaction",
    .idea = {},
    .source = "this test",
    .colour = "#000000",
    .defaults = {},
    .safe_under = {},
    .broken_by = {},
    .make = [](Client& client, const Key& key, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<TransactionLock>(client, key);
    }};

TEST(LiveClient, delayed_step_of_a_transaction_arrives_on_its_connection) {
    LiveConfig config = short_run(kTransaction, 60);
    config.plan = {{Hazard::delay_request, {kStruck, 1, Phase::acquire, 3}, 20ms}};
    config.command_timeout = 30s;
    const LiveResult result = run_in_time(config);
    const auto call = the_fault(result.history, Hazard::delay_request).detail->call;
    const auto executed = all_of<event::Executed>(result.history, call);
    ASSERT_EQ(executed.size(), 1u);
    EXPECT_EQ(executed[0].detail->reply, Reply::status("QUEUED"));
    for (const auto& noted : all_of<event::Executed>(result.history)) {
        EXPECT_FALSE(noted.detail->reply.is_error()) << to_string(noted.detail->reply);
    }
}

TEST(LiveClient, delayed_request_outlives_a_crash) {
    LiveConfig config =
        struck_run({Hazard::delay_request, {kStruck, 1, Phase::background, 0}, 100ms});
    config.plan.push_back({Hazard::crash, {kStruck, 1, Phase::inside, 1}});
    const LiveResult result = run_in_time(config);
    const auto call = the_fault(result.history, Hazard::delay_request).detail->call;
    const Event* crash = the_fault(result.history, Hazard::crash).event;
    const auto executed = all_of<event::Executed>(result.history, call);
    ASSERT_EQ(executed.size(), 1u);
    EXPECT_GT(executed[0].event, crash);
    EXPECT_EQ(all_of<event::Replied>(result.history, call).size(), 0u);
}

}  // namespace
}  // namespace locklab::live_client_test
