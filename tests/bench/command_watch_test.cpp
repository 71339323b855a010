// What counts as a command of a client, on a real server.

#include "harness/bench/command_watch.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"

namespace locklab::command_watch_test {
namespace {

TEST(CommandWatch, counts_what_clients_send_and_not_what_scripts_run) {
    RedisProcess server;
    SyncConnection client(server.endpoint());
    client.command(Command::of("SET", "before", "it"));
    CommandWatch watch(server.endpoint());
    EXPECT_EQ(watch.seen(), 0U);
    client.command(Command::of("SET", "key lua] [0 lua]", "value"));
    EXPECT_EQ(watch.seen(), 1U);
    client.command(
        Command::of("EVAL", "redis.call('SET', KEYS[1], 1) redis.call('DEL', KEYS[1])", 1, "key"));
    client.command(Command::of("PING"));
    EXPECT_EQ(watch.seen(), 3U);
    EXPECT_EQ(watch.seen(), 3U);
    server.kill();
    EXPECT_THROW(watch.seen(), std::runtime_error);
    EXPECT_THROW(CommandWatch(server.endpoint()), std::runtime_error);
}

TEST(CommandWatch, knows_a_script_by_where_a_command_came_from) {
    EXPECT_TRUE(CommandWatch::is_of_client(R"(1700000000.1 [0 127.0.0.1:6000] "GET" "a lua]")"));
    EXPECT_TRUE(CommandWatch::is_of_client(R"(1700000000.1 [0 unix:/tmp/redis.sock] "GET" "a")"));
    EXPECT_FALSE(CommandWatch::is_of_client(R"(1700000000.1 [0 lua] "GET" "a")"));
    EXPECT_FALSE(CommandWatch::is_of_client("OK"));
}

}  // namespace
}  // namespace locklab::command_watch_test
