// What a command did to the lock's key, as its words and its reply tell.

#include "harness/core/command.h"

#include <gtest/gtest.h>

#include "harness/core/reply.h"

namespace locklab {
namespace {

/// "created 10s", "none".
std::string effect(const Command& command, const Reply& reply) {
    const KeyEffect did = effect_of(command, reply);
    const std::string kind(name_of(did.kind));
    return did.ttl == Duration::zero() ? kind : kind + " " + std::to_string(us(did.ttl) / 1000);
}

TEST(CommandTest, set_makes_a_key_that_lives_as_long_as_it_says) {
    const Reply ok = Reply::ok();
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "NX", "EX", 10), ok), "created 10000");
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "NX", "PX", 10), ok), "created 10");
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "PX", 10), ok), "replaced 10");
    EXPECT_EQ(effect(Command::of("SET", "k", "t"), ok), "replaced");
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "NX", "EX", 10), Reply::nil()), "none");
    EXPECT_EQ(effect(Command::of("SETNX", "k", "t"), Reply::integer(1)), "created");
    EXPECT_EQ(effect(Command::of("SETNX", "k", "t"), Reply::integer(0)), "none");
    EXPECT_EQ(effect(Command::of("GETSET", "k", "t"), Reply::bulk("u")), "replaced");
    EXPECT_EQ(effect(Command::of("GETSET", "k", "t"), Reply::nil()), "created");
}

TEST(CommandTest, expire_extends_a_key_or_deletes_it) {
    const Reply done = Reply::integer(1);
    EXPECT_EQ(effect(Command::of("EXPIRE", "k", 10), done), "extended 10000");
    EXPECT_EQ(effect(Command::of("PEXPIRE", "k", 10), done), "extended 10");
    EXPECT_EQ(effect(Command::of("PEXPIRE", "k", 10), Reply::integer(0)), "none");
    EXPECT_EQ(effect(Command::of("EXPIRE", "k", 0), done), "deleted");
    EXPECT_EQ(effect(Command::of("PEXPIRE", "k", -1), done), "deleted");
    EXPECT_EQ(effect(Command::of("DEL", "k"), done), "deleted");
    EXPECT_EQ(effect(Command::of("DEL", "k"), Reply::integer(0)), "none");
}

TEST(CommandTest, what_is_not_known_to_have_run_did_nothing) {
    const Command set = Command::of("SET", "k", "t", "NX", "EX", 10);
    EXPECT_EQ(effect(set, Reply::unknown()), "none");
    EXPECT_EQ(effect(set, Reply::error("ERR")), "none");
    EXPECT_EQ(effect(Command::of("GET", "k"), Reply::bulk("t")), "none");
}

}  // namespace
}  // namespace locklab
