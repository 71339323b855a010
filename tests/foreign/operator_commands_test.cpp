#include "harness/foreign/operator_commands.h"

#include <gtest/gtest.h>

#include "tests/foreign/frames.h"

namespace locklab::operator_commands_test {
namespace {

std::string trouble(const std::vector<std::string>& words) {
    return operator_trouble(resp(words), ClientId{1}, "odd");
}

TEST(OperatorCommands, are_named_with_who_sent_them) {
    EXPECT_EQ(
        trouble({"shutdown", "nosave"}),
        "The driver of odd changes its server: B sent SHUTDOWN NOSAVE, which is for those who "
        "operate it; what comes of the lock after that shows nothing.");
    EXPECT_NE(trouble({"CONFIG", "set", "maxmemory", "1"}).find("CONFIG SET"), std::string::npos);
    for (const char* command : {"DEBUG", "REPLICAOF", "SLAVEOF", "FAILOVER", "SWAPDB"}) {
        EXPECT_NE(trouble({command, "x", "y"}), "") << command;
    }
}

TEST(OperatorCommands, are_not_those_that_change_only_keys_or_ask) {
    EXPECT_EQ(trouble({"CONFIG", "GET", "maxmemory"}), "");
    EXPECT_EQ(trouble({"CONFIG", "SET", "notify-keyspace-events", "KEA"}), "");
    EXPECT_EQ(trouble({"FLUSHALL"}), "");
    EXPECT_EQ(trouble({"SET", "SHUTDOWN", "1"}), "");
    EXPECT_EQ(trouble({"CLIENT", "KILL", "ID", "3"}), "");
    EXPECT_EQ(trouble({}), "");
}

}  // namespace
}  // namespace locklab::operator_commands_test
