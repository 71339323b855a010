// Each fault, seen on a real redis-server.

#include "harness/proxy/fault_proxy.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "harness/core/sha1.h"
#include "tests/proxy/proxy_of_one_link.h"

namespace locklab::fault_proxy_test {
namespace {

using std::chrono::milliseconds;

using FaultProxyTest = ProxyOfOneLink;

TEST_F(FaultProxyTest, what_no_rule_strikes_goes_through_and_is_told) {
    RawClient& client = with({});
    EXPECT_EQ(client.ask(resp("SET", "k", "v")), "+OK\r\n");
    EXPECT_EQ(client.ask("GET k\r\n"), "$1\r\nv\r\n");
    EXPECT_EQ(client.ask(resp("QUIT")), "+OK\r\n");
    EXPECT_EQ(client.state(), State::closed);
    EXPECT_EQ(story(),
              "opened; request 1: SET k v; answer 1: +OK; request 2: GET k; answer 2: v; "
              "request 3: QUIT; answer 3: +OK; closed by: the server; ");
}

TEST_F(FaultProxyTest, a_delayed_request_delays_what_comes_after_it) {
    RawClient& client = with({rule("SET", LinkFault::delay_request, milliseconds(200))});
    const auto begin = Reactor::Clock::now();
    client.say(resp("SET", "k", "v") + resp("GET", "k"));
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_EQ(value("k"), "");
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_EQ(client.hear(), "$1\r\nv\r\n");
    EXPECT_GE(since(begin), milliseconds(200));
    EXPECT_EQ(story(),
              "opened; request 1: SET k v; struck 1: delay_request; released 1; "
              "request 2: GET k; answer 1: +OK; answer 2: v; ");
}

TEST_F(FaultProxyTest, a_delayed_request_arrives_though_its_client_has_gone) {
    with({rule("SET", LinkFault::delay_request, milliseconds(100))}).say(resp("SET", "k", "v"));
    client_->say_no_more();
    client_.reset();
    EXPECT_EQ(value("k"), "");
    EXPECT_EQ(value_in_time("k", "v"), "v");
}

TEST_F(FaultProxyTest, a_link_leads_to_another_server_from_its_next_connection_on) {
    RedisProcess other;
    RawClient& client = with({});
    EXPECT_EQ(client.ask(resp("SET", "here", "1")), "+OK\r\n");
    std::promise<void> led;
    proxy_->post([&](FaultProxy& proxy) {
        proxy.lead(0, other.endpoint());
        led.set_value();
    });
    led.get_future().wait();
    EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
    RawClient next(proxy_->endpoint(0));
    EXPECT_EQ(next.ask(resp("EXISTS", "here")), ":0\r\n");
    EXPECT_EQ(value("here"), "1");
}

TEST_F(FaultProxyTest, a_late_request_arrives_after_its_connection_was_reset) {
    RawClient& client = with({rule("SET", LinkFault::late_request, milliseconds(200))});
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
    EXPECT_EQ(value("k"), "");
    EXPECT_EQ(value_in_time("k", "v"), "v");
    RawClient again(proxy_->endpoint(0));
    EXPECT_EQ(again.ask(resp("PING")), "+PONG\r\n");
    // Nobody can be told, but when it ran is written down.
    EXPECT_NE(story().find("withheld 1: +OK; "), std::string::npos) << story();
}

TEST_F(FaultProxyTest, a_delayed_reply_is_of_a_command_that_ran_at_once) {
    RawClient& client = with({rule("SET", LinkFault::delay_reply, milliseconds(300))});
    const auto begin = Reactor::Clock::now();
    client.say(resp("SET", "k", "v") + resp("ECHO", "x"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    EXPECT_LT(since(begin), milliseconds(250));
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_GE(since(begin), milliseconds(300));
    EXPECT_EQ(client.hear(), "$1\r\nx\r\n");
    const std::string said = story();
    EXPECT_LT(said.find("delayed 1: +OK; "), said.find("answer 1: +OK; ")) << said;
}

/// Another connection of the link is cut off too.
TEST_F(FaultProxyTest, through_a_partition_nothing_gets_until_it_ends) {
    RawClient& client = with({rule("SET", LinkFault::partition, milliseconds(300))});
    EXPECT_EQ(client.ask(resp("PING")), "+PONG\r\n");
    const auto begin = Reactor::Clock::now();
    client.say(resp("SET", "k", "v"));
    RawClient again(proxy_->endpoint(0));
    again.say(resp("INCR", "n"));
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_EQ(value("k"), "");
    EXPECT_EQ(value("n"), "");
    EXPECT_EQ(again.hear(), ":1\r\n");
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_GE(since(begin), milliseconds(300));
    EXPECT_EQ(again.ask(resp("INCR", "n")), ":2\r\n");
}

TEST_F(FaultProxyTest, a_partition_after_a_command_keeps_its_answer_back) {
    RawClient& client = with({rule("SET", LinkFault::partition_after, milliseconds(300))});
    const auto begin = Reactor::Clock::now();
    client.say(resp("SET", "k", "v") + resp("SET", "l", "w"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    EXPECT_LT(since(begin), milliseconds(250));
    EXPECT_EQ(value("l"), "");
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_GE(since(begin), milliseconds(300));
    EXPECT_EQ(client.hear(), "+OK\r\n");
    const std::string said = story();
    EXPECT_LT(said.find("delayed 1: +OK; "), said.find("answer 1: +OK; ")) << said;
    EXPECT_NE(said.find("struck 2: delay_request; "), std::string::npos) << said;
}

TEST_F(FaultProxyTest, a_lost_request_never_arrives_nor_does_what_follows) {
    RawClient& client = with({rule("SET", LinkFault::lose_request)});
    EXPECT_EQ(client.ask(resp("PING")), "+PONG\r\n");
    client.say(resp("SET", "k", "v"));
    client.say(resp("SET", "k", "w") + resp("PING"));
    EXPECT_EQ(client.hear(milliseconds(200)), "");
    EXPECT_EQ(client.state(), State::open);
    EXPECT_EQ(value("k"), "");
    RawClient again(proxy_->endpoint(0));
    EXPECT_EQ(again.ask(resp("SET", "k", "again")), "+OK\r\n");
}

TEST_F(FaultProxyTest, a_lost_reply_is_of_a_command_that_ran_and_no_later_one_is_heard) {
    RawClient& client = with({rule("SET", LinkFault::lose_reply)});
    client.say(resp("ECHO", "before") + resp("SET", "k", "v") + resp("ECHO", "after"));
    EXPECT_EQ(client.hear(), "$6\r\nbefore\r\n");
    EXPECT_EQ(client.hear(milliseconds(200)), "");
    EXPECT_EQ(client.state(), State::open);
    EXPECT_EQ(value("k"), "v");
    // Nobody is told, but it is written down that it ran.
    EXPECT_NE(story().find("withheld 2: +OK; "), std::string::npos) << story();
}

TEST_F(FaultProxyTest, what_comes_without_an_end_is_not_heard_after_a_lost_reply) {
    RawClient& client = with({rule("SET", LinkFault::lose_reply)});
    client.say(resp("SET", "k", "v"));
    EXPECT_EQ(value_in_time("k", "v"), "v");
    client.say(resp("MONITOR"));
    RawClient other(proxy_->endpoint(0));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(other.ask(resp("PING")), "+PONG\r\n");
    EXPECT_EQ(client.hear(milliseconds(200)), "");
    EXPECT_EQ(client.state(), State::open);
}

TEST_F(FaultProxyTest, a_connection_is_cut_before_or_after_the_command_runs) {
    RawClient& before = with({rule("SET", LinkFault::reset_request)});
    before.say(resp("SET", "k", "before"));
    EXPECT_EQ(before.state(milliseconds(5000)), State::reset);
    EXPECT_EQ(value("k"), "");
    RawClient& after = with({rule("SET", LinkFault::reset_reply)});
    after.say(resp("SET", "k", "after"));
    EXPECT_EQ(after.state(milliseconds(5000)), State::reset);
    EXPECT_EQ(value("k"), "after");
    EXPECT_NE(story().find("withheld 1: +OK; cut"), std::string::npos) << story();
}

TEST_F(FaultProxyTest, a_repeated_request_runs_twice_and_is_answered_once) {
    RawClient& client =
        with({rule("SET", LinkFault::repeat_request), rule("INCR", LinkFault::repeat_request)});
    client.say(resp("SET", "k", "v", "NX") + resp("INCR", "n") + resp("ECHO", "x"));
    EXPECT_EQ(client.hear(), "$-1\r\n");
    EXPECT_EQ(client.hear(), ":2\r\n");
    EXPECT_EQ(client.hear(), "$1\r\nx\r\n");
}

TEST_F(FaultProxyTest, an_error_is_told_in_its_turn_and_nothing_runs) {
    for (const std::string_view code : known_errors()) {
        RawClient& client = with({error("SET", std::string(code))});
        client.say(resp("ECHO", "1") + resp("SET", "k", "v") + resp("ECHO", "2"));
        EXPECT_EQ(client.hear(), "$1\r\n1\r\n");
        EXPECT_EQ(client.hear(), "-" + std::string(words_of_error(code)) + "\r\n");
        EXPECT_EQ(client.hear(), "$1\r\n2\r\n");
        EXPECT_EQ(value("k"), "");
    }
}

TEST_F(FaultProxyTest, an_error_spoils_a_transaction_as_on_a_real_server) {
    RawClient& client = with({error("SET", "OOM"), error("EXEC", "LOADING")});
    const std::string transaction = resp("MULTI") + resp("SET", "k", "v") + resp("GET", "k");
    // EXEC meets its own rule first.
    client.say(transaction + resp("EXEC") + transaction + resp("EXEC") + resp("GET", "k"));
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_TRUE(client.hear().starts_with("-OOM"));
    EXPECT_EQ(client.hear(), "+QUEUED\r\n");
    EXPECT_EQ(client.hear(),
              "-EXECABORT Transaction discarded because of: LOADING Redis is loading the dataset "
              "in memory\r\n");
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_EQ(client.hear(), "+QUEUED\r\n");
    EXPECT_EQ(client.hear(), "+QUEUED\r\n");
    EXPECT_EQ(client.hear(), "*2\r\n+OK\r\n$1\r\nv\r\n");
    EXPECT_EQ(client.hear(), "$1\r\nv\r\n");
    RawClient& other = with({error("SET", "OOM")});
    other.say(resp("MULTI") + resp("SET", "k", "w") + resp("EXEC") + resp("GET", "k"));
    EXPECT_EQ(other.hear(), "+OK\r\n");
    EXPECT_TRUE(other.hear().starts_with("-OOM"));
    EXPECT_EQ(other.hear(), "-EXECABORT Transaction discarded because of previous errors.\r\n");
    EXPECT_EQ(other.hear(), "$1\r\nv\r\n");
}

TEST_F(FaultProxyTest, rules_name_a_script_however_it_is_called) {
    const std::string lua = "return redis.call('set', KEYS[1], 'v')";
    const std::string digest = to_hex(sha1(lua));
    FaultRule by_script = rule("", LinkFault::error);
    by_script.digest = digest;
    by_script.nth = 2;
    by_script.error = words_of_error("NOSCRIPT");
    RawClient& client = with({by_script});
    EXPECT_EQ(client.ask(resp("EVAL", lua, "1", "k")), "+OK\r\n");
    EXPECT_EQ(client.ask(resp("EVAL", "return 1", "0")), ":1\r\n");
    EXPECT_EQ(client.ask(resp("EVALSHA", digest, "1", "k")),
              "-NOSCRIPT No matching script. Please use EVAL.\r\n");
    EXPECT_EQ(client.ask(resp("EVALSHA", digest, "1", "k")), "+OK\r\n");
}

TEST_F(FaultProxyTest, subscribers_are_told_and_others_go_on) {
    RawClient& client = with({});
    client.say(resp("SUBSCRIBE", "c", "d"));
    EXPECT_EQ(client.hear(), "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n");
    EXPECT_EQ(client.hear(), "*3\r\n$9\r\nsubscribe\r\n$1\r\nd\r\n:2\r\n");
    RawClient other(proxy_->endpoint(0));
    EXPECT_EQ(other.ask(resp("PUBLISH", "c", "x")), ":1\r\n");
    EXPECT_EQ(client.hear(), "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n");
    EXPECT_EQ(client.ask(resp("PING")), "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
}

TEST_F(FaultProxyTest, who_waits_for_a_list_is_served) {
    RawClient& client = with({});
    client.say(resp("BLPOP", "l", "0") + resp("ECHO", "x"));
    EXPECT_EQ(client.hear(milliseconds(100)), "");
    RawClient other(proxy_->endpoint(0));
    EXPECT_EQ(other.ask(resp("RPUSH", "l", "v")), ":1\r\n");
    EXPECT_EQ(client.hear(), "*2\r\n$1\r\nl\r\n$1\r\nv\r\n");
    EXPECT_EQ(client.hear(), "$1\r\nx\r\n");
}

TEST_F(FaultProxyTest, a_monitor_hears_everything) {
    RawClient& client = with({});
    EXPECT_EQ(client.ask(resp("ECHO", "x") + resp("MONITOR")), "$1\r\nx\r\n");
    EXPECT_EQ(client.hear(), "+OK\r\n");
    EXPECT_EQ(value("k"), "");
    EXPECT_NE(client.hear().find("\"GET\" \"k\""), std::string::npos);
}

TEST_F(FaultProxyTest, a_replica_follows_its_master_through_it) {
    with({});
    SyncConnection(server_.endpoint()).command(Command::of("SET", "k", "v"));
    RedisProcess replica;
    SyncConnection there(replica.endpoint());
    const auto port = std::to_string(proxy_->endpoint(0).port);
    EXPECT_TRUE(there.command(Command::of("REPLICAOF", "127.0.0.1", port)).is_ok());
    const auto has = [&](const std::string& wanted) {
        for (int i = 0; i < 4000; ++i) {
            if (there.command(Command::of("GET", "k")).text() == wanted) return true;
            std::this_thread::sleep_for(milliseconds(5));
        }
        return false;
    };
    EXPECT_TRUE(has("v"));
    SyncConnection(server_.endpoint()).command(Command::of("SET", "k", "w"));
    EXPECT_TRUE(has("w"));
}

TEST_F(FaultProxyTest, nonsense_ends_the_connection_in_one_sentence) {
    RawClient& client = with({});
    client.say("*1\r\n$1099511627776\r\n");
    EXPECT_EQ(client.state(milliseconds(5000)), State::reset);
    proxy_->stop();
    EXPECT_EQ(proxy_->complaints(),
              std::vector<std::string>{"A client on the link from A to n0 speaks no RESP: it is "
                                       "longer than 16 MB."});
}

TEST_F(FaultProxyTest, a_node_that_is_not_there_resets_its_clients) {
    RawClient& client = with({});
    EXPECT_EQ(client.ask(resp("PING")), "+PONG\r\n");
    server_.kill();
    EXPECT_EQ(client.state(milliseconds(5000)), State::closed);
    RawClient again(proxy_->endpoint(0));
    EXPECT_EQ(again.state(milliseconds(5000)), State::reset);
}

TEST_F(FaultProxyTest, an_address_that_is_taken_is_told) {
    with({});
    ProxyPlan plan;
    plan.links.push_back({{"A", "n0"}, proxy_->endpoint(0), server_.endpoint()});
    try {
        ProxyThread second(std::move(plan));
        FAIL() << "two listen at one address";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("address already in use"), std::string::npos);
    }
}

}  // namespace
}  // namespace locklab::fault_proxy_test
