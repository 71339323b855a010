#include "harness/live/script_digests.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

// The examples of FIPS 180-4, and texts whose padding begins a block of its own.
TEST(ScriptDigests, Sha1AsPublished) {
    EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

constexpr Script kOne{"one", "return 1"};
constexpr Script kTwo{"two", "return 2"};

TEST(ScriptDigests, KeepsOneForEachScript) {
    ScriptDigests digests;
    const std::string& one = digests.of(kOne);
    EXPECT_EQ(digests.of(kTwo), sha1_hex("return 2"));
    EXPECT_EQ(&digests.of(kOne), &one);
    EXPECT_EQ(one, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

}  // namespace
}  // namespace locklab
