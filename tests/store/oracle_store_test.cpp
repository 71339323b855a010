// The oracle: a register whose writes tell what they overwrote, and a mutex with one owner.

#include "harness/store/oracle/oracle_store.h"

#include <gtest/gtest.h>

namespace locklab::oracle_store_test {
namespace {

constexpr ClientId kA{0};
constexpr ClientId kB{1};

class OracleStoreTest : public testing::Test {
protected:
    /// The reply; what is noted lies in the outbox.
    template <class... Words>
    Reply answer(ClientId client, const Words&... words) {
        const Command command = Command::of(words...);
        out_.clear();
        oracle_.on(Request{{client, Channel::worker, kOracle}, &command}, WallTime(), out_);
        return out_.take_reply();
    }
    std::int64_t ask(ClientId client, const char* command) {
        return answer(client, command).as_integer();
    }
    event::Wrote write(std::uint64_t base, std::uint64_t grant) {
        EXPECT_TRUE(answer(kA, "WRITE", base, grant).is_ok());
        return std::get<event::Wrote>(out_.note().value());
    }
    void crash(ClientId client) {
        oracle_.on(Closed{{client, Channel::worker, kOracle}}, WallTime(), out_);
    }

    OracleStore oracle_;
    Outbox out_;
};

TEST_F(OracleStoreTest, a_write_tells_what_it_overwrote_and_by_which_grant) {
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

TEST_F(OracleStoreTest, its_register_refuses_an_older_fencing_token_in_reads_and_writes) {
    EXPECT_EQ(answer(kA, "READ", 7), Reply::integer(0));
    EXPECT_EQ(answer(kA, "READ", 8), Reply::integer(0));
    for (const bool writes : {false, true}) {
        const Reply refused = writes ? answer(kA, "WRITE", 0, 1, 7) : answer(kA, "READ", 7);
        EXPECT_TRUE(refused.is_nil());
        const auto denied = std::get<event::Denied>(out_.note().value());
        EXPECT_EQ(denied.fence, 7U);
        EXPECT_EQ(denied.highest, 8U);
    }
    EXPECT_TRUE(answer(kA, "WRITE", 0, 2, 8).is_ok());
    EXPECT_EQ(answer(kA, "READ", 8), Reply::integer(1));
    EXPECT_EQ(answer(kA, "READ"), Reply::integer(1)) << "a job without a token is not refused";
}

TEST_F(OracleStoreTest, its_mutex_has_one_owner_and_nobody_else_gives_it_back) {
    EXPECT_EQ(ask(kA, "TAKE"), 1);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    EXPECT_EQ(ask(kB, "GIVE"), 0);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    EXPECT_EQ(ask(kA, "GIVE"), 1);
    EXPECT_EQ(ask(kA, "GIVE"), 0);
    EXPECT_EQ(ask(kB, "TAKE"), 1);
}

TEST_F(OracleStoreTest, its_mutex_is_free_once_its_owner_crashed_and_not_when_another_did) {
    EXPECT_EQ(ask(kA, "TAKE"), 1);
    crash(kB);
    EXPECT_EQ(ask(kB, "TAKE"), 0);
    crash(kA);
    EXPECT_EQ(ask(kB, "TAKE"), 1);
}

TEST_F(OracleStoreTest, a_resource_that_looks_at_no_tokens_takes_an_old_one) {
    for (const bool looks : {true, false}) {
        oracle_ = OracleStore(looks);
        EXPECT_EQ(answer(kA, "READ", 2), Reply::integer(0));
        EXPECT_EQ(answer(kB, "READ", 1).is_nil(), looks);
    }
}

}  // namespace
}  // namespace locklab::oracle_store_test
