#include "harness/proxy/link_fault.h"

#include <gtest/gtest.h>

#include "harness/core/server_error.h"
#include "harness/core/sha1.h"
#include "tests/proxy/raw_client.h"

namespace locklab::link_fault_test {
namespace {

/// How often of `times` the only rule strikes this command.
int strikes(const FaultRule& rule, const std::string& command, int times = 1,
            const LinkName& link = {"A", "n0"}) {
    RuleBook book({rule});
    int struck = 0;
    for (int i = 0; i < times; ++i) {
        struck += book.strikes(link, FrameWords(command)) == nullptr ? 0 : 1;
    }
    return struck;
}

TEST(RuleBook, a_rule_fits_what_it_names_and_nothing_else) {
    const std::string set = resp("set", "k", "v");
    EXPECT_EQ(strikes({}, set), 1);
    EXPECT_EQ(strikes({.command = "SET"}, set), 1);
    EXPECT_EQ(strikes({.command = "SETNX"}, set), 0);
    EXPECT_EQ(strikes({.client = "A"}, set), 1);
    EXPECT_EQ(strikes({.client = "B"}, set), 0);
    EXPECT_EQ(strikes({.node = "n0"}, set), 1);
    EXPECT_EQ(strikes({.node = "n1"}, set), 0);
}

TEST(RuleBook, a_script_is_known_by_its_text_and_by_its_digest) {
    const std::string lua = "return 1";
    const std::string digest = to_hex(sha1(lua));
    std::string capitals = digest;
    for (char& c : capitals) c = static_cast<char>(std::toupper(c));
    const FaultRule rule{.digest = digest};
    EXPECT_EQ(strikes(rule, resp("EVAL", lua, "0")), 1);
    EXPECT_EQ(strikes(rule, resp("evalsha", digest, "0")), 1);
    EXPECT_EQ(strikes(rule, resp("EVALSHA", capitals, "0")), 1);
    EXPECT_EQ(strikes(rule, resp("EVAL", lua + " ", "0")), 0);
    EXPECT_EQ(strikes(rule, resp("GET", digest)), 0);
    const FaultRule by_command{.command = "EVAL", .digest = digest};
    EXPECT_EQ(strikes(by_command, resp("EVALSHA", digest, "0")), 0);
}

TEST(RuleBook, the_nth_is_struck_or_each) {
    EXPECT_EQ(strikes({.nth = 0}, resp("PING"), 5), 5);
    EXPECT_EQ(strikes({.nth = 3}, resp("PING"), 2), 0);
    EXPECT_EQ(strikes({.nth = 3}, resp("PING"), 5), 1);
}

TEST(RuleBook, the_first_rule_strikes_and_all_that_fit_count) {
    RuleBook book({{.nth = 1, .fault = LinkFault::lose_request},
                   {.nth = 2, .fault = LinkFault::lose_reply},
                   {.nth = 2, .fault = LinkFault::reset_reply}});
    const std::string ping = resp("PING");
    EXPECT_EQ(book.strikes({}, FrameWords(ping))->fault, LinkFault::lose_request);
    EXPECT_EQ(book.strikes({}, FrameWords(ping))->fault, LinkFault::lose_reply);
    EXPECT_EQ(book.strikes({}, FrameWords(ping)), nullptr);
}

TEST(LinkFault, every_row_is_its_own_faults) {
    for (std::size_t i = 0; i < kLinkFaults.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kLinkFaults[i].fault), i);
    }
}

TEST(LinkFault, every_error_begins_with_its_code) {
    for (const std::string_view code : known_errors()) {
        EXPECT_TRUE(std::string(words_of_error(code)).starts_with(code));
        const std::string words = words_of_error(code);
        EXPECT_EQ(is_servers_own(words), code != "NOSCRIPT") << words;
    }
    EXPECT_EQ(words_of_error("WRONGTYPE"), nullptr);
}

}  // namespace
}  // namespace locklab::link_fault_test
