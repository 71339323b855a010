// Which keys an eviction may strike in a search, by locks that keep several.

#include "harness/explore/evicted_keys.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

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

TEST(EvictedKeys, may_have_one_token_in_their_names) {
    EXPECT_EQ(of("named_alive"), (Names{"lock", "lock:mirror", "lock:alive:<token>"}));
    EXPECT_EQ(of("mirrored_and_signed_twice"), (Names{"lock", "lock:mirror"}));
}

TEST(EvictedKeys, of_a_name_with_a_token_are_one_for_each_token_of_each_client) {
    const Names names{"lock", "by:<token>", "lock:mirror", "<token>"};
    const auto token = [](std::uint64_t client, std::uint64_t count) {
        return token_text(TokenStyle::same_tail, client, count);
    };
    const Names keys = keys_of(names, 3, TokenStyle::same_tail);
    EXPECT_EQ(
        Names(keys.begin(), keys.begin() + 10),
        (Names{"lock", "lock:mirror", "by:" + token(0, 1), token(0, 1), "by:" + token(1, 1),
               token(1, 1), "by:" + token(2, 1), token(2, 1), "by:" + token(0, 2), token(0, 2)}));
    EXPECT_EQ(keys.size(), 2 + 10 * 2 * 3U) << "more of all clients' do not fit";
    EXPECT_EQ(keys_of(std::span(names).first(1), 3, TokenStyle::mixed), Names{"lock"});
}

TEST(EvictedKeys, are_those_of_other_clients_where_clients_are_renamed) {
    const Names names{"lock", "by:<token>", "lock:mirror", "<token>"};
    const std::array<std::uint8_t, 3> is_now{2, 0, 1};
    const Names keys = keys_of(names, 3, TokenStyle::mixed);
    for (std::uint16_t key = 0; key < keys.size(); ++key) {
        std::string renamed = keys[key];
        for (std::uint64_t count = 1; count <= 10; ++count) {
            for (std::uint64_t client = 0; client < 3; ++client) {
                const std::size_t at = renamed.find(token_text(TokenStyle::mixed, client, count));
                if (at == std::string::npos) continue;
                renamed.replace(at, kTokenDigits,
                                token_text(TokenStyle::mixed, is_now[client], count));
                break;
            }
        }
        EXPECT_EQ(keys[key_of_renamed(key, names, 3, is_now)], renamed) << key;
    }
}

TEST(EvictedKeys, are_those_of_the_bounds) {
    const Algorithm& lock = *algorithm_named("fenced");
    EXPECT_EQ(bounds_for(lock).keys, evicted_keys(lock).names);
}

}  // namespace
}  // namespace locklab::evicted_keys_test
