#include "harness/core/server_error.h"

#include <gtest/gtest.h>

namespace locklab::server_error_test {
namespace {

TEST(ServerError, knows_what_a_server_refuses_by_its_own_doing) {
    for (const char* error :
         {"READONLY You can't write against a read only replica.",
          "OOM command not allowed when used memory > 'maxmemory'.",
          "NOREPLICAS Not enough good replicas to write.", "CLUSTERDOWN Hash slot not served",
          "MOVED 3999 127.0.0.1:6381", "NOPERM User default has no permissions",
          "NOAUTH Authentication required.", "LOADING Redis is loading the dataset in memory",
          "MISCONF Redis is configured to save RDB snapshots",
          "BUSY Redis is busy running a script.", "MASTERDOWN Link with MASTER is down",
          "ERR max number of clients reached", "READONLY"}) {
        EXPECT_TRUE(is_servers_own(error)) << error;
    }
}

TEST(ServerError, knows_it_in_a_script_too) {
    EXPECT_TRUE(is_servers_own("READONLY You can't write. script: 1ab, on @user_script:1."));
    EXPECT_TRUE(is_servers_own(
        "ERR Error running script (call to f_1ab): @user_script:1: -READONLY You can't write"));
    EXPECT_FALSE(is_servers_own(
        "ERR Error running script (call to f_1ab): @user_script:1: -WRONGTYPE Operation"));
    EXPECT_FALSE(is_servers_own("ERR Error running script 1ab, user_script:1: nil"));
}

TEST(ServerError, leaves_the_locks_own_to_the_lock) {
    for (const char* error :
         {"WRONGTYPE Operation against a key holding the wrong kind of value",
          "ERR unknown command 'LPUSSH', with args beginning with: ", "ERR syntax error",
          "NOSCRIPT No matching script. Please use EVAL.", "EXECABORT Transaction discarded",
          "LOCKED by another", "BUSY the lock is held", "DENIED", "LOADING",
          "BUSYGROUP Consumer Group name already exists", "", "READONLYX"}) {
        EXPECT_FALSE(is_servers_own(error)) << error;
    }
}

}  // namespace
}  // namespace locklab::server_error_test
