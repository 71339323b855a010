// Random exchanges through the proxy, and directly: the same bytes come back. LOCKLAB_EXCHANGES
// says how many, 20,000 if it says nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "harness/core/printable.h"
#include "harness/core/random_choices.h"
#include "harness/live/redis_process.h"
#include "harness/proxy/proxy_thread.h"
#include "tests/core/told_number.h"
#include "tests/proxy/raw_client.h"

namespace locklab::exchange_test {
namespace {

std::uint64_t exchanges() { return told_number("LOCKLAB_EXCHANGES", 20'000); }

ProxyPlan plan_for(const RedisProcess& server, std::vector<FaultRule> rules = {}) {
    ProxyPlan plan;
    plan.links.push_back({{"A", "n0"}, {"", "127.0.0.1", 0}, server.endpoint()});
    plan.rules = std::move(rules);
    return plan;
}

/// Commands whose answers depend on nothing but the commands before them, and what is to be heard.
class Commands {
public:
    /// `resets`: also RESET, after which a connection speaks RESP2.
    explicit Commands(std::uint64_t seed, bool resets = true) : choices_(seed), resets_(resets) {}

    std::string next() {
        static const std::array<std::function<std::string(Commands&)>, 16> kMakers{
            [](Commands& c) { return resp("SET", c.key(), c.value()); },
            [](Commands& c) { return resp("GET", c.key()); },
            [](Commands& c) { return resp("ECHO", c.value()); },
            [](Commands& c) { return resp("DEL", c.key()); },
            [](Commands& c) { return resp("INCR", c.key()); },
            [](Commands& c) { return resp("RPUSH", "list" + c.key(), c.value(), c.value()); },
            [](Commands& c) { return resp("LPOP", "list" + c.key()); },
            [](Commands& c) { return resp("LRANGE", "list" + c.key(), "0", "5"); },
            [](Commands& c) { return resp("HSET", "hash" + c.key(), c.key(), c.value(2)); },
            [](Commands& c) { return resp("HGETALL", "hash" + c.key()); },
            [](Commands& c) { return resp("ZADD", "sorted", c.key(), c.key()); },
            [](Commands& c) { return resp("ZSCORE", "sorted", c.key()); },
            [](Commands& c) { return c.nested(); },
            [](Commands& c) { return c.transaction(); },
            [](Commands& c) { return c.messages(); },
            [](Commands& c) { return c.odd(); },
        };
        return kMakers[pick(kMakers.size())](*this);
    }
    std::size_t pick(std::size_t count) {
        return choices_.pick(ChoiceKind::workload, static_cast<std::uint32_t>(count));
    }

private:
    std::string key() { return std::to_string(pick(20)); }
    /// Of any bytes, mostly short. Hashes keep their order where it has fewer than 64.
    std::string value(std::size_t least = 0) {
        static constexpr std::array<std::size_t, 4> kMost{40'000, 300, 30, 2};
        const bool is_long = least == 0 && pick(100) == 0;
        std::string value(pick(is_long ? kMost[0] : kMost[std::max(least, 1 + pick(3))]), '\0');
        for (char& c : value) {
            constexpr std::string_view kSigns = "\r\n*$>:-1";
            c = pick(2) == 0 ? kSigns[pick(kSigns.size())] : static_cast<char>(pick(256));
        }
        return value;
    }
    /// Every type of RESP3, and what becomes of it in RESP2.
    std::string nested() {
        static constexpr std::array<std::string_view, 6> kScripts{
            "return {1, {2, {3, {'a', false}}, {}}, 'b'}",
            "redis.setresp(3); return {map={a={double=1.5}, }}",
            "redis.setresp(3); return {1, {set={a=true}}, true, false, {big_number='123'}}",
            "redis.setresp(3); return {verbatim_string={format='txt', string='a\\r\\nb'}}",
            "return redis.error_reply('ERR of a script')",
            "return redis.status_reply('fine')",
        };
        return resp("EVAL", kScripts[pick(kScripts.size())], "0");
    }
    std::string transaction() {
        const std::string inner = pick(2) == 0 ? resp("GET", key()) : resp("NOCOMMAND");
        return resp("MULTI") + resp("SET", key(), value()) + inner + resp("EXEC");
    }
    /// In RESP2 a subscriber may say little, so that it leaves at once.
    std::string messages() {
        return resp("SUBSCRIBE", "a", "b") + resp("PSUBSCRIBE", "c*") + resp("PING") +
               resp("UNSUBSCRIBE", "b") + resp("UNSUBSCRIBE") + resp("PUNSUBSCRIBE", "c*") +
               resp("PUBLISH", "a", "x");
    }
    std::string odd() {
        static const std::array<std::string, 8> kOdd{
            "PING\r\n",
            "\r\n",
            "*0\r\n",
            resp("CLIENT", "REPLY", "SKIP") + resp("GET", "1"),
            resp("CLIENT", "REPLY", "OFF") + resp("GET", "1") + resp("CLIENT", "REPLY", "ON"),
            resp("SUBSCRIBE"),
            resp("LATENCY", "DOCTOR"),
            resp("RESET"),
        };
        return kOdd[pick(resets_ ? kOdd.size() : kOdd.size() - 1)];
    }

    RandomChoices choices_;
    const bool resets_;
};

/// Says the same to both, through the proxy in pieces of any size, and hears the same of both.
void expect_equal_bytes(RawClient& direct, RawClient& proxied, const std::string& said,
                        Commands& commands) {
    direct.say(said);
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t piece = commands.pick(4) == 0 ? 1 + commands.pick(20) : said.size();
        proxied.say(std::string_view(said).substr(at, piece));
        at += piece;
    }
    const std::string end = "the end of it";
    const std::string last = resp("ECHO", end);
    direct.say(last);
    proxied.say(last);
    const std::string echo = "$" + std::to_string(end.size()) + "\r\n" + end + "\r\n";
    std::string heard;
    while (!heard.ends_with(echo)) {
        const std::string frame = direct.hear();
        ASSERT_FALSE(frame.empty()) << heard;
        heard += frame;
    }
    const std::string through = proxied.hear_bytes(heard.size());
    const auto differs = std::mismatch(heard.begin(), heard.end(), through.begin(), through.end());
    const auto at = static_cast<std::size_t>(differs.first - heard.begin());
    ASSERT_TRUE(through == heard) << "directly: " << printable(heard.substr(at))
                                  << "\nthrough it: " << printable(through.substr(at));
}

/// Both are as new connections, and speak RESP3. The answer has the connection's number.
void greet(RawClient& client) {
    EXPECT_EQ(client.ask(resp("RESET")), "+RESET\r\n");
    EXPECT_TRUE(client.ask(resp("HELLO", "3")).starts_with("%7\r\n"));
}

void exchange(bool in_resp3, std::uint64_t seed, std::uint64_t count) {
    RedisProcess one(RedisProcess::Listen::on_port_too);
    RedisProcess other;
    ProxyThread proxy(plan_for(other), false);
    RawClient direct(one.port_endpoint());
    RawClient proxied(proxy.endpoint(0));
    Commands commands(seed, !in_resp3);
    for (std::uint64_t i = 0; i < count;) {
        if (in_resp3 && (i == 0 || commands.pick(10) == 0)) {
            greet(direct);
            greet(proxied);
        }
        std::string said;
        for (const std::uint64_t end = i + 1 + commands.pick(100); i < end; ++i) {
            said += commands.next();
        }
        expect_equal_bytes(direct, proxied, said, commands);
        if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(proxied.ask(resp("HGETALL", "nothing")), in_resp3 ? "%0\r\n" : "*0\r\n");
    proxy.stop();
    EXPECT_TRUE(proxy.complaints().empty());
}

TEST(Exchange, resp2_is_the_same_to_the_byte) { exchange(false, 1, exchanges() / 2); }

TEST(Exchange, resp3_is_the_same_to_the_byte) { exchange(true, 2, exchanges() / 2); }

/// Whatever strikes, each answer is its own command's.
TEST(Exchange, no_answer_is_taken_for_another) {
    RedisProcess server;
    std::vector<FaultRule> rules;
    for (std::uint64_t nth = 3; nth < exchanges() / 2; nth += 7) {
        if (rules.size() == 150) break;
        constexpr std::array<LinkFault, 4> kKinds{LinkFault::delay_request, LinkFault::delay_reply,
                                                  LinkFault::repeat_request, LinkFault::error};
        FaultRule rule;
        rule.command = "ECHO";
        rule.nth = nth;
        rule.fault = kKinds[rules.size() % kKinds.size()];
        rule.amount = std::chrono::milliseconds(1);
        rule.error = "LOADING " + std::to_string(nth);
        rules.push_back(rule);
    }
    const std::vector<FaultRule> kept = rules;
    ProxyThread proxy(plan_for(server, std::move(rules)), false);
    RawClient client(proxy.endpoint(0));
    Commands commands(3);
    std::uint64_t errors = 0;
    for (std::uint64_t i = 1; i < exchanges() / 2;) {
        std::string said;
        const std::uint64_t begin = i;
        const std::uint64_t end = begin + 1 + commands.pick(50);
        for (; i < end; ++i) said += resp("ECHO", std::to_string(i));
        client.say(said);
        for (std::uint64_t k = begin; k < end; ++k) {
            const std::string number = std::to_string(k);
            const std::string heard = client.hear();
            const bool is_error = heard == "-LOADING " + number + "\r\n";
            errors += is_error ? 1 : 0;
            const std::string echo = "$" + std::to_string(number.size()) + "\r\n" + number + "\r\n";
            ASSERT_TRUE(is_error || heard == echo) << heard;
        }
    }
    std::uint64_t planned = 0;
    for (const FaultRule& rule : kept) planned += rule.fault == LinkFault::error ? 1 : 0;
    EXPECT_EQ(errors, planned);
}

}  // namespace
}  // namespace locklab::exchange_test
