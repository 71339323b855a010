// Shards: together they have everything once, in order, and nearly equal parts of it.

#include "harness/core/shard.h"

#include <gtest/gtest.h>

#include "harness/core/usage_error.h"

namespace locklab::shard_test {
namespace {

TEST(Shard, ranges_follow_on_each_other_and_differ_by_one_at_most) {
    for (std::uint64_t count = 0; count < 40; ++count) {
        for (std::uint64_t of = 1; of < 12; ++of) {
            std::uint64_t next = 0;
            for (std::uint64_t i = 0; i < of; ++i) {
                const Shard shard{i, of};
                EXPECT_EQ(shard.first(count), next);
                next = shard.end(count);
                const std::uint64_t size = next - shard.first(count);
                EXPECT_GE(size, count / of);
                EXPECT_LE(size, (count + of - 1) / of);
            }
            EXPECT_EQ(next, count);
        }
    }
}

TEST(Shard, each_piece_is_in_one) {
    for (std::uint64_t piece = 0; piece < 40; ++piece) {
        int in = 0;
        for (std::uint64_t i = 0; i < 7; ++i) in += Shard{i, 7}.has(piece) ? 1 : 0;
        EXPECT_EQ(in, 1);
    }
}

TEST(Shard, is_read_as_it_is_written) {
    const Shard shard{3, 8};
    EXPECT_EQ(to_string(shard), "3/8");
    EXPECT_EQ(Shard::parse("3/8"), shard);
    for (const char* text : {"", "3", "8/8", "-1/8", "+1/8", "1/0", "0/100001", "1/2/3", " 1/2"}) {
        EXPECT_THROW(Shard::parse(text), UsageError) << text;
    }
}

}  // namespace
}  // namespace locklab::shard_test
