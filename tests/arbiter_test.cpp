// The arbiter: a register whose writes tell what they overwrote, and a mutex with one owner.

#include "harness/core/arbiter.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

constexpr ClientId kA{0};
constexpr ClientId kB{1};

class ArbiterTest : public testing::Test {
protected:
    std::int64_t ask(ClientId client, const char* command) {
        return arbiter_.execute(client, Command::of(command)).reply.as_integer();
    }
    event::Wrote write(std::uint64_t base, std::uint64_t grant) {
        const auto answer = arbiter_.execute(kA, Command::of("WRITE", base, grant));
        EXPECT_TRUE(answer.reply.is_ok());
        return std::get<event::Wrote>(answer.note.value());
    }
    Arbiter arbiter_;
};

TEST_F(ArbiterTest, a_write_tells_what_it_overwrote_and_by_which_grant) {
    EXPECT_EQ(ask(kA, "READ"), 0);
    EXPECT_EQ(write(0, 7).previous, 0U);
    EXPECT_EQ(ask(kB, "READ"), 1);
    const event::Wrote lost = write(0, 8);
    EXPECT_EQ(lost.base, 0U);
    EXPECT_EQ(lost.previous, 1U);
    EXPECT_EQ(lost.version, 2U);
    EXPECT_EQ(lost.grant, 8U);
    EXPECT_EQ(ask(kB, "READ"), 2);
}

TEST_F(ArbiterTest, its_register_refuses_an_older_fencing_token_in_reads_and_writes) {
    const auto answer = [&](auto... words) { return arbiter_.execute(kA, Command::of(words...)); };
    EXPECT_EQ(answer("READ", 7).reply, Reply::integer(0));
    EXPECT_EQ(answer("READ", 8).reply, Reply::integer(0));
    for (const auto& refused : {answer("READ", 7), answer("WRITE", 0, 1, 7)}) {
        EXPECT_TRUE(refused.reply.is_nil());
        const auto denied = std::get<event::Denied>(refused.note.value());
        EXPECT_EQ(denied.fence, 7U);
        EXPECT_EQ(denied.highest, 8U);
    }
    EXPECT_TRUE(answer("WRITE", 0, 2, 8).reply.is_ok());
    EXPECT_EQ(answer("READ", 8).reply, Reply::integer(1));
    EXPECT_EQ(answer("READ").reply, Reply::integer(1)) << "a job without a token is not refused";
}

TEST_F(ArbiterTest, its_mutex_has_one_owner_and_nobody_else_gives_it_back) {
    EXPECT_EQ(ask(kA, "TAKE"), 1);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    EXPECT_EQ(ask(kB, "GIVE"), 0);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    EXPECT_EQ(ask(kA, "GIVE"), 1);
    EXPECT_EQ(ask(kA, "GIVE"), 0);
    EXPECT_EQ(ask(kB, "TAKE"), 1);
}

TEST_F(ArbiterTest, its_mutex_is_free_once_its_owner_crashed_and_not_when_another_did) {
    EXPECT_EQ(ask(kA, "TAKE"), 1);
    arbiter_.crashed(kB);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    arbiter_.crashed(kA);
    EXPECT_EQ(ask(kB, "TAKE"), 1);
}

}  // namespace
}  // namespace locklab
