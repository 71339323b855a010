#include "harness/failover/sentinel_group.h"

#include <gtest/gtest.h>

#include "harness/live/sync_connection.h"

namespace locklab::sentinel_group_test {
namespace {

using namespace std::chrono_literals;

TEST(SentinelGroup, the_replica_has_what_was_written_long_ago_and_takes_over) {
    Endpoint server;
    {
        SentinelGroup group({50ms, Safeguard::none, 2});
        EXPECT_FALSE(group.promoted(50ms).has_value()) << "its master lives";
        SyncConnection master(group.master().endpoint());
        EXPECT_TRUE(master.command(Command::of("SET", "old", "1")).is_ok());
        EXPECT_TRUE(master.command(Command::of("WAIT", 2, 5000)).is_integer(2));
        group.kill_master();
        const auto promoted = group.promoted(20s);
        ASSERT_TRUE(promoted.has_value());
        EXPECT_NE(promoted->port, group.master().port_endpoint().port);
        server = *promoted;
        SyncConnection connection(server);
        EXPECT_EQ(connection.command(Command::of("GET", "old")).text(), "1");
    }
    SyncConnection nobody(server);
    EXPECT_EQ(nobody.trouble(), SyncConnection::Trouble::unreachable);
}

TEST(SlowLink, knows_how_late_it_was_and_says_it_once) {
    RedisProcess server(RedisProcess::Listen::on_port_too);
    SlowLink link(server.port_endpoint(), 100ms);
    const auto begin = std::chrono::steady_clock::now();
    SyncConnection client(link.endpoint());
    EXPECT_EQ(client.command(Command::of("PING")).text(), "PONG");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
    EXPECT_GT(link.take_worst_lag(), 0ms) << "no timer is exact";
    EXPECT_LT(link.take_worst_lag(), 1s) << "since the last call alone";
}

TEST(SentinelGroup, servers_that_want_a_replica_say_so) {
    SentinelGroup group({0ms, Safeguard::min_replicas, 1});
    SyncConnection master(group.master().endpoint());
    const Reply reply = master.command(Command::of("CONFIG", "GET", "min-replicas-to-write"));
    ASSERT_EQ(reply.elements().size(), 2u);
    EXPECT_EQ(reply.elements()[1].text(), "1");
}

/// Redis has WAITAOF from 7.2 on.
TEST(SentinelGroup, a_replica_tells_what_is_on_its_disk_where_the_server_can) {
    RedisProcess server;
    SyncConnection client(server.endpoint());
    const Reply known = client.command(Command::of("COMMAND", "INFO", "WAITAOF"));
    const bool has_it = !known.elements()[0].is_nil();
    try {
        SentinelGroup group({0ms, Safeguard::wait_on_disk, 1});
        EXPECT_TRUE(has_it);
        SyncConnection master(group.master().endpoint(), 5s);
        EXPECT_TRUE(master.command(Command::of("SET", "new", "1")).is_ok());
        const Reply disks = master.command(Command::of("WAITAOF", 0, 1, 5000));
        ASSERT_EQ(disks.elements().size(), 2u);
        EXPECT_EQ(disks.elements()[1].as_integer(), 1);
    } catch (const std::runtime_error& error) {
        EXPECT_FALSE(has_it) << error.what();
        EXPECT_NE(std::string(error.what()).find("--server valkey"), std::string::npos);
    }
}

}  // namespace
}  // namespace locklab::sentinel_group_test
