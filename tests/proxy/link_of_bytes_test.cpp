// A link whose protocol the proxy does not read: each fault that it can have, and its lag.

#include <gtest/gtest.h>

#include "tests/proxy/proxy_of_one_link.h"

namespace locklab::link_of_bytes_test {
namespace {

using std::chrono::milliseconds;

using LinkOfBytesTest = ProxyOfOneLink;

TEST_F(LinkOfBytesTest, passes_them_as_they_come) {
    RawClient& client = of_bytes({rule("PING", LinkFault::lose_request), error("", "LOADING"),
                                  rule("", LinkFault::repeat_request)});
    EXPECT_EQ(client.ask(resp("PING")), "+PONG\r\n");
    EXPECT_EQ(client.ask("no RESP at all\r\n").substr(0, 4), "-ERR");
    client.say_no_more();
    EXPECT_EQ(client.state(milliseconds(5000)), State::closed);
}

TEST_F(LinkOfBytesTest, bytes_are_lost_with_all_after_them) {
    RawClient& client = of_bytes({rule("", LinkFault::lose_request)});
    client.say(resp("SET", "k", "v"));
    client.say(resp("SET", "k", "w"));
    EXPECT_EQ(client.hear(milliseconds(100)), "");
    EXPECT_EQ(value("k"), "");
    EXPECT_EQ(client.state(), State::open);
}

TEST_F(LinkOfBytesTest, the_answer_to_bytes_is_lost_with_all_after_it) {
    RawClient& client = of_bytes({rule("", LinkFault::lose_reply)});
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    client.say(resp("SET", "k", "w"));
    EXPECT_EQ(value_in_time("k", "w"), "w");
    EXPECT_EQ(client.hear(milliseconds(100)), "");
    EXPECT_EQ(client.state(), State::open);
}

TEST_F(LinkOfBytesTest, bytes_and_answers_to_them_are_late_in_order) {
    for (const LinkFault fault : {LinkFault::delay_request, LinkFault::delay_reply}) {
        RawClient& client = of_bytes({rule("", fault, milliseconds(200))});
        const auto begin = Reactor::Clock::now();
        client.say(resp("SET", "k", "v"));
        std::this_thread::sleep_for(milliseconds(50));
        EXPECT_EQ(value("k"), fault == LinkFault::delay_reply ? "v" : "");
        client.say(resp("GET", "k"));
        EXPECT_EQ(client.hear_bytes(12), "+OK\r\n$1\r\nv\r\n");
        EXPECT_GE(since(begin), milliseconds(200));
        EXPECT_EQ(client.ask(resp("DEL", "k")), ":1\r\n");
    }
}

TEST_F(LinkOfBytesTest, bytes_arrive_late_from_a_connection_that_was_reset) {
    RawClient& client = of_bytes({rule("", LinkFault::late_request, milliseconds(100))});
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
    EXPECT_EQ(value_in_time("k", "v"), "v");
}

TEST_F(LinkOfBytesTest, a_connection_of_bytes_is_reset_before_or_after_they_arrive) {
    for (const LinkFault fault : {LinkFault::reset_request, LinkFault::reset_reply}) {
        RawClient& client = of_bytes({rule("", fault)});
        client.say(resp("SET", name_of(fault), "v"));
        EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
        EXPECT_EQ(value(std::string(name_of(fault))), fault == LinkFault::reset_reply ? "v" : "");
    }
}

TEST_F(LinkOfBytesTest, what_a_node_sends_on_a_link_with_a_lag_comes_later_or_never) {
    ProxyPlan plan;
    plan.links.push_back(
        {{"A", "n0"}, {"", "127.0.0.1", 0}, server_.endpoint(), true, milliseconds(150)});
    proxy_.emplace(std::move(plan));
    RawClient client(proxy_->endpoint(0));
    const auto begin = Reactor::Clock::now();
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    client.say(resp("GET", "k"));
    EXPECT_EQ(client.hear_bytes(12), "+OK\r\n$1\r\nv\r\n");
    EXPECT_GE(since(begin), milliseconds(150));
    client.say(resp("SET", "k", "w"));
    EXPECT_EQ(value_in_time("k", "w"), "w");
    server_.kill();
    EXPECT_EQ(client.hear_bytes(1), "");
    EXPECT_EQ(client.state(milliseconds(5000)), State::closed);
}

TEST_F(LinkOfBytesTest, what_a_link_holds_back_never_comes_though_the_proxy_is_late) {
    ProxyPlan plan;
    plan.links.push_back(
        {{"A", "n0"}, {"", "127.0.0.1", 0}, server_.endpoint(), true, milliseconds(300)});
    proxy_.emplace(std::move(plan));
    RawClient client(proxy_->endpoint(0));
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    std::this_thread::sleep_for(milliseconds(100));
    proxy_->post([](FaultProxy&) { std::this_thread::sleep_for(milliseconds(600)); });
    server_.kill();
    EXPECT_EQ(client.hear_bytes(1), "");
    EXPECT_EQ(client.state(milliseconds(5000)), State::closed);
}

}  // namespace
}  // namespace locklab::link_of_bytes_test
