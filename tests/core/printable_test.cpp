#include "harness/core/printable.h"

#include <gtest/gtest.h>

namespace locklab::printable_test {
namespace {

TEST(Printable, leaves_text_as_it_is) {
    for (const char* text :
         {"", "READONLY You can't write.", "\xC3\xA4 \xE9\x94\x81 \xF0\x9F\x94\x92"}) {
        EXPECT_EQ(printable(text), text);
    }
}

TEST(Printable, writes_out_what_a_terminal_obeys) {
    EXPECT_EQ(printable("a\nb\r\tc\x1b[2Jd\x7f"), "a\\nb\\r\\tc\\x1b[2Jd\\u007f");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable("\xC2\x9B"), "\\u009b") << "a control of one byte in Latin-1";
    EXPECT_EQ(printable("\xE2\x80\xAE"
                        "x"),
              "\\u202ex")
        << "turns the writing around";
    EXPECT_EQ(printable("\xE2\x80\xA8"), "\\u2028") << "an end of a line";
}

TEST(Printable, lines_keep_their_ends) {
    EXPECT_EQ(printable_lines(""), "");
    EXPECT_EQ(printable_lines("a\n\nb\x1b[m\n"), "a\n\nb\\x1b[m\n");
    EXPECT_EQ(printable_lines("a\r"), "a\\r");
    EXPECT_EQ(printable_lines(std::string(1000, 'x')), std::string(1000, 'x'));
}

TEST(Printable, writes_out_what_is_no_text) {
    EXPECT_EQ(printable("\xFF"), "\\xff");
    EXPECT_EQ(printable("\xC3"), "\\xc3") << "cut off";
    EXPECT_EQ(printable("\xC0\x80"), "\\xc0\\x80") << "too long for what it says";
    EXPECT_EQ(printable("\xE0\x80\x80"
                        "a"),
              "\\xe0\\x80\\x80"
              "a");
    EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, is_cut_off_between_characters) {
    EXPECT_EQ(printable(std::string(200, 'x')), std::string(200, 'x'));
    EXPECT_EQ(printable(std::string(5'000'000, 'x')), std::string(200, 'x') + "...");
    EXPECT_EQ(printable("ab\xC3\xA4", 3), "ab...");
    EXPECT_EQ(printable("ab\x1b", 5), "ab...");
    EXPECT_EQ(printable("ab\x1b", 6), "ab\\x1b");
}

}  // namespace
}  // namespace locklab::printable_test
