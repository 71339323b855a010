// A proxy between one client and a real redis-server.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "harness/proxy/proxy_thread.h"
#include "tests/proxy/raw_client.h"

namespace locklab {

class ProxyOfOneLink : public ::testing::Test {
protected:
    using State = RawClient::State;

    /// A proxy with these rules, and a client.
    RawClient& with(std::vector<FaultRule> rules) { return open(std::move(rules), false); }
    /// The same, where the proxy does not read the protocol.
    RawClient& of_bytes(std::vector<FaultRule> rules) { return open(std::move(rules), true); }
    /// What the server has, asked directly.
    std::string value(const std::string& key) {
        return SyncConnection(server_.endpoint()).command(Command::of("GET", key)).text();
    }
    std::string value_in_time(const std::string& key, const std::string& wanted) {
        for (int i = 0; i < 1000 && value(key) != wanted; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return value(key);
    }
    static FaultRule rule(const std::string& command, LinkFault fault, Duration amount = {}) {
        FaultRule made;
        made.command = command;
        made.nth = 1;
        made.fault = fault;
        made.amount = amount;
        return made;
    }
    static FaultRule error(const std::string& command, const std::string& code) {
        FaultRule made = rule(command, LinkFault::error);
        made.error = words_of_error(code);
        return made;
    }
    /// Moments of the log, in words.
    std::string story() {
        proxy_->stop();
        std::istringstream in(proxy_->events());
        EventReader reader(in);
        std::string story;
        while (const std::optional<LinkEvent> event = reader.next()) {
            std::string line = to_string(*event, 0);
            for (int i = 0; i < 5; ++i) line.erase(0, line.find(' ') + 1);
            story += line + "; ";
        }
        return story;
    }
    static Duration since(Reactor::Clock::time_point begin) {
        return std::chrono::duration_cast<Duration>(Reactor::Clock::now() - begin);
    }

    RedisProcess server_;
    std::optional<ProxyThread> proxy_;
    std::optional<RawClient> client_;

private:
    RawClient& open(std::vector<FaultRule> rules, bool bytes) {
        ProxyPlan plan;
        plan.links.push_back({{"A", "n0"}, {"", "127.0.0.1", 0}, server_.endpoint(), bytes});
        plan.rules = std::move(rules);
        client_.reset();
        proxy_.reset();
        proxy_.emplace(std::move(plan));
        return client_.emplace(proxy_->endpoint(0));
    }
};

}  // namespace locklab
