// Which keys an eviction may strike in a search, by locks that keep several.

#include "harness/explore/evicted_keys.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/explore/bounds.h"
#include "tests/corpus/corpus.h"

namespace locklab::evicted_keys_test {
namespace {

using Names = std::vector<std::string>;

Names of(std::string_view name) {
    const corpus::Entry* const entry = corpus::entry_named(name);
    return evicted_keys(entry != nullptr ? entry->algorithm : *algorithm_named(name)).names;
}

TEST(EvictedKeys, begin_with_the_locks_own) {
    EXPECT_EQ(of("set_nx_lua"), Names{"lock"});
    EXPECT_EQ(of("fenced"), (Names{"lock", "lock:fence"}));
    EXPECT_EQ(of("mirrored_and_marked"), (Names{"lock", "lock:last", "lock:mirror"}));
    EXPECT_EQ(of("perfect_lock"), Names{"lock"});
}

TEST(EvictedKeys, are_there_though_the_locks_own_never_is) {
    EXPECT_EQ(of("held_in_a_hash"), (Names{"lock", "lock:holders"}));
    EXPECT_EQ(of("key_of_its_own"), (Names{"lock", "lock:want:0", "lock:want:1", "lock:want:2"}));
}

TEST(EvictedKeys, have_no_token_in_their_names) {
    EXPECT_EQ(of("named_alive"), (Names{"lock", "lock:mirror"}));
}

TEST(EvictedKeys, are_those_of_the_bounds) {
    const Algorithm& lock = *algorithm_named("fenced");
    EXPECT_EQ(bounds_for(lock).keys, evicted_keys(lock).names);
}

}  // namespace
}  // namespace locklab::evicted_keys_test
