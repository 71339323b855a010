#include "harness/live/script_digests.h"

#include <gtest/gtest.h>

namespace locklab::script_digests_test {
namespace {

constexpr Script kOne{"one", "return 1"};
constexpr Script kTwo{"two", "return 2"};

TEST(ScriptDigests, keeps_one_for_each_script) {
    ScriptDigests digests;
    const std::string& one = digests.of(kOne);
    EXPECT_EQ(digests.of(kTwo), "7f923f79fe76194c868d7e1d0820de36700eb649");
    EXPECT_EQ(&digests.of(kOne), &one);
    EXPECT_EQ(one, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

}  // namespace
}  // namespace locklab::script_digests_test
