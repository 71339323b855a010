#include "harness/foreign/link_plan.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <span>

#include "harness/core/random_choices.h"

namespace locklab::link_plan_test {
namespace {

constexpr Duration kRetry = std::chrono::milliseconds(40);

PlannedFault planned(Hazard hazard, Phase phase, std::uint32_t round) {
    return {hazard, {ClientId{1}, round, phase, 0}, std::chrono::milliseconds(7), {}};
}

const FaultRule* strike(RuleBook& book, std::string_view frame, const char* client = "B",
                        NodeId node = {}) {
    return book.strikes({client, node_name(node)}, FrameWords(frame));
}

constexpr std::string_view kSet = "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$1\r\nx\r\n";

TEST(LinkPlan, a_fault_strikes_its_client_in_its_phase_from_its_round_on) {
    RandomChoices choices(1);
    const std::array plan{planned(Hazard::retry, Phase::release, 2)};
    LinkPlan links(plan, {"key", kRetry}, choices);
    RuleBook book(links.rules());
    EXPECT_TRUE(links.strikes(ClientId{1}));
    EXPECT_FALSE(links.strikes(ClientId{0}));
    EXPECT_EQ(strike(book, kSet), nullptr);
    links.turn(ClientId{1}, 1, Phase::release);
    EXPECT_EQ(strike(book, kSet), nullptr);
    links.turn(ClientId{1}, 3, Phase::acquire);
    EXPECT_EQ(strike(book, kSet), nullptr);
    links.turn(ClientId{0}, 3, Phase::release);
    EXPECT_EQ(strike(book, kSet), nullptr);
    links.turn(ClientId{1}, 3, Phase::release);
    EXPECT_EQ(strike(book, "*1\r\n$4\r\nPING\r\n"), nullptr);
    EXPECT_EQ(strike(book, kSet, "A"), nullptr);
    const FaultRule* rule = strike(book, kSet);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->fault, LinkFault::repeat_request);
    EXPECT_EQ(rule->amount, kRetry);
    EXPECT_EQ(strike(book, kSet), nullptr) << "it has struck";
}

TEST(LinkPlan, what_is_sent_in_the_background_is_sent_inside) {
    RandomChoices choices(1);
    const std::array plan{planned(Hazard::delay_reply, Phase::background, 1)};
    LinkPlan links(plan, {"key", kRetry}, choices);
    RuleBook book(links.rules());
    links.turn(ClientId{1}, 1, Phase::inside);
    const FaultRule* rule = strike(book, kSet);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->amount, plan[0].amount);
}

TEST(LinkPlan, of_several_servers_one_is_drawn_whose_commands_alone_are_struck) {
    std::set<std::uint32_t> drawn;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomChoices choices(seed);
        PlannedFault fault = planned(Hazard::lose_reply, Phase::acquire, 1);
        fault.moment.nth = 1;
        LinkPlan links(std::span(&fault, 1), {"key", kRetry, 3}, choices);
        RuleBook book(links.rules());
        links.turn(ClientId{1}, 1, Phase::acquire);
        std::uint32_t struck = 0;
        for (int command = 0; command < 3; ++command) {
            for (const NodeId node : {NodeId{0}, NodeId{1}, NodeId{2}}) {
                if (strike(book, kSet, "B", node) == nullptr) continue;
                EXPECT_EQ(command, 1) << "its second command to that server";
                EXPECT_TRUE(links.strikes(ClientId{1}, node));
                drawn.insert(node.value);
                ++struck;
            }
        }
        EXPECT_EQ(struck, 1U);
        EXPECT_TRUE(links.strikes(ClientId{1}));
    }
    EXPECT_EQ(drawn.size(), 3U);
}

TEST(LinkPlan, every_fault_of_a_link_is_the_hazard_that_it_was_planned_for) {
    for (const HazardRow& row : kHazards) {
        if (!strikes_messages(row.hazard)) continue;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            RandomChoices choices(seed);
            const std::array plan{planned(row.hazard, Phase::acquire, 1)};
            const LinkPlan links(plan, {"key", kRetry}, choices);
            EXPECT_EQ(LinkPlan::hazard_of(links.rules()[0].fault), row.hazard) << row.name;
        }
    }
}

TEST(LinkPlan, an_error_is_of_the_kind_that_was_drawn_if_it_fits_the_command) {
    RandomChoices choices(1);
    std::array plan{planned(Hazard::error_reply, Phase::acquire, 1)};
    plan[0].error = ErrorKind::noscript;
    LinkPlan links(plan, {"key", kRetry}, choices);
    RuleBook book(links.rules());
    links.turn(ClientId{1}, 1, Phase::acquire);
    const FaultRule* rule = strike(book, kSet);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->fault, LinkFault::error);
    EXPECT_EQ(error_for(*rule, FrameWords(kSet)), words_of_error("LOADING"));
    constexpr std::string_view kDigest = "*3\r\n$7\r\nEVALSHA\r\n$2\r\nab\r\n$3\r\nkey\r\n";
    EXPECT_EQ(error_for(*rule, FrameWords(kDigest)), words_of_error("NOSCRIPT"));
}

TEST(LinkPlan, a_lost_message_is_no_reset) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        RandomChoices choices(seed);
        const std::array plan{planned(Hazard::lose_reply, Phase::acquire, 1)};
        const LinkPlan links(plan, {"key", kRetry}, choices);
        EXPECT_EQ(links.rules()[0].fault, LinkFault::lose_reply);
    }
}

}  // namespace
}  // namespace locklab::link_plan_test
