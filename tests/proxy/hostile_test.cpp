// What hostile clients and servers can do to the proxy: end their own connection. It keeps little
// of what nobody reads, and serves everybody else.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/limits.h"
#include "harness/core/random_choices.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "harness/proxy/proxy_thread.h"
#include "tests/proxy/raw_client.h"

namespace locklab::hostile_test {
namespace {

using std::chrono::milliseconds;
using State = RawClient::State;

/// More than the kernel and the proxy keep of one connection, together.
constexpr std::size_t kEndless = 80'000'000;
const std::string kPing = resp("PING");

ProxyPlan plan_to(const Endpoint& node) {
    ProxyPlan plan;
    plan.links.push_back({{"A", "n0"}, {"", "127.0.0.1", 0}, node});
    return plan;
}

std::string many_times(const std::string& bytes, std::size_t size) {
    std::string all;
    while (all.size() < size) all += bytes;
    return all;
}

/// What a proxy says in the end of whoever spoke these bytes.
class Hostile : public ::testing::Test {
protected:
    void refuse(bool is_client, const std::string& bytes, const std::string& complaint) {
        SCOPED_TRACE(complaint);
        RawNode node;
        ProxyThread proxy(plan_to(node.endpoint()), false);
        RawClient client(proxy.endpoint(0));
        RawClient server(node.next());
        (is_client ? client : server).say(bytes);
        EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
        RawClient other(proxy.endpoint(0));
        RawClient its_server(node.next());
        other.say(kPing);
        EXPECT_EQ(its_server.hear_bytes(kPing.size()), kPing);
        its_server.say("+PONG\r\n");
        EXPECT_EQ(other.hear(), "+PONG\r\n");
        proxy.stop();
        const std::string who = is_client ? "A client" : "A server";
        EXPECT_EQ(proxy.complaints(),
                  std::vector<std::string>{
                      who + " on the link from A to n0 speaks no RESP: " + complaint + "."});
    }
};

TEST_F(Hostile, a_client_of_endless_connections_takes_none_of_the_others) {
    RedisProcess server;
    ProxyPlan plan = plan_to(server.endpoint());
    plan.links.push_back({{"B", "n0"}, {"", "127.0.0.1", 0}, server.endpoint()});
    ProxyThread proxy(std::move(plan), false);
    rlimit files{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
    const std::size_t all = std::min<std::size_t>(kMostConnections, files.rlim_cur / 4);
    std::vector<std::unique_ptr<RawClient>> many;
    for (std::size_t i = 0; i < all / 2 + 1; ++i) {
        many.push_back(std::make_unique<RawClient>(proxy.endpoint(0)));
    }
    // The proxy has taken all before it.
    EXPECT_NE(many.back()->state(milliseconds(5000)), State::open);
    EXPECT_EQ(many.front()->state(milliseconds(50)), State::open);
    RawClient other(proxy.endpoint(1));
    other.say(kPing);
    EXPECT_EQ(other.hear(), "+PONG\r\n");
    proxy.stop();
    EXPECT_EQ(proxy.complaints(),
              std::vector<std::string>{"A has more than " + std::to_string(all / 2) +
                                       " connections to n0, which is its share; those beyond were "
                                       "ended."});
}

TEST_F(Hostile, a_client_of_nonsense_is_refused_in_a_sentence_and_others_go_on) {
    refuse(true, "*1\r\n$1099511627776\r\n", "it is longer than 16 MB");
    refuse(true, "*1099511627776\r\n", "it is longer than 16 MB");
    refuse(true, "*2\r\n$4\r\nECHO\r\n*1\r\n", "a word of a command is no text");
    refuse(true, kPing + "*1\r\n$-1\r\n", "its length is negative");
    refuse(true, std::string("*1\r\n$\0\r\n", 8), "its length is no number");
    refuse(true, std::string(70'000, '\xff'), "its line is longer than 64 KB");
}

TEST_F(Hostile, a_server_of_nonsense_is_refused_in_a_sentence_and_others_go_on) {
    refuse(false, "$1099511627776\r\n", "it is longer than 16 MB");
    refuse(false, "%1099511627776\r\n", "it is longer than 16 MB");
    refuse(false, "HTTP/1.1 400 Bad Request\r\n\r\n", "no type begins with this byte");
    refuse(false, "$3\r\nabcd\r\n", "a text is longer than it says");
    refuse(false, "+" + std::string(kMostFrame, 'a'), "it is longer than 16 MB");
    refuse(false, many_times("*1\r\n", kMostFrame + 1), "it is longer than 16 MB");
}

TEST_F(Hostile, half_a_command_is_no_command) {
    RedisProcess server;
    ProxyThread proxy(plan_to(server.endpoint()), false);
    RawClient client(proxy.endpoint(0));
    client.say(kPing + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000\r\nv");
    EXPECT_EQ(client.hear(), "+PONG\r\n");
    client.say_no_more();
    EXPECT_EQ(client.state(milliseconds(5000)), State::closed);
    EXPECT_EQ(SyncConnection(server.endpoint()).command(Command::of("EXISTS", "k")).as_integer(),
              0);
}

TEST_F(Hostile, a_server_that_does_not_read_holds_up_its_client) {
    RawNode node;
    ProxyThread proxy(plan_to(node.endpoint()), false);
    RawClient client(proxy.endpoint(0));
    RawClient server(node.next());
    const std::string set = resp("SET", "k", std::string(100'000, 'v'));
    EXPECT_LT(client.say_until_full(set, kEndless), kEndless);
}

TEST_F(Hostile, a_client_that_does_not_read_holds_up_its_server) {
    RawNode node;
    ProxyThread proxy(plan_to(node.endpoint()), false);
    RawClient client(proxy.endpoint(0));
    RawClient server(node.next());
    const std::string pushes = many_times(">2\r\n+x\r\n$3\r\nabc\r\n", 100'000);
    EXPECT_LT(server.say_until_full(pushes, kEndless), kEndless);
}

/// The beginning of a command whose word is so long.
std::string half_of_command(std::size_t size) {
    return "*2\r\n$4\r\nECHO\r\n$" + std::to_string(size) + "\r\n";
}

TEST_F(Hostile, who_holds_most_is_ended_where_all_connections_hold_too_much) {
    RedisProcess server;
    ProxyPlan plan = plan_to(server.endpoint());
    plan.most_held = 1'000'000;
    ProxyThread proxy(std::move(plan), false);
    const std::string word(300'000, 'x');
    RawClient small(proxy.endpoint(0));
    small.say(half_of_command(word.size()) + word.substr(1));
    RawClient large(proxy.endpoint(0));
    large.say(half_of_command(kMostFrame / 2) + std::string(kMostFrame / 4, 'y'));
    EXPECT_NE(large.state(milliseconds(5000)), State::open);
    EXPECT_EQ(small.ask("x\r\n"), "$300000\r\n" + word + "\r\n");
    // What it held is given back.
    for (int i = 0; i < 8; ++i) {
        RawClient next(proxy.endpoint(0));
        next.say(half_of_command(word.size()) + word.substr(1));
        EXPECT_EQ(next.ask("x\r\n"), "$300000\r\n" + word + "\r\n");
    }
    proxy.stop();
    EXPECT_EQ(proxy.complaints(),
              std::vector<std::string>{"The connection of A to n0 was ended: all connections "
                                       "together hold more than the proxy keeps, and it holds "
                                       "most of it."});
}

TEST_F(Hostile, who_says_most_is_cut_off_where_the_log_is_too_long) {
    RedisProcess server;
    ProxyPlan plan = plan_to(server.endpoint());
    plan.links.push_back({{"B", "n0"}, {"", "127.0.0.1", 0}, server.endpoint()});
    ProxyThread proxy(std::move(plan), true, 1'000'000);
    RawClient other(proxy.endpoint(1));
    EXPECT_EQ(other.ask(kPing), "+PONG\r\n");
    EXPECT_FALSE(proxy.said_too_much());
    RawClient polls(proxy.endpoint(0));
    polls.say(many_times(kPing, 400'000));
    polls.hear_bytes(kEndless);
    EXPECT_NE(polls.state(), State::open);
    // Nothing more is kept, of nobody.
    for (int i = 0; i < 10; ++i) EXPECT_EQ(other.ask(kPing), "+PONG\r\n");
    EXPECT_TRUE(proxy.said_too_much());
    proxy.stop();
    EXPECT_EQ(proxy.events(), EventLog::kMagic);
    EXPECT_EQ(proxy.complaints(),
              std::vector<std::string>{"A was cut off: more went through the proxy than the 1 MB "
                                       "that are kept of a run, and most of it was this client's"});
}

/// Frames, halves of them and noise, as either side may say them.
std::string some_bytes(RandomChoices& choices) {
    static const std::array<std::string, 16> kPieces{kPing,
                                                     resp("SUBSCRIBE", "a", "b"),
                                                     resp("UNSUBSCRIBE"),
                                                     resp("MULTI"),
                                                     resp("EXEC"),
                                                     resp("CLIENT", "REPLY", "SKIP"),
                                                     resp("RESET"),
                                                     resp("HELLO", "3"),
                                                     "PING\r\n",
                                                     "+OK\r\n",
                                                     "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n",
                                                     ">2\r\n+x\r\n+y\r\n",
                                                     "$-1\r\n",
                                                     "*2\r\n",
                                                     "$5\r\nab",
                                                     "|1\r\n+a\r\n:1\r\n"};
    const auto pick = [&](std::size_t count) {
        return choices.pick(ChoiceKind::workload, static_cast<std::uint32_t>(count));
    };
    std::string bytes;
    for (std::size_t left = pick(20); left > 0; --left) bytes += kPieces[pick(kPieces.size())];
    // Most are a dialogue; some are nonsense somewhere.
    if (!bytes.empty() && pick(4) == 0) bytes[pick(bytes.size())] = static_cast<char>(pick(256));
    return bytes;
}

/// Every fault strikes, and each side goes when it likes.
TEST_F(Hostile, whatever_both_sides_say_the_proxy_goes_on) {
    RawNode node;
    ProxyPlan plan = plan_to(node.endpoint());
    plan.links.push_back({{"B", "n0"}, {"", "127.0.0.1", 0}, node.endpoint()});
    for (const LinkFaultRow& row : kLinkFaults) {
        for (const std::uint64_t nth : {100U, 200U, 300U, 400U}) {
            FaultRule rule;
            rule.client = "A";
            rule.nth = nth + 10 * static_cast<std::uint64_t>(row.fault);
            rule.fault = row.fault;
            rule.amount = std::chrono::microseconds(500);
            rule.error = "LOADING";
            plan.rules.push_back(rule);
        }
    }
    ProxyThread proxy(std::move(plan));
    RandomChoices choices(17);
    for (int i = 0; i < 200; ++i) {
        RawClient client(proxy.endpoint(0));
        RawClient server(node.next());
        for (int turn = 0; turn < 4; ++turn) {
            client.say(some_bytes(choices));
            server.say(some_bytes(choices));
        }
        if (choices.pick(ChoiceKind::workload, 2) == 0) client.say_no_more();
        if (choices.pick(ChoiceKind::workload, 2) == 0) server.say_no_more();
        client.state(milliseconds(1));
    }
    RawClient other(proxy.endpoint(1));
    RawClient its_server(node.next());
    other.say(kPing);
    EXPECT_EQ(its_server.hear_bytes(kPing.size()), kPing);
    proxy.stop();
    std::istringstream in(proxy.events());
    EventReader reader(in);
    std::set<std::uint8_t> struck;
    while (const std::optional<LinkEvent> event = reader.next()) {
        if (event->head.moment == LinkMoment::struck) struck.insert(event->head.fault);
    }
    EXPECT_EQ(struck.size(), kLinkFaults.size());
}

/// The proxy's own answers, of which a server would know nothing.
class Unread : public Hostile {
protected:
    Unread() {
        ProxyPlan plan = plan_to(server_.endpoint());
        FaultRule error;
        error.command = "PING";
        error.fault = LinkFault::error;
        error.error = "LOADING";
        plan.rules.push_back(error);
        proxy_.emplace(std::move(plan), false);
    }
    /// How many bytes of commands were taken.
    static std::size_t flood(RawClient& client) {
        const std::size_t said = client.say_until_full(many_times(kPing, 100'000), kEndless);
        EXPECT_LT(said, kEndless);
        return said;
    }

    RedisProcess server_;
    std::optional<ProxyThread> proxy_;
};

TEST_F(Unread, answers_of_the_proxy_hold_up_the_client_that_does_not_read_them) {
    RawClient client(proxy_->endpoint(0));
    const std::size_t said = flood(client);
    const std::string answer = "-LOADING\r\n";
    const std::size_t bytes = said / kPing.size() * answer.size();
    EXPECT_TRUE(client.hear_bytes(bytes) == many_times(answer, bytes));
    // The last command may have been begun.
    EXPECT_EQ(client.ask(kPing.substr(said % kPing.size())), answer);
    EXPECT_EQ(client.ask(resp("ECHO", "x")), "$1\r\nx\r\n");
}

TEST_F(Unread, who_goes_without_having_read_them_is_forgotten) {
    SyncConnection asks(server_.endpoint());
    const auto clients = [&] {
        const std::string list = asks.command(Command::of("CLIENT", "LIST")).text();
        return std::count(list.begin(), list.end(), '\n');
    };
    {
        RawClient client(proxy_->endpoint(0));
        flood(client);
        EXPECT_EQ(clients(), 2);
    }
    for (int i = 0; i < 1000 && clients() > 1; ++i) std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(clients(), 1);
}

}  // namespace
}  // namespace locklab::hostile_test
