#include "harness/live/real_host.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/machine.h"

namespace locklab::real_host_test {
namespace {

using namespace std::chrono_literals;

constexpr ClientId kClient{2};

/// Keeps what reaches it, in words.
class Kept : public Faultless {
public:
    void sleep(const Waiter& waiter, Duration time) {
        keep(waiter, "sleeps " + std::to_string(time.count()));
    }
    void send(const Waiter& waiter, NodeId server, Command& command) {
        keep(waiter, std::to_string(server.value) + " " + to_string(command));
        command = Command::of("USED");
    }
    void ask_oracle(const Waiter& waiter, Command& command) {
        keep(waiter, "oracle " + to_string(command));
    }
    void noted(ClientId client, Phase, EventDetail&& detail, ResourceId) {
        said.push_back("notes " + std::to_string(client.value));
        details.push_back(std::move(detail));
    }
    void threw(TaskId, const std::string& words) { said.push_back("throws " + words); }
    Duration clock_offset(ClientId client) const { return client == kClient ? 1h : 0h; }

    std::vector<std::string> said;
    std::vector<EventDetail> details;
    Waiter last;

private:
    void keep(const Waiter& waiter, const std::string& what) {
        last = waiter;
        said.push_back(what);
    }
};

using Said = std::vector<std::string>;

class RealHostTest : public testing::Test {
protected:
    Kept kept_;
    RealHost<Kept> host_{kept_, 3};
    Machine machine_{kClient, host_};
};

Task<> sleeps(Machine& machine) { co_await machine.sleep(5ms); }
Task<> asks_the_second(Machine& machine) { co_await machine.command(NodeId{1}, "GET", "key"); }
Task<> asks_all(Machine& machine) { co_await machine.ask_all("GET", "key"); }
Task<> asks_the_oracle(Machine& machine) { co_await machine.ask_oracle("TAKE"); }

TEST_F(RealHostTest, a_timer_goes_to_the_transport) {
    machine_.start(sleeps(machine_));
    EXPECT_EQ(kept_.said, Said{"sleeps 5000"});
    EXPECT_EQ(kept_.last.client, kClient);
    EXPECT_TRUE(machine_.waits_for(kept_.last.task, kept_.last.ticket));
}

TEST_F(RealHostTest, a_command_goes_to_its_server) {
    machine_.start(asks_the_second(machine_));
    EXPECT_EQ(kept_.said, Said{"1 GET key"});
    EXPECT_TRUE(machine_.waits_for(kept_.last.task, kept_.last.ticket));
}

TEST_F(RealHostTest, a_command_to_all_goes_to_each_whatever_became_of_the_one_before) {
    machine_.start(asks_all(machine_));
    EXPECT_EQ(kept_.said, (Said{"0 GET key", "1 GET key", "2 GET key"}));
    for (std::uint32_t server = 0; server < 3; ++server) {
        EXPECT_FALSE(machine_.finished());
        machine_.observe(kept_.last.task, kept_.last.ticket, Reply::nil(), NodeId{server});
    }
    EXPECT_TRUE(machine_.finished());
}

TEST_F(RealHostTest, a_question_to_the_oracle_reaches_no_server) {
    machine_.start(asks_the_oracle(machine_));
    EXPECT_EQ(kept_.said, Said{"oracle TAKE"});
}

TEST_F(RealHostTest, what_happens_is_told) {
    machine_.note(event::Wants{});
    EXPECT_EQ(kept_.said, Said{"notes 2"});
    EXPECT_TRUE(std::holds_alternative<event::Wants>(kept_.details.at(0)));
}

TEST_F(RealHostTest, a_clock_is_off_by_what_the_transport_says) {
    const Duration ahead = host_.now(kClient) - host_.now(ClientId{0});
    EXPECT_GT(ahead, 59min);
    EXPECT_LT(ahead, 61min);
}

TEST_F(RealHostTest, a_run_winds_down_after_so_many_grants) {
    host_.begin(RealHost<Kept>::Clock::now(), 2, Duration::zero());
    EXPECT_EQ(host_.next_grant(kClient), 1U);
    EXPECT_FALSE(host_.enough(kClient));
    EXPECT_EQ(host_.next_grant(ClientId{0}), 2U);
    EXPECT_TRUE(host_.enough(kClient));
    EXPECT_EQ(host_.grants(), 2U);
}

TEST_F(RealHostTest, a_run_winds_down_after_so_long) {
    const auto now = RealHost<Kept>::Clock::now();
    host_.begin(now - 1h, 2, 2h);
    EXPECT_FALSE(host_.enough(kClient));
    host_.begin(now - 3h, 2, 2h);
    EXPECT_TRUE(host_.enough(kClient));
    host_.begin(now - 3h, 2, Duration::zero());
    EXPECT_FALSE(host_.enough(kClient)) << "it has no such limit";
}

TEST_F(RealHostTest, a_token_is_unlike_any_other) {
    EXPECT_NE(host_.fresh_token(kClient), host_.fresh_token(kClient));
}

}  // namespace
}  // namespace locklab::real_host_test
