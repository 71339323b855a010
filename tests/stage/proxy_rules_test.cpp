// What is read of the proxy's file, and what is said of one that is not as it should be.

#include "harness/stage/proxy_rules.h"

#include <gtest/gtest.h>

#include "harness/core/sha1.h"
#include "harness/stage/scenario_reader.h"

namespace locklab::proxy_rules_test {
namespace {

constexpr std::string_view kGood = R"(links:
  - {client: A, node: n0, to: "127.0.0.1:6379", listen: "127.0.0.1:7001"}
  - {client: B, node: n0, to: /run/redis.sock, carries: bytes}
rules:
  - {client: A, node: n0, command: set, nth: 2, fault: delay_reply, amount: 250ms}
  - {script: "return 1\n", nth: each, fault: lose_reply}
  - {script: E0E1F9FABFC9D4800C877A703B823AC0578FF8DB, fault: error, error: NOSCRIPT}
  - {fault: error, error: MOVED 866 127.0.0.1:7002}
)";

std::string complaint(const std::string& text) {
    try {
        read_proxy_plan(text, "f.yaml");
        return "";
    } catch (const ScenarioError& error) {
        return error.what();
    }
}

/// Of the good file with one part replaced.
std::string complaint(std::string_view part, std::string_view by) {
    std::string text(kGood);
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return complaint(text.replace(at, part.size(), by));
}

TEST(ProxyRules, are_read) {
    const ProxyPlan plan = read_proxy_plan(kGood, "f.yaml");
    ASSERT_EQ(plan.links.size(), 2U);
    EXPECT_EQ(plan.links[0].name.client, "A");
    EXPECT_EQ(to_string(plan.links[0].node), "127.0.0.1:6379");
    EXPECT_EQ(plan.links[0].listen.port, 7001);
    EXPECT_FALSE(plan.links[0].bytes);
    EXPECT_EQ(plan.links[1].node.socket_path, "/run/redis.sock");
    EXPECT_EQ(plan.links[1].listen.port, 0);
    EXPECT_TRUE(plan.links[1].bytes);
    ASSERT_EQ(plan.rules.size(), 4U);
    EXPECT_EQ(plan.rules[0].client, "A");
    EXPECT_EQ(plan.rules[0].node, "n0");
    EXPECT_EQ(plan.rules[0].command, "SET");
    EXPECT_EQ(plan.rules[0].nth, 2U);
    EXPECT_EQ(plan.rules[0].fault, LinkFault::delay_reply);
    EXPECT_EQ(plan.rules[0].amount, std::chrono::milliseconds(250));
    EXPECT_EQ(plan.rules[1].digest, to_hex(sha1("return 1\n")));
    EXPECT_EQ(plan.rules[1].nth, 0U);
    EXPECT_EQ(plan.rules[2].digest, to_hex(sha1("return 1")));
    EXPECT_EQ(plan.rules[2].error, words_of_error("NOSCRIPT"));
    EXPECT_EQ(plan.rules[3].error, "MOVED 866 127.0.0.1:7002");
}

TEST(ProxyRules, each_mistake_is_told_with_its_place) {
    EXPECT_EQ(complaint(""),
              "f.yaml:1:1: the file is empty; right would be a map that begins with 'links:'");
    EXPECT_EQ(complaint("links: []"), "f.yaml:1:8: there are 0 links; right would be 1 to 1000");
    EXPECT_EQ(complaint("rules: []"), "f.yaml:1:1: the file lacks the key 'links'");
    EXPECT_NE(complaint("fault: lose_reply", "fault: loose_reply")
                  .find("unknown fault 'loose_reply'; did you mean 'lose_reply'?"),
              std::string::npos);
    EXPECT_NE(complaint("client: A, node: n0, command", "client: C, node: n0, command")
                  .find("f.yaml:5:14: unknown client 'C'"),
              std::string::npos);
    EXPECT_NE(complaint("error: NOSCRIPT", "error: NOSCRIP").find("did you mean 'NOSCRIPT'?"),
              std::string::npos);
    EXPECT_NE(complaint("nth: 2", "nth: 0").find("right would be 1 or more, or each"),
              std::string::npos);
    EXPECT_NE(complaint(", amount: 250ms", "").find("a rule lacks the key 'amount'"),
              std::string::npos);
    EXPECT_NE(complaint("lose_reply}", "lose_reply, amount: 1s}")
                  .find("the fault 'lose_reply' has no 'amount'"),
              std::string::npos);
    EXPECT_NE(complaint("MOVED 866 127.0.0.1:7002", "MOVED").find("MOVED says where to"),
              std::string::npos);
    EXPECT_NE(complaint("client: B", "client: A").find("there is a link from A to n0 already"),
              std::string::npos);
    EXPECT_NE(complaint("127.0.0.1:6379", "127.0.0.1").find("the port is missing"),
              std::string::npos);
    EXPECT_NE(complaint("\"127.0.0.1:7001\"", "/a/socket").find("the proxy listens at a port"),
              std::string::npos);
}

}  // namespace
}  // namespace locklab::proxy_rules_test
