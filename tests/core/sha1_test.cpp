#include "harness/core/sha1.h"

#include <gtest/gtest.h>

namespace locklab::sha1_test {
namespace {

// The examples of FIPS 180-4, and texts whose padding begins a block of its own.
TEST(Sha1, has_the_values_of_its_standard) {
    EXPECT_EQ(to_hex(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(to_hex(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(to_hex(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(to_hex(sha1(std::string(1'000'000, 'a'))),
              "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

}  // namespace
}  // namespace locklab::sha1_test
