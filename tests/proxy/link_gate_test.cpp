// The gate, on a real redis-server: what is held there, and what becomes of it as it is told.

#include "harness/proxy/link_gate.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "harness/proxy/fault_proxy.h"
#include "tests/proxy/raw_client.h"

namespace locklab::link_gate_test {
namespace {

class LinkGateTest : public ::testing::Test, private LinkGate {
protected:
    LinkGateTest() : proxy_(reactor_, plan(), events_), client_(proxy_.endpoint(0)) {}

    /// What is held, in words: "> SET k v", "< +OK".
    std::string held() {
        turn_until([&] { return !held_.empty(); });
        return held_.empty() ? "nothing" : held_.front().what;
    }
    bool nothing_is_held() {
        turn_until([&] { return !held_.empty(); }, 20);
        return held_.empty();
    }
    void go_on(std::optional<LinkFault> fault = {}, Duration amount = {}) {
        ASSERT_FALSE(held_.empty());
        const Held first = held_.front();
        held_.erase(held_.begin());
        FaultRule rule;
        if (fault) rule.fault = *fault;
        rule.amount = amount;
        rule.error = "OOM no room";
        if (amount == kUntilTold) held_.push_back(first);
        EXPECT_TRUE(proxy_.go_on(first.connection, first.way, fault ? &rule : nullptr));
    }
    std::string heard(RawClient& client) {
        for (int i = 0; i < 200; ++i) {
            reactor_.turn();
            const std::string frame = client.hear(std::chrono::milliseconds(1));
            if (!frame.empty()) return frame;
        }
        return "";
    }
    std::string heard() { return heard(client_); }
    RawClient::State state() {
        for (int i = 0; i < 100; ++i) {
            reactor_.turn();
            const RawClient::State state = client_.state(std::chrono::milliseconds(1));
            if (state != RawClient::State::open) return state;
        }
        return RawClient::State::open;
    }
    std::string value(const std::string& key) {
        return SyncConnection(server_.endpoint()).command(Command::of("GET", key)).text();
    }
    void turn_until(const std::function<bool()>& done, int turns = 200) {
        for (int i = 0; i < turns && !done(); ++i) {
            reactor_.wake_after(std::chrono::milliseconds(1), clock_, {});
            reactor_.turn();
        }
    }

    Reactor reactor_;
    RedisProcess server_;
    EventLog events_;
    std::uint32_t left_ = 0;
    std::uint32_t over_ = 0;
    struct Held {
        std::string what;
        std::uint32_t connection;
        LinkWay way;
    };
    std::vector<Held> held_;

private:
    struct Nobody final : Reactor::Sleeper {
        void wake(const Reactor::Alarm&) override {}
    } clock_;

    ProxyPlan plan() {
        ProxyPlan plan;
        for (const char* name : {"A", "B"}) {
            plan.links.push_back({{name, "n0"}, {"", "127.0.0.1", 0}, server_.endpoint()});
        }
        plan.gate = this;
        return plan;
    }
    /// The second link's commands go through.
    bool holds(const AtGate& at) override {
        if (at.link == 1) return false;
        std::string what = at.way == LinkWay::request ? ">" : "<";
        const FrameWords words(at.frame);
        for (std::size_t i = 0; i < words.count() && at.frame.front() == '*'; ++i) {
            what += " " + std::string(words[i]);
        }
        if (at.frame.front() != '*') what += " " + std::string(at.frame);
        held_.push_back({what, at.connection, at.way});
        return true;
    }
    void left(std::uint16_t, std::uint32_t) override { ++left_; }
    void over(std::uint16_t, std::uint32_t connection) override {
        ++over_;
        std::erase_if(held_, [&](const Held& held) { return held.connection == connection; });
    }

protected:
    FaultProxy proxy_;
    RawClient client_;
};

TEST_F(LinkGateTest, each_command_and_each_answer_goes_on_as_it_is_told) {
    client_.say(resp("SET", "k", "v") + resp("GET", "k"));
    EXPECT_EQ(held(), "> SET k v");
    EXPECT_EQ(value("k"), "");
    go_on();
    // The second command has come to the gate, and the first one's answer too.
    turn_until([&] { return held_.size() == 2; });
    ASSERT_EQ(held_.size(), 2U);
    EXPECT_EQ(held_[0].what, "> GET k");
    EXPECT_EQ(held_[1].what, "< +OK\r\n");
    EXPECT_EQ(value("k"), "v");
    go_on();
    EXPECT_EQ(client_.hear(std::chrono::milliseconds(20)), "");
    EXPECT_EQ(held(), "< +OK\r\n");
    go_on();
    EXPECT_EQ(heard(), "+OK\r\n");
    EXPECT_EQ(held(), "< $1\r\nv\r\n");
    go_on();
    EXPECT_EQ(heard(), "$1\r\nv\r\n");
    EXPECT_FALSE(proxy_.go_on(1, LinkWay::reply)) << "nothing is held";
}

TEST_F(LinkGateTest, a_link_that_it_does_not_hold_goes_through) {
    RawClient other(proxy_.endpoint(1));
    client_.say(resp("SET", "k", "v"));
    other.say(resp("PING"));
    EXPECT_EQ(heard(other), "+PONG\r\n");
    EXPECT_EQ(held(), "> SET k v");
}

TEST_F(LinkGateTest, a_command_is_lost_or_refused_or_cut_off) {
    client_.say(resp("SET", "k", "v"));
    EXPECT_EQ(held(), "> SET k v");
    go_on(LinkFault::error);
    EXPECT_EQ(heard(), "-OOM no room\r\n");
    client_.say(resp("SET", "k", "w"));
    EXPECT_EQ(held(), "> SET k w");
    go_on(LinkFault::lose_request);
    client_.say(resp("SET", "k", "x"));
    EXPECT_TRUE(nothing_is_held());
    EXPECT_EQ(value("k"), "");
    EXPECT_TRUE(proxy_.reset(1));
    EXPECT_EQ(state(), RawClient::State::reset);
    EXPECT_EQ(over_, 1U);
    EXPECT_FALSE(proxy_.reset(1));
}

TEST_F(LinkGateTest, an_answer_is_lost_or_cut_off_of_a_command_that_ran) {
    client_.say(resp("SET", "k", "v"));
    EXPECT_EQ(held(), "> SET k v");
    go_on();
    EXPECT_EQ(held(), "< +OK\r\n");
    go_on(LinkFault::lose_reply);
    client_.say(resp("SET", "k", "w"));
    EXPECT_EQ(held(), "> SET k w");
    go_on();
    EXPECT_EQ(held(), "< +OK\r\n") << "it is shown what has run";
    EXPECT_EQ(value("k"), "w");
    go_on();
    EXPECT_EQ(client_.hear(std::chrono::milliseconds(50)), "");

    RawClient again(proxy_.endpoint(0));
    again.say(resp("GET", "k"));
    EXPECT_EQ(held(), "> GET k");
    go_on();
    EXPECT_EQ(held(), "< $1\r\nw\r\n");
    go_on(LinkFault::reset_reply);
    EXPECT_EQ(again.state(), RawClient::State::reset);
}

TEST_F(LinkGateTest, a_late_command_arrives_when_it_is_told_and_its_client_is_gone) {
    client_.say(resp("SET", "k", "v"));
    EXPECT_EQ(held(), "> SET k v");
    go_on(LinkFault::late_request, kUntilTold);
    EXPECT_EQ(state(), RawClient::State::reset);
    EXPECT_EQ(value("k"), "");
    go_on();
    EXPECT_EQ(held(), "< +OK\r\n");
    EXPECT_EQ(value("k"), "v");
}

TEST_F(LinkGateTest, what_a_client_has_said_before_it_left_still_goes_on) {
    client_.say(resp("SET", "k", "v"));
    EXPECT_EQ(held(), "> SET k v");
    client_.say_no_more();
    turn_until([&] { return left_ > 0; });
    EXPECT_EQ(left_, 1U);
    go_on();
    EXPECT_EQ(held(), "< +OK\r\n");
    EXPECT_EQ(value("k"), "v");
    go_on();
    turn_until([&] { return over_ > 0; });
    EXPECT_EQ(over_, 1U);
}

TEST_F(LinkGateTest, a_command_runs_once_more_when_it_is_told_and_is_answered_once) {
    client_.say(resp("INCR", "k"));
    EXPECT_EQ(held(), "> INCR k");
    go_on(LinkFault::repeat_request, kUntilTold);
    turn_until([&] { return held_.size() == 2; });
    ASSERT_EQ(held_.size(), 2U);
    EXPECT_EQ(value("k"), "1");
    std::swap(held_[0], held_[1]);
    EXPECT_EQ(held(), "< :1\r\n");
    go_on();
    EXPECT_EQ(held(), "> INCR k");
    go_on();
    EXPECT_EQ(held(), "< :2\r\n");
    go_on();
    EXPECT_EQ(heard(), ":2\r\n");
}

TEST_F(LinkGateTest, what_is_held_is_lost_with_its_connection) {
    client_.say(resp("SET", "k", "v"));
    EXPECT_EQ(held(), "> SET k v");
    server_.kill();
    turn_until([&] { return over_ > 0; });
    EXPECT_EQ(over_, 1U);
    EXPECT_TRUE(held_.empty());
    server_.launch();
    server_.await_ready();
}

}  // namespace
}  // namespace locklab::link_gate_test
