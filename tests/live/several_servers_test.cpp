// Runs on several redis-servers: who is asked, who answers, and what befalls one of them alone.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <map>
#include <set>

#include "harness/check/judge.h"
#include "harness/live/blocking_client.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/corpus/corpus.h"
#include "tests/live/in_time.h"

namespace locklab::several_servers_test {
namespace {

constexpr ClientId kStruck{1};

class Servers {
public:
    explicit Servers(std::uint32_t count) : servers_(Topology{count}), loop_(servers_) {}

    LiveLoop& loop() { return loop_; }
    Reply ask(std::uint32_t server, const Command& command) {
        return SyncConnection(servers_.endpoint(NodeId{server}), 5s).command(command);
    }
    void expect_no_keys() {
        for (std::uint32_t i = 0; i < servers_.size(); ++i) {
            EXPECT_EQ(keys_on(servers_.endpoint(NodeId{i})).size(), 0u);
        }
    }

private:
    ManagedServers servers_;
    LiveLoop loop_;
};

LiveConfig run_of(std::string_view lock, std::uint64_t grants) {
    return short_run(corpus::entry_named(lock)->algorithm, grants);
}

/// On as many servers as it needs.
LiveResult run_alone(const LiveConfig& config) {
    Servers servers(config.topology.masters);
    LiveResult result = std::move(run_all(servers.loop(), {config}).front());
    servers.expect_no_keys();
    tell_effects(result.history);
    return result;
}

/// Every command is answered at most once, and says everywhere which server it was for.
void expect_one_answer_each(const History& history) {
    std::map<std::uint64_t, NodeId> asked;
    for (const auto& [event, sent] : all_of<event::Sent>(history)) asked[sent->call] = sent->node;
    std::set<std::uint64_t> answered;
    for (const auto& [event, replied] : all_of<event::Replied>(history)) {
        EXPECT_TRUE(answered.insert(replied->call).second) << replied->call;
    }
    for (const auto& [event, ran] : all_of<event::Executed>(history)) {
        EXPECT_EQ(ran->node, asked.at(ran->call));
    }
}

TEST(SeveralServers, all_are_asked_and_each_has_its_key) {
    const LiveResult result = in_time(run_of("everywhere", 50), run_alone);
    const History& history = result.history;
    EXPECT_GE(result.grants, 50u);
    expect_one_answer_each(history);
    std::array<std::size_t, 2> created{};
    std::array<std::size_t, 2> deleted{};
    for (const auto& [event, ran] : all_of<event::Executed>(history)) {
        EXPECT_EQ(ran->effect.source, KeyEffect::Source::replayed);
        created.at(ran->node.value) += ran->effect.kind == KeyEffect::Kind::created;
        deleted.at(ran->node.value) += ran->effect.kind == KeyEffect::Kind::deleted;
    }
    for (const std::size_t node : {0, 1}) {
        EXPECT_GE(created[node], result.grants);
        EXPECT_EQ(created[node], deleted[node]);
    }
    const Judgement judgement = judge(history);
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    EXPECT_EQ(judgement.uncertain_effects, 0u);
}

/// Asks the servers who they are, worker and background task at once.
class WhoIsWho final : public Lock {
public:
    static inline std::uint64_t asked = 0;
    static inline std::uint64_t mistaken = 0;

    explicit WhoIsWho(Client& client) : client_(client) {}
    Task<Acquired> try_acquire() override {
        asking_ = client_.spawn(keep_asking());
        co_await ask();
        co_return Grant{client_.fresh_token()};
    }
    Task<Release> release() override {
        co_await ask();
        client_.cancel(asking_);
        co_return Release::yes;
    }

private:
    Task<> ask() {
        const std::vector<Reply> replies = co_await client_.ask_all("GET", "who");
        ++asked;
        mistaken += replies.size() != client_.servers();
        for (std::size_t i = 0; i < replies.size(); ++i) {
            // An error in place of an answer names no server.
            if (replies[i].is_unknown() || replies[i].is_error()) continue;
            mistaken += replies[i].text() != std::to_string(i);
        }
    }
    Task<> keep_asking() {
        for (;;) co_await ask();
    }

    Client& client_;
    Background asking_;
};

const Algorithm kWhoIsWho{
    .name = "who_is_who",
    .label = "Who is who",
    .idea = {},
    .source = "this test",
    .colour = "#000000",
    .defaults = {.ttl = 10s},
    .redis_servers = 3,
    .renews = true,
    .safe_under = {},
    .broken_by = {},
    .make = [](Client& client, const Key&, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<WhoIsWho>(client);
    }};

/// Whatever comes late, twice or never: a reply is its server's, and no other's.
TEST(SeveralServers, replies_are_told_apart_whatever_becomes_of_one) {
    Servers servers(3);
    for (std::size_t i = 0; i < 3; ++i) servers.ask(i, Command::of("SET", "who", i));
    std::vector<LiveConfig> configs;
    for (const HazardRow& row : kHazards) {
        if (!strikes_messages(row.hazard) && row.hazard != Hazard::pause) continue;
        for (const std::uint32_t nth : {0, 1, 2}) {
            LiveConfig config = short_run(kWhoIsWho, 60);
            config.command_timeout = 60ms;
            config.plan = {{row.hazard, {kStruck, 2, Phase::acquire, nth}, 20ms},
                           {row.hazard, {kStruck, 4, Phase::background, nth}, 150ms}};
            configs.push_back(config);
        }
    }
    WhoIsWho::asked = WhoIsWho::mistaken = 0;
    const auto results = run_all(servers.loop(), configs);
    EXPECT_GT(WhoIsWho::asked, 60 * results.size());
    EXPECT_EQ(WhoIsWho::mistaken, 0u);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const PlannedFault& fault = configs[i].plan.front();
        SCOPED_TRACE(std::string(name_of(fault.hazard)) + " " + std::to_string(fault.moment.nth));
        expect_one_answer_each(results[i].history);
        EXPECT_GE(results[i].grants, 60u);
        EXPECT_GE(faults_of(results[i].history, fault.hazard).size(), 1u);
    }
}

/// The nth command of a try is the nth server's, and a fault that strikes it strikes no other.
TEST(SeveralServers, a_fault_of_one_message_leaves_the_others_alone) {
    for (const std::uint32_t nth : {0, 1}) {
        LiveConfig config = run_of("everywhere", 40);
        config.command_timeout = 60ms;
        config.plan = {{Hazard::lose_request, {kStruck, 1, Phase::acquire, nth}}};
        const History history = in_time(config, run_alone).history;
        const auto faults = faults_of(history, Hazard::lose_request);
        ASSERT_EQ(faults.size(), 1u);
        const std::uint64_t lost = faults[0].detail->call;
        const std::uint64_t other = nth == 0 ? lost + 1 : lost - 1;
        EXPECT_EQ(all_of<event::Sent>(history, lost).at(0).detail->node, NodeId{nth});
        EXPECT_EQ(all_of<event::Sent>(history, other).at(0).detail->node, NodeId{1 - nth});
        EXPECT_EQ(all_of<event::Executed>(history, lost).size(), 0u);
        EXPECT_EQ(all_of<event::Executed>(history, other).size(), 1u);
        const auto unknown = all_of<event::Replied>(history, lost);
        const auto told = all_of<event::Replied>(history, other);
        ASSERT_EQ(unknown.size(), 1u);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_TRUE(unknown[0].detail->reply.is_unknown());
        EXPECT_FALSE(told[0].detail->reply.is_unknown());
        EXPECT_EQ(judge(history).verdict, Verdict::holds);
    }
}

TEST(SeveralServers, a_restart_befalls_one_server_and_the_runs_that_use_it) {
    for (const std::uint32_t node : {0, 1}) {
        SCOPED_TRACE(node);
        Servers servers(2);
        for (const std::uint32_t i : {0, 1}) servers.ask(i, Command::of("SET", "before", "1"));
        const LiveConfig struck =
            struck_run(corpus::entry_named("everywhere")->algorithm, 100,
                       {{Hazard::restart, {kStruck, 2, Phase::inside, 0}, {}, NodeId{node}}});
        auto results = run_all(servers.loop(), {run_of("everywhere", 150), struck, short_run(150)});
        EXPECT_TRUE(servers.ask(node, Command::of("GET", "before")).is_nil());
        EXPECT_EQ(servers.ask(1 - node, Command::of("GET", "before")).text(), "1");
        servers.expect_no_keys();
        for (const std::size_t i : {0, 1}) {
            const auto faults = faults_of(results[i].history, Hazard::restart);
            ASSERT_EQ(faults.size(), 1u);
            EXPECT_EQ(faults[0].detail->node, NodeId{node});
            EXPECT_GE(results[i].grants, 100u);
            EXPECT_FALSE(results[i].server_lost);
            tell_effects(results[i].history);
            EXPECT_EQ(judge(results[i].history).verdict, Verdict::holds);
        }
        const auto on_the_first = faults_of(results[2].history, Hazard::restart);
        EXPECT_EQ(on_the_first.size(), node == 0 ? 1u : 0u);
    }
}

/// Somebody else stops the second: the first, which goes on answering, does not hide that.
TEST(SeveralServers, one_of_several_that_is_silent_is_said) {
    ManagedServers servers(Topology{2});
    LiveLoop loop(servers);
    const pid_t second = servers.process(NodeId{1}).pid();
    LiveConfig config = run_of("everywhere", 1'000'000'000);
    config.command_timeout = 50ms;
    config.patience = 500ms;
    LiveConfig on_the_first = short_run(1'000'000'000);
    on_the_first.duration = 800ms;
    ::kill(second, SIGSTOP);
    std::vector<LiveResult> results(2);
    const auto take = [&](std::size_t index, LiveResult result) {
        results[index] = std::move(result);
        // For its keys to be cleared.
        if (index == 0) ::kill(second, SIGCONT);
    };
    loop.run({config, on_the_first}, 2, take);
    EXPECT_TRUE(results[0].server_lost);
    EXPECT_FALSE(results[1].server_lost);
}

/// The first client has the first two servers. The second forgets, and the others have two.
TEST(SeveralServers, what_forgets_between_two_majorities_is_lost_data) {
    LiveConfig config = run_of("majority_forgotten", 8);
    config.workload.job = {400ms, 400ms};
    config.command_timeout = 50ms;
    // It may find the lock taken at first, but not each time.
    for (std::uint32_t round = 1; round <= 8; ++round) {
        config.plan.push_back({Hazard::lose_request, {ClientId{0}, round, Phase::acquire, 2}});
        config.plan.push_back(
            {Hazard::restart, {ClientId{0}, round, Phase::inside, 0}, {}, NodeId{1}});
    }
    const Judgement judgement = judge(run_alone(config).history);
    EXPECT_GT(judgement.overlaps, 0u);
    EXPECT_GT(judgement.causes[Cause::lost_data], 0u);
}

/// While a client waits, both forget the one that is inside.
TEST(SeveralServers, both_that_forget_are_lost_data) {
    LiveConfig config = run_of("everywhere_twice_forgotten", 6);
    config.workload.job = {400ms, 400ms};
    for (std::uint32_t node = 0; node < 2; ++node) {
        config.plan.push_back(
            {Hazard::restart, {kStruck, 1, Phase::acquire, 30 + node}, {}, NodeId{node}});
    }
    const Judgement judgement = judge(run_alone(config).history);
    EXPECT_GT(judgement.overlaps, 0u);
    EXPECT_GT(judgement.causes[Cause::lost_data], 0u);
}

/// The first client's request to the first server is late each time, and the second gets that.
TEST(SeveralServers, halves_have_no_server_in_common) {
    LiveConfig config = run_of("half", 20);
    config.clients = 2;
    config.workload.job = {100ms, 100ms};
    config.command_timeout = 30s;
    for (std::uint32_t round = 1; round <= 20; ++round) {
        config.plan.push_back(
            {Hazard::delay_request, {ClientId{0}, round, Phase::acquire, 0}, 50ms});
    }
    const Judgement judgement = judge(run_alone(config).history);
    EXPECT_GT(judgement.overlaps, 0u);
    EXPECT_GT(judgement.causes[Cause::other_servers], 0u);
    EXPECT_EQ(judgement.causes[Cause::unexplained], 0u);
}

TEST(SeveralServers, who_has_one_refuses_what_needs_more) {
    ManagedServers server;
    const auto complaint = [](const auto& run) -> std::string {
        try {
            run();
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "none";
    };
    const LiveConfig config = run_of("majority", 1);
    LiveLoop somebodys(server.endpoint());
    EXPECT_EQ(complaint([&] { run_all(somebodys, {config}); }),
              "The lock majority needs 3 redis-servers, and " + to_string(server.endpoint()) +
                  " is one: leave out --redis and LOCKLAB_REDIS.");
    LiveLoop own(server);
    EXPECT_EQ(complaint([&] { run_all(own, {config}); }),
              "The lock majority needs 3 redis-servers, and there are 1: start more.");
    EXPECT_EQ(complaint([&] {
                  BlockingClient(*config.algorithm, config.options, config.workload,
                                 server.endpoint(), Key{"k"});
              }),
              "The lock majority needs 3 redis-servers, and a blocking client has one: run it in "
              "a LiveLoop.");
}

}  // namespace
}  // namespace locklab::several_servers_test
