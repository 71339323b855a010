// What becomes of runs whose server dies: the clients are told Unknown, and nothing of ours dies.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/live/live_fixture.h"

namespace locklab::live_server_test {
namespace {

std::size_t grants_after(const History& history, const Event* moment) {
    std::size_t count = 0;
    for (const auto& noted : all_of<event::Granted>(history)) count += noted.event > moment;
    return count;
}

LiveConfig run_with_restart(Duration outage) {
    return struck_run(*algorithm_named("set_nx_lua"), 100,
                      {{Hazard::restart, {ClientId{2}, 2, Phase::inside, 0}, outage}});
}

TEST(LiveServer, planned_restart_is_noted_in_every_run_and_all_go_on) {
    ManagedServers server;
    LiveLoop loop(server);
    const auto results =
        run_all(loop, {short_run(200), run_with_restart(Duration::zero()), short_run(200)});
    for (const LiveResult& result : results) {
        const auto faults = faults_of(result.history, Hazard::restart);
        ASSERT_EQ(faults.size(), 1u);
        EXPECT_GT(grants_after(result.history, faults[0].event), 0u);
        EXPECT_FALSE(result.server_lost);
    }
    EXPECT_EQ(faults_of(results[1].history, Hazard::restart)[0].event->client, ClientId{2});
    EXPECT_EQ(keys_on(server.endpoint()).size(), 0u);
    EXPECT_EQ(SyncConnection(server.endpoint(), 5s).command(Command::of("PING")).text(), "PONG");
}

TEST(LiveServer, a_restart_keeps_the_server_down_for_as_long_as_planned) {
    constexpr Duration kOutage = 300ms;
    ManagedServers server;
    LiveLoop loop(server);
    for (const LiveResult& result : run_all(loop, {short_run(200), run_with_restart(kOutage)})) {
        const auto faults = faults_of(result.history, Hazard::restart);
        ASSERT_EQ(faults.size(), 1U);
        EXPECT_EQ(faults[0].detail->amount, kOutage);
        const Instant down = faults[0].event->at;
        std::size_t later = 0;
        for (const auto& [event, ran] : all_of<event::Executed>(result.history)) {
            if (ran->sent <= down) continue;
            EXPECT_GE(event->at, down + kOutage);
            ++later;
        }
        EXPECT_GT(later, 0U);
    }
}

/// Whoever was inside as the server fell has left when it comes back so late that nobody could
/// have come in beside: such a run shows nothing, and says so.
TEST(LiveServer, a_restart_that_takes_too_long_is_a_lag) {
    const TempFolder folder("locklab-slow");
    const std::filesystem::path slow = folder.path() / "redis-server";
    std::ofstream(slow) << "#!/bin/sh\nsleep 0.3\nPATH=${PATH#*:} exec redis-server \"$@\"\n";
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    ManagedServers server;
    LiveLoop loop(server);
    ASSERT_EQ(setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1), 0);
    const auto results = run_all(loop, {short_run(200), run_with_restart(Duration::zero())});
    setenv("PATH", path.c_str(), 1);
    for (const LiveResult& result : results) EXPECT_GE(result.worst_lag, 250ms);
}

TEST(LiveServer, killed_and_restarted_by_somebody_else) {
    ManagedServers server;
    LiveLoop loop(server);
    int tries = 0;
    int unknown = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries == 30) ::kill(server.process().pid(), SIGKILL);
    };
    HookedLock::after_try = [&](Client&, const Reply& reply) {
        if (reply.is_unknown() && ++unknown == 10) {
            server.kill(NodeId{});
            server.bring_back(NodeId{});
        }
    };
    const auto results = run_all(loop, {short_run(HookedLock::algorithm(), 50)});
    HookedLock::before_try = nullptr;
    HookedLock::after_try = nullptr;
    EXPECT_GE(unknown, 10);
    EXPECT_GE(results[0].grants, 50u);
    EXPECT_FALSE(results[0].server_lost);
}

TEST(LiveServer, gone_for_good_ends_the_run_and_is_said) {
    RedisProcess server;
    LiveLoop loop(server.endpoint());
    int tries = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries == 30) server.kill();
    };
    LiveConfig config = short_run(HookedLock::algorithm(), 1'000'000'000);
    config.patience = 300ms;
    std::vector<LiveResult> results;
    const auto summary = loop.run({config, config}, 2, [&](std::size_t, LiveResult result) {
        results.push_back(std::move(result));
    });
    HookedLock::before_try = nullptr;
    ASSERT_EQ(results.size(), 2u);
    for (const LiveResult& result : results) EXPECT_TRUE(result.server_lost);
    EXPECT_NE(summary.keys_left.find("could not be deleted"), std::string::npos);
}

/// Lets the server listen on a TCP port as well.
Endpoint open_port(const RedisProcess& server) {
    SyncConnection connection(server.endpoint(), 5s);
    Endpoint endpoint;
    endpoint.host = "localhost";
    for (std::uint16_t port = 21000; port < 22000; ++port) {
        if (!connection.command(Command::of("CONFIG", "SET", "port", port)).is_ok()) continue;
        endpoint.port = port;
        return endpoint;
    }
    return endpoint;
}

TEST(LiveServer, over_tcp_runs_are_the_same) {
    RedisProcess server;
    LiveLoop loop(open_port(server));
    const auto results = run_all(loop, std::vector<LiveConfig>(20, short_run(10)));
    for (const LiveResult& result : results) {
        EXPECT_GE(result.grants, 10u);
        for (const auto& noted : all_of<event::Replied>(result.history)) {
            EXPECT_FALSE(noted.detail->reply.is_unknown());
        }
    }
    EXPECT_EQ(keys_on(server.endpoint()).size(), 0u);
}

TEST(LiveServer, over_tcp_gone_for_good_ends_the_run_and_is_said) {
    RedisProcess server;
    LiveLoop loop(open_port(server));
    int tries = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries == 30) server.kill();
    };
    LiveConfig config = short_run(HookedLock::algorithm(), 1'000'000'000);
    config.patience = 300ms;
    const auto results = run_all(loop, {config});
    HookedLock::before_try = nullptr;
    EXPECT_TRUE(results[0].server_lost);
}

TEST(LiveServer, silent_server_is_unknown_after_the_timeout_and_counts_as_lost) {
    ManagedServers server;
    LiveLoop loop(server);
    int tries = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries == 10) ::kill(server.process().pid(), SIGSTOP);
    };
    LiveConfig config = short_run(HookedLock::algorithm(), 1'000'000'000);
    config.command_timeout = 50ms;
    config.patience = 500ms;
    std::vector<LiveResult> results;
    loop.run({config}, 1, [&](std::size_t, LiveResult result) {
        results.push_back(std::move(result));
        ::kill(server.process().pid(), SIGCONT);
    });
    HookedLock::before_try = nullptr;
    ASSERT_EQ(results.size(), 1u);
    EXPECT_TRUE(results[0].server_lost);
}

TEST(LiveServer, server_that_was_silent_answers_late_and_it_is_recorded) {
    ManagedServers server;
    LiveLoop loop(server);
    int tries = 0;
    int unknown = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries == 10) ::kill(server.process().pid(), SIGSTOP);
    };
    HookedLock::after_try = [&](Client&, const Reply& reply) {
        if (reply.is_unknown() && ++unknown == 3) ::kill(server.process().pid(), SIGCONT);
    };
    LiveConfig config = short_run(HookedLock::algorithm(), 50);
    config.options.ttl = 20ms;
    config.command_timeout = 50ms;
    const auto results = run_all(loop, {config});
    HookedLock::before_try = nullptr;
    HookedLock::after_try = nullptr;
    std::size_t late = 0;
    for (const auto& [event, replied] : all_of<event::Replied>(results[0].history)) {
        if (!replied->reply.is_unknown()) continue;
        for (const auto& executed : all_of<event::Executed>(results[0].history, replied->call)) {
            late += executed.event > event;
        }
    }
    EXPECT_GT(late, 0u);
    EXPECT_GE(results[0].grants, 50u);
}

}  // namespace
}  // namespace locklab::live_server_test
