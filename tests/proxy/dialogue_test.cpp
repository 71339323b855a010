#include "harness/proxy/dialogue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace locklab::dialogue_test {
namespace {

/// Asks and hears; of each frame, the number of the command that it completes: 0 for none, and -1
/// where it is unasked.
class DialogueTest : public ::testing::Test {
protected:
    void ask(const std::string& line) { dialogue_.ask(FrameWords(line + "\r\n")); }
    int hear(const std::string& frame) {
        const char type = frame.front();
        const bool unasked = dialogue_.is_unasked(frame, type);
        const bool complete = dialogue_.take(frame, type);
        if (unasked) return -1;
        if (!complete) return 0;
        const auto number = static_cast<int>(dialogue_.front().number);
        dialogue_.pop();
        return number;
    }
    static std::string confirm(const std::string& what, int left, char type = '*') {
        return std::string(1, type) + "3\r\n$" + std::to_string(what.size()) + "\r\n" + what +
               "\r\n$1\r\nc\r\n:" + std::to_string(left) + "\r\n";
    }
    static std::string message(char type = '*') {
        return std::string(1, type) + "3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n";
    }

    Dialogue dialogue_;
};

TEST_F(DialogueTest, answers_come_in_the_order_of_the_commands) {
    ask("PING");
    ask("GET a");
    EXPECT_EQ(hear("+PONG\r\n"), 1);
    EXPECT_EQ(hear("$-1\r\n"), 2);
    EXPECT_EQ(hear("-ERR max number of clients reached\r\n"), -1);
}

TEST_F(DialogueTest, an_empty_line_is_no_command) {
    ask("");
    ask("PING");
    EXPECT_EQ(hear("+PONG\r\n"), 1);
    EXPECT_TRUE(dialogue_.empty());
}

TEST_F(DialogueTest, each_channel_is_confirmed_and_messages_are_unasked) {
    ask("SUBSCRIBE a b");
    ask("PING");
    EXPECT_EQ(hear(confirm("subscribe", 1)), 0);
    EXPECT_EQ(hear(message()), -1);
    EXPECT_EQ(hear(confirm("subscribe", 2)), 1);
    EXPECT_EQ(hear(message()), -1);
    EXPECT_EQ(hear("*2\r\n$4\r\npong\r\n$0\r\n\r\n"), 2);
}

TEST_F(DialogueTest, unsubscribing_from_all_is_confirmed_for_each) {
    ask("SUBSCRIBE a b");
    ask("PSUBSCRIBE c*");
    ask("UNSUBSCRIBE");
    ask("UNSUBSCRIBE");
    ask("PUNSUBSCRIBE");
    ask("GET a");
    EXPECT_EQ(hear(confirm("subscribe", 1)), 0);
    EXPECT_EQ(hear(confirm("subscribe", 2)), 1);
    EXPECT_EQ(hear(confirm("psubscribe", 3)), 2);
    EXPECT_EQ(hear(confirm("unsubscribe", 2)), 0);
    EXPECT_EQ(hear(confirm("unsubscribe", 1)), 3);
    EXPECT_EQ(hear("*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:1\r\n"), 4);
    EXPECT_EQ(hear(confirm("punsubscribe", 0)), 5);
    EXPECT_EQ(hear(message()), 6) << "nobody is subscribed: it is a value";
}

TEST_F(DialogueTest, in_resp3_pushes_confirm_and_an_array_is_a_value) {
    ask("HELLO 3");
    ask("SUBSCRIBE a");
    ask("GET a");
    ask("LRANGE l 0 -1");
    EXPECT_EQ(hear("%0\r\n"), 1);
    EXPECT_EQ(hear(message('>')), -1);
    EXPECT_EQ(hear(confirm("subscribe", 1, '>')), 2);
    EXPECT_EQ(hear(message('>')), -1);
    EXPECT_EQ(hear("$1\r\nx\r\n"), 3);
    EXPECT_EQ(hear(message('*')), 4);
}

TEST_F(DialogueTest, a_subscription_that_is_refused_or_queued_has_one_answer) {
    ask("SUBSCRIBE a b");
    ask("SUBSCRIBE a b");
    EXPECT_EQ(hear("+QUEUED\r\n"), 1);
    EXPECT_EQ(hear("-NOPERM no\r\n"), 2);
}

TEST_F(DialogueTest, who_wants_no_replies_gets_none) {
    ask("CLIENT REPLY SKIP");
    ask("SET a b");
    ask("GET a");
    EXPECT_EQ(hear("$1\r\nb\r\n"), 3);
    ask("CLIENT REPLY OFF");
    ask("GET a");
    EXPECT_TRUE(dialogue_.empty());
    ask("CLIENT REPLY ON");
    EXPECT_EQ(hear("+OK\r\n"), 6);
}

TEST_F(DialogueTest, after_a_reset_nobody_is_subscribed_and_the_protocol_is_the_old_one) {
    ask("HELLO 3");
    ask("SUBSCRIBE a");
    ask("RESET");
    EXPECT_EQ(hear("%0\r\n"), 1);
    EXPECT_EQ(hear(confirm("subscribe", 1, '>')), 2);
    EXPECT_EQ(hear("+RESET\r\n"), 3);
    ask("LRANGE l 0 -1");
    EXPECT_EQ(hear(message()), 4);
    ask("SUBSCRIBE a");
    EXPECT_EQ(hear(confirm("subscribe", 1)), 5);
    ask("PING");
    EXPECT_EQ(hear(message()), -1);
}

TEST_F(DialogueTest, a_refused_command_spoils_a_transaction) {
    dialogue_.refuse(FrameWords("GET a\r\n"));
    EXPECT_FALSE(dialogue_.is_spoilt());
    ask("MULTI");
    EXPECT_TRUE(dialogue_.in_transaction());
    dialogue_.refuse(FrameWords("GET a\r\n"));
    EXPECT_TRUE(dialogue_.is_spoilt());
    ask("EXEC");
    EXPECT_FALSE(dialogue_.in_transaction());
    EXPECT_FALSE(dialogue_.is_spoilt());
}

TEST(FrameWords, are_the_first_of_a_command) {
    const FrameWords words(
        "*6\r\n$4\r\neVaL\r\n$2\r\n\r\n\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\na\r\n$0\r\n\r\n");
    EXPECT_EQ(words.count(), 6U);
    EXPECT_TRUE(words.is(0, "EVAL"));
    EXPECT_FALSE(words.is(0, "EVALSHA"));
    EXPECT_EQ(words[1], "\r\n");
    EXPECT_EQ(words[3], "k");
    EXPECT_EQ(words[4], "");
    const FrameWords line("  set\ta b \r\n");
    EXPECT_EQ(line.count(), 3U);
    EXPECT_TRUE(line.is(0, "SET"));
}

}  // namespace
}  // namespace locklab::dialogue_test
