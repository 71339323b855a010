// Commands and answers at the gate, as histories have them.

#include "harness/foreign/gated_command.h"

#include <gtest/gtest.h>

#include "harness/core/sha1.h"
#include "tests/foreign/frames.h"

namespace locklab::gated_command_test {
namespace {

TEST(GatedCommand, has_its_words_and_what_tells_it_apart) {
    const GatedCommand set = gated_command(resp({"set", "k", "a b", "NX", "PX", "100"}));
    EXPECT_EQ(set.command.size(), 6U);
    EXPECT_EQ(set.command[0], "SET");
    EXPECT_EQ(set.command[2], "a b");
    EXPECT_EQ(set.signature, "SET");
    EXPECT_EQ(gated_command("GET k\r\n").command[1], "k");
    EXPECT_TRUE(gated_command("*0\r\n").command.empty());
}

TEST(GatedCommand, is_the_same_script_by_its_text_and_by_its_digest) {
    const std::string lua = "return 1";
    const GatedCommand text = gated_command(resp({"EVAL", lua, "1", "k", "t"}));
    const GatedCommand digest = gated_command(resp({"evalsha", to_hex(sha1(lua)), "1", "k", "t"}));
    EXPECT_EQ(text.signature, digest.signature);
    EXPECT_EQ(text.command[0], "EVAL");
    EXPECT_EQ(digest.command[0], "EVAL");
    EXPECT_EQ(text.command[3], "k");
    EXPECT_NE(gated_command(resp({"EVAL", "return 2", "1", "k"})).signature, text.signature);
}

TEST(GatedCommand, may_be_one_that_waits_at_the_server) {
    const auto waits = [](const std::vector<std::string>& words) {
        return may_wait_at_server(gated_command(resp(words)));
    };
    EXPECT_TRUE(waits({"blpop", "k", "0.2"}));
    EXPECT_TRUE(waits({"XREAD", "COUNT", "1", "block", "5", "STREAMS", "k", "$"}));
    EXPECT_FALSE(waits({"XREAD", "STREAMS", "k", "0"}));
    EXPECT_FALSE(waits({"LPOP", "k"}));
    EXPECT_FALSE(waits({"SET", "BLPOP", "BLOCK"}));
}

TEST(GatedCommand, of_many_or_long_words_has_room_for_the_first) {
    const std::string whole(5000, 'x');
    std::vector<std::string> words(40, whole);
    const GatedCommand long_one = gated_command(resp(words));
    EXPECT_LE(long_one.command.size(), Command::kMostWords);
    EXPECT_LE(long_one.command.bytes(), Command::kMostBytes);
    EXPECT_FALSE(long_one.is_whole);
    EXPECT_FALSE(gated_command(resp({"SET", "k", whole})).is_whole);
    EXPECT_FALSE(gated_command(resp(std::vector<std::string>(17, "word"))).is_whole);
    EXPECT_TRUE(gated_command(resp(std::vector<std::string>(16, "word"))).is_whole);
}

TEST(GatedReply, is_of_its_kind) {
    EXPECT_TRUE(gated_reply("+OK\r\n").is_ok());
    EXPECT_TRUE(gated_reply(":-2\r\n").is_integer(-2));
    EXPECT_TRUE(gated_reply("$-1\r\n").is_nil());
    EXPECT_TRUE(gated_reply("_\r\n").is_nil());
    EXPECT_EQ(gated_reply("$3\r\na\r\n\r\n").text(), "a\r\n");
    EXPECT_TRUE(gated_reply("-OOM no room\r\n").is_error());
    EXPECT_TRUE(gated_reply("").is_unknown());
    EXPECT_TRUE(gated_reply("$5000\r\nonly a part").is_unknown());
    EXPECT_TRUE(gated_reply(">2\r\n+push\r\n:1\r\n").is_unknown());
    EXPECT_EQ(gated_reply(",1.5\r\n").text(), "1.5");
}

TEST(GatedReply, has_what_an_array_or_a_map_holds) {
    EXPECT_EQ(to_string(gated_reply("*3\r\n:1\r\n*1\r\n$1\r\na\r\n$-1\r\n")),
              to_string(Reply::array(
                  {Reply::integer(1), Reply::array({Reply::bulk("a")}), Reply::nil()})));
    EXPECT_EQ(gated_reply("%1\r\n+a\r\n:1\r\n").elements().size(), 2U);
    EXPECT_TRUE(gated_reply("*-1\r\n").is_nil());
    // One that was cut off holds what was kept.
    EXPECT_EQ(gated_reply("*1000000000\r\n:1\r\n").elements().size(), 1U);
    EXPECT_EQ(gated_reply("%9223372036854775807\r\n:1\r\n:2\r\n").elements().size(), 2U);
}

TEST(ScriptText, is_of_eval_and_of_script_load) {
    EXPECT_EQ(script_text(resp({"eval", "return 1", "0"})), "return 1");
    EXPECT_EQ(script_text(resp({"SCRIPT", "load", "return 2"})), "return 2");
    EXPECT_EQ(script_text(resp({"SCRIPT", "EXISTS", "ab"})), "");
    EXPECT_EQ(script_text(resp({"EVALSHA", "ab", "0"})), "");
}

TEST(RenewalsTest, exec_is_whose_the_commands_before_it_are) {
    Renewals renewals;
    EXPECT_TRUE(renewals.take("PEXPIRE", false));
    EXPECT_TRUE(renewals.take("EXEC", false));
    EXPECT_FALSE(renewals.take("DEL", true));
    EXPECT_FALSE(renewals.take("EXEC", true)) << "of a release";
    EXPECT_TRUE(renewals.take("PEXPIRE", true));
    EXPECT_TRUE(renewals.take("EXEC", true)) << "of a watchdog, while its client releases";
    Renewals told;
    told.add("EXEC");
    EXPECT_FALSE(told.take("SET", true));
    EXPECT_FALSE(told.take("EXEC", true));
}

}  // namespace
}  // namespace locklab::gated_command_test
