// Tokens of a search are to show whether a lock looks at a part of them, or at their order: another
// style then leads to something else.

#include "harness/core/token_text.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace locklab::token_text_test {
namespace {

struct Both {
    std::string head;
    std::string tail;
};

std::vector<Both> tokens() {
    std::vector<Both> tokens;
    for (std::uint64_t owner = 0; owner < 4; ++owner) {
        for (std::uint64_t count = 1; count <= 6; ++count) {
            tokens.push_back({token_text(TokenStyle::same_head, owner, count),
                              token_text(TokenStyle::same_tail, owner, count)});
        }
    }
    return tokens;
}

TEST(TokenText, of_a_style_are_alike_at_one_end_only) {
    std::set<std::string> all;
    for (const auto& [head, tail] : tokens()) {
        EXPECT_EQ(head.size(), kTokenDigits);
        EXPECT_EQ(tail.size(), kTokenDigits);
        EXPECT_EQ(head.substr(0, 4), "7c3a");
        EXPECT_EQ(tail.substr(kTokenDigits - 4), "e51d");
        all.insert({head, tail});
    }
    EXPECT_EQ(all.size(), 2 * tokens().size());
}

/// Whole, or what a lock may cut from either end.
TEST(TokenText, of_the_two_styles_are_in_opposite_order) {
    struct Part {
        std::size_t begin, size;
    };
    const std::vector<Both> all = tokens();
    for (const auto& [begin, size] :
         {Part{0, 32}, Part{0, 8}, Part{0, 16}, Part{24, 8}, Part{16, 16}}) {
        for (const Both& a : all) {
            for (const Both& b : all) {
                if (&a == &b) continue;
                const bool less = a.head.substr(begin, size) < b.head.substr(begin, size);
                const bool greater = a.tail.substr(begin, size) > b.tail.substr(begin, size);
                EXPECT_EQ(less, greater) << a.head << " " << b.head << " from " << begin;
            }
        }
    }
}

TEST(TokenText, is_left_out_of_a_text) {
    for (const TokenStyle style :
         {TokenStyle::mixed, TokenStyle::same_head, TokenStyle::same_tail}) {
        const std::string token = token_text(style, 2, 3);
        EXPECT_EQ(without_tokens("lock:" + token), "lock:<token>");
        EXPECT_EQ(without_tokens(token + ":" + token + "!"), "<token>:<token>!");
        EXPECT_EQ(without_tokens(token.substr(1)), token.substr(1));
    }
    EXPECT_EQ(without_tokens("lock:fence"), "lock:fence");
    EXPECT_EQ(without_tokens(""), "");
}

}  // namespace
}  // namespace locklab::token_text_test
