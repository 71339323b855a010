#include "harness/foreign/operator_commands.h"

#include <gtest/gtest.h>

#include "harness/foreign/gate_inbox.h"
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
    EXPECT_NE(trouble({"CONFIG", "SET", "notify-keyspace-events", "", "maxmemory", "1"}), "");
    EXPECT_NE(trouble({"client", "pause", "3000"}).find("CLIENT PAUSE"), std::string::npos);
    EXPECT_NE(trouble({"CLIENT", "KILL", "TYPE", "normal"}).find("CLIENT KILL"), std::string::npos);
    EXPECT_NE(trouble({"CLIENT", "KILL", "ID", "3", "USER", "x"}), "");
    EXPECT_NE(trouble({"CLIENT", "KILL"}), "");
}

TEST(OperatorCommands, are_not_those_that_change_only_keys_or_ask) {
    EXPECT_EQ(trouble({"CONFIG", "GET", "maxmemory"}), "");
    EXPECT_EQ(trouble({"CONFIG", "SET", "notify-keyspace-events", "KEA"}), "");
    EXPECT_EQ(trouble({"FLUSHALL"}), "");
    EXPECT_EQ(trouble({"SET", "SHUTDOWN", "1"}), "");
    EXPECT_EQ(trouble({"CLIENT", "SETNAME", "KILL"}), "");
    EXPECT_EQ(trouble({"SCRIPT", "FLUSH"}), "");
    EXPECT_EQ(trouble({"CLIENT", "kill", "id", "3"}), "") << "one connection";
    EXPECT_EQ(trouble({"CLIENT", "KILL", "ADDR", "127.0.0.1:5000"}), "");
    EXPECT_EQ(trouble({"CLIENT", "KILL", "127.0.0.1:5000"}), "");
    EXPECT_EQ(trouble({}), "");
}

/// What ended the run is to be told, and not that its log is gone.
TEST(OperatorCommands, are_not_looked_for_in_a_log_that_was_taken) {
    EXPECT_EQ(operator_trouble_in("", LinkTable(1, 1), "odd"), "");
}

/// A stage opens its drivers before it closes the gate, and holds no command without the key.
TEST(OperatorCommands, are_noted_at_a_gate_that_is_open) {
    GateInbox inbox("lock");
    const auto send = [&](std::uint16_t link, const std::vector<std::string>& words) {
        const std::string frame = resp(words);
        return inbox.holds({link, 1, 1, LinkWay::request, frame});
    };
    EXPECT_FALSE(send(3, {"GET", "lock"}));
    EXPECT_FALSE(inbox.changer());
    EXPECT_FALSE(send(5, {"SHUTDOWN"}));
    inbox.close_gate();
    EXPECT_FALSE(send(6, {"CLIENT", "PAUSE", "1"}));
    ASSERT_TRUE(inbox.changer());
    EXPECT_EQ(inbox.changer()->link, 5);
    EXPECT_EQ(inbox.changer()->frame, resp({"SHUTDOWN"}));
}

}  // namespace
}  // namespace locklab::operator_commands_test
