// One client over blocking calls, on a real server.

#include "harness/live/blocking_client.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"

namespace locklab::blocking_client_test {
namespace {

using namespace std::chrono_literals;

class BlockingClientTest : public testing::TestWithParam<const Algorithm*> {
protected:
    static RedisProcess& server() {
        static RedisProcess process(RedisProcess::Listen::on_port_too);
        return process;
    }
    static Workload lock_alone() {
        Workload workload;
        workload.lock_alone = true;
        return workload;
    }
};

TEST_P(BlockingClientTest, takes_and_gives_back_and_leaves_no_key) {
    const Algorithm& lock = *GetParam();
    const Key key{"blocking:" + std::string(lock.name)};
    for (const Endpoint& endpoint : {server().endpoint(), server().port_endpoint()}) {
        BlockingClient client(lock, lock.defaults, lock_alone(), endpoint, key);
        for (int stretch = 0; stretch < 2; ++stretch) {
            const BlockingClient::Stretch done = client.run_for(5ms);
            EXPECT_GT(done.grants, 0U);
            EXPECT_GE(done.seconds, 0.005);
            if (lock.on_redis()) {
                EXPECT_EQ(done.commands % done.grants, 0U);
                EXPECT_GE(done.commands, 2 * done.grants);
            }
        }
        SyncConnection connection(endpoint, 2s);
        EXPECT_TRUE(connection.command(Command::of("EXISTS", key)).is_integer(0));
    }
}

INSTANTIATE_TEST_SUITE_P(EveryLock, BlockingClientTest, testing::ValuesIn([] {
                             std::vector<const Algorithm*> locks;
                             for (const Algorithm& lock : algorithms()) locks.push_back(&lock);
                             return locks;
                         }()),
                         [](const auto& one) { return std::string(one.param->name); });

TEST_F(BlockingClientTest, renews_while_it_holds) {
    const Algorithm& lock = *algorithm_named("watchdog_owned");
    LockOptions options = lock.defaults;
    options.ttl = 60ms;
    options.renewal = 10ms;
    Workload workload;
    workload.job = {100ms, 100ms};
    BlockingClient client(lock, options, workload, server().endpoint(), Key{"blocking:renewed"});
    const BlockingClient::Stretch done = client.run_for(50ms);
    EXPECT_EQ(done.grants, 1U);
    EXPECT_GE(done.commands, 5U);  // to take, to give back, and three renewals at the least
}

TEST_F(BlockingClientTest, says_where_there_is_no_server) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Endpoint nowhere{"/nowhere/redis.sock", "", 0};
    EXPECT_THROW(BlockingClient(lock, lock.defaults, lock_alone(), nowhere, Key{"k"}),
                 std::runtime_error);
}

}  // namespace
}  // namespace locklab::blocking_client_test
