// Each lock against the code that its article prints: which commands it sends, with which words,
// when all goes well, when its holder is late, and when another's lock has to be taken over.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "algorithms/registry.h"
#include "algorithms/ttl.h"
#include "harness/explore/sim_run.h"

namespace locklab::article_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The article's own options; messages take a millisecond, a job `job`.
SimConfig config(std::string_view name, std::uint32_t clients, Duration job) {
    const Algorithm& algorithm = *algorithm_named(name);
    RunSpec spec = make_run_spec(algorithm, algorithm.defaults, Duration(0), FaultBudget());
    spec.clients = clients;
    spec.grants = 1;
    SimConfig setup = sim_config(spec);
    setup.latency = Latency::constant(milliseconds(1));
    setup.patience = seconds(1000);
    setup.workload.job = {job, job};
    setup.workload.wait.kind = WaitPolicy::Kind::fixed;
    return setup;
}

History run(const SimConfig& setup) {
    CalmChoices calm;
    ScriptEngine scripts;
    Simulator simulator(setup, calm, scripts);
    simulator.run();
    return simulator.take_history();
}

/// With t1 in place of the first token, and t2 of the next.
std::string with_names(std::string text) {
    const std::regex token("[0-9a-f]{32}");
    std::smatch found;
    for (int number = 1; std::regex_search(text, found, token); ++number) {
        const std::string hex = found.str();
        const std::string name = "t" + std::to_string(number);
        for (std::size_t at = 0; (at = text.find(hex)) != std::string::npos;) {
            text.replace(at, hex.size(), name);
        }
    }
    return text;
}

/// What the server ran for one client from an instant on, each command with its reply.
std::string commands(const History& history, ClientId client, Instant from = Instant()) {
    std::string text;
    for (const Event& event : history.events) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr || event.client != client || event.at < from) continue;
        if (!text.empty()) text += "; ";
        const bool number = ran->reply.is_integer();
        text += to_string(ran->command) + " " +
                (number ? std::to_string(ran->reply.as_integer()) : to_string(ran->reply));
    }
    return with_names(std::move(text));
}

struct Printed {
    std::string_view algorithm;
    std::string_view in_time;  ///< a job of 10 ms
    std::string_view late;     ///< a job of 40 s
};

/// Every clock shows 1767225600 s as the run begins.
TEST(ArticleTest, a_round_without_contention_sends_what_is_printed) {
    for (const Printed& printed : {
             Printed{"setnx_del", "SETNX lock locking 1; DEL lock 1",
                     "SETNX lock locking 1; DEL lock 1"},
             Printed{"setnx_expire", "SETNX lock 1 1; EXPIRE lock 10 1; DEL lock 1",
                     "SETNX lock 1 1; EXPIRE lock 10 1; DEL lock 0"},
             Printed{"setnx_timestamp_del", "SETNX lock 1767225604 1; DEL lock 1",
                     "SETNX lock 1767225604 1; DEL lock 1"},
             Printed{"setnx_getset_objects", "SETNX lock 1767225616000000 1; DEL lock 1",
                     "SETNX lock 1767225616000000 1"},
             Printed{"setnx_getset_epoch", "SETNX lock 1767225604 1; DEL lock 1",
                     "SETNX lock 1767225604 1"},
             Printed{"set_nx_del", "SET lock 1 NX EX 10 OK; DEL lock 1",
                     "SET lock 1 NX EX 10 OK; DEL lock 0"},
             Printed{"set_nx_lua", "SET lock t1 NX EX 10 OK; compare_and_delete(lock, t1) 1",
                     "SET lock t1 NX EX 10 OK; compare_and_delete(lock, t1) 0"},
             Printed{
                 "watchdog_unowned", "SET lock 1 NX EX 10 OK; EXPIRE lock 10 1; DEL lock 1",
                 "SET lock 1 NX EX 10 OK; EXPIRE lock 10 1; EXPIRE lock 10 1; EXPIRE lock 10 1; "
                 "EXPIRE lock 10 1; EXPIRE lock 10 1; EXPIRE lock 10 1; EXPIRE lock 10 1; "
                 "EXPIRE lock 10 1; DEL lock 1"},
             Printed{
                 "watchdog_owned", "SET lock t1 NX PX 30000 OK; compare_and_delete(lock, t1) 1",
                 "SET lock t1 NX PX 30000 OK; compare_and_expire(lock, t1, 30000) 1; "
                 "compare_and_expire(lock, t1, 30000) 1; compare_and_expire(lock, t1, 30000) 1; "
                 "compare_and_delete(lock, t1) 1"},
             Printed{"reentrant_watchdog",
                     "reentrant_lock(lock, 30000, t1) (nil); reentrant_unlock(lock, 30000, t1) 1",
                     "reentrant_lock(lock, 30000, t1) (nil); reentrant_renew(lock, 30000, t1) 1; "
                     "reentrant_renew(lock, 30000, t1) 1; reentrant_renew(lock, 30000, t1) 1; "
                     "reentrant_unlock(lock, 30000, t1) 1"},
             Printed{"fenced",
                     "acquire_and_count(lock, t1, 10000) 1; compare_and_delete(lock, t1) 1",
                     "acquire_and_count(lock, t1, 10000) 1; compare_and_delete(lock, t1) 0"},
         }) {
        for (const bool late : {false, true}) {
            const Duration job = late ? Duration(seconds(40)) : Duration(milliseconds(10));
            const History history = run(config(printed.algorithm, 1, job));
            EXPECT_EQ(commands(history, ClientId{0}), late ? printed.late : printed.in_time)
                << printed.algorithm;
        }
    }
}

/// A live campaign counts in milliseconds what its article counts in seconds.
TEST(ArticleTest, a_ttl_and_its_unit_are_written_together) {
    const Key key{"lock"};
    const auto words = [&](Duration ttl, Duration unit) {
        const Ttl its({.ttl = ttl, .clock_unit = unit});
        return to_string(Command::of("SET", key, "1", "NX", its)) + "; " +
               to_string(Command::of(its.expire(key)));
    };
    EXPECT_EQ(words(seconds(10), seconds(1)), "SET lock 1 NX EX 10; EXPIRE lock 10");
    EXPECT_EQ(words(milliseconds(500), milliseconds(1)), "SET lock 1 NX PX 500; PEXPIRE lock 500");
}

/// Two answers of 2 ms come before the job, and one after it.
TEST(ArticleTest, who_releases_at_its_deadline_is_too_late) {
    const auto sent = [](std::string_view name, Duration job) {
        return commands(run(config(name, 1, job)), ClientId{0});
    };
    const std::string epoch = "SETNX lock 1767225604 1";
    EXPECT_EQ(sent("setnx_getset_epoch", milliseconds(3993)), epoch + "; DEL lock 1");
    EXPECT_EQ(sent("setnx_getset_epoch", milliseconds(3994)), epoch);
    const std::string objects = "SETNX lock 1767225616000000 1";
    EXPECT_EQ(sent("setnx_getset_objects", milliseconds(15993)), objects + "; DEL lock 1");
    EXPECT_EQ(sent("setnx_getset_objects", milliseconds(15994)), objects);
}

/// Client 0 is inside for a second; what client 1 sends in its first try.
TEST(ArticleTest, who_is_refused_sends_what_is_printed) {
    const auto refused = [](std::string_view name) {
        History history = run(config(name, 2, seconds(1)));
        const auto over =
            std::find_if(history.events.begin(), history.events.end(), [](const Event& event) {
                return std::holds_alternative<event::Refused>(event.detail);
            });
        history.events.erase(over, history.events.end());
        return commands(history, ClientId{1});
    };
    EXPECT_EQ(refused("setnx_del"), "SETNX lock locking 0");
    EXPECT_EQ(refused("setnx_expire"), "SETNX lock 1 0");
    EXPECT_EQ(refused("setnx_timestamp_del"), "SETNX lock 1767225604 0; GET lock \"1767225604\"");
    EXPECT_EQ(refused("setnx_getset_objects"),
              "SETNX lock 1767225616000000 0; GET lock \"1767225616000000\"");
    EXPECT_EQ(refused("setnx_getset_epoch"), "SETNX lock 1767225604 0; GET lock \"1767225604\"");
    EXPECT_EQ(refused("set_nx_del"), "SET lock 1 NX EX 10 (nil)");
    EXPECT_EQ(refused("set_nx_lua"), "SET lock t1 NX EX 10 (nil)");
    EXPECT_EQ(refused("watchdog_unowned"), "SET lock 1 NX EX 10 (nil)");
    EXPECT_EQ(refused("watchdog_owned"), "SET lock t1 NX PX 30000 (nil)");
    EXPECT_EQ(refused("reentrant_watchdog"), "reentrant_lock(lock, 30000, t1) 30000");
}

/// Client 0 crashes inside; what client 1 sends in the try by which it takes the lock over.
TEST(ArticleTest, a_lock_whose_deadline_is_past_is_taken_over_as_printed) {
    const auto takeover = [](std::string_view name) {
        SimConfig setup = config(name, 2, milliseconds(10));
        setup.grants = 2;
        setup.plan = {{Hazard::crash, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
        const History history = run(setup);
        Instant refused{};
        for (const Event& event : history.events) {
            if (event.client != ClientId{1}) continue;
            if (std::holds_alternative<event::Refused>(event.detail)) refused = event.at;
            if (std::holds_alternative<event::Granted>(event.detail)) break;
        }
        return commands(history, ClientId{1}, refused);
    };
    EXPECT_EQ(takeover("setnx_timestamp_del"),
              "SETNX lock 1767225609 0; GET lock \"1767225604\"; DEL lock 1; "
              "SETNX lock 1767225609 1; DEL lock 1");
    EXPECT_EQ(takeover("setnx_getset_epoch"),
              "SETNX lock 1767225609 0; GET lock \"1767225604\"; "
              "GETSET lock 1767225609 \"1767225604\"; DEL lock 1");
    // The deadline is reckoned anew for the GETSET, two answers of 2 ms later.
    EXPECT_EQ(takeover("setnx_getset_objects"),
              "SETNX lock 1767225632016000 0; GET lock \"1767225616000000\"; "
              "GETSET lock 1767225632020000 \"1767225616000000\"; DEL lock 1");
}

/// Client 0 crashes inside; clients 1 and 2 find its deadline past at one instant.
TEST(ArticleTest, of_two_takeovers_at_once_the_second_is_refused) {
    const auto second_of = [](std::string_view name) {
        SimConfig setup = config(name, 3, milliseconds(10));
        setup.grants = 2;
        setup.plan = {{Hazard::crash, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
        const History history = run(setup);
        std::size_t grants = 0;
        Instant tried{};
        for (const Event& event : history.events) {
            grants += std::holds_alternative<event::Granted>(event.detail) ? 1 : 0;
            const auto* sent = std::get_if<event::Sent>(&event.detail);
            const bool second = sent != nullptr && event.client == ClientId{2};
            if (second && sent->command[0] == "GET") tried = event.at;
        }
        EXPECT_EQ(grants, 2U) << name;
        return commands(history, ClientId{2}, tried);
    };
    EXPECT_EQ(second_of("setnx_timestamp_del"),
              "GET lock \"1767225604\"; DEL lock 0; SETNX lock 1767225609 0");
    EXPECT_EQ(second_of("setnx_getset_epoch"),
              "GET lock \"1767225604\"; GETSET lock 1767225609 \"1767225609\"");
    EXPECT_EQ(second_of("setnx_getset_objects"),
              "GET lock \"1767225616000000\"; GETSET lock 1767225632020000 \"1767225632020000\"");
}

/// Takes the lock twice, and gives it back once, before its job begins.
class TwiceTaken final : public Lock {
public:
    explicit TwiceTaken(std::unique_ptr<Lock> lock) : lock_(std::move(lock)) {}
    Task<Acquired> try_acquire() override {
        static_cast<void>(co_await lock_->try_acquire());
        const Acquired again = co_await lock_->try_acquire();
        static_cast<void>(co_await lock_->release());
        co_return again;
    }
    Task<Release> release() override { return lock_->release(); }

private:
    std::unique_ptr<Lock> lock_;
};

TEST(ArticleTest, a_lock_that_is_held_once_more_is_kept_and_renewed) {
    Algorithm algorithm = *algorithm_named("reentrant_watchdog");
    algorithm.make = [](Client& client, const Key& key,
                        const LockOptions& options) -> std::unique_ptr<Lock> {
        return std::make_unique<TwiceTaken>(
            algorithm_named("reentrant_watchdog")->make(client, key, options));
    };
    SimConfig setup = config("reentrant_watchdog", 1, seconds(35));
    setup.algorithm = &algorithm;
    const std::string renewal = "; reentrant_renew(lock, 30000, t1) 1";
    EXPECT_EQ(commands(run(setup), ClientId{0}),
              "reentrant_lock(lock, 30000, t1) (nil); reentrant_lock(lock, 30000, t1) (nil); "
              "reentrant_unlock(lock, 30000, t1) 0" +
                  renewal + renewal + renewal + "; reentrant_unlock(lock, 30000, t1) 1");
}

/// A holder whose key is gone learns of it from its next renewal, and writes nothing.
TEST(ArticleTest, an_owned_watchdog_tells_its_holder_of_the_loss_and_an_unowned_does_not) {
    const auto told = [](std::string_view name) {
        SimConfig setup = config(name, 1, seconds(40));
        setup.plan = {{Hazard::evict, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
        bool lost = false;
        bool wrote = false;
        bool left = false;
        for (const Event& event : run(setup).events) {
            lost = lost || std::holds_alternative<event::Lost>(event.detail);
            wrote = wrote || std::holds_alternative<event::Wrote>(event.detail);
            left = left || std::holds_alternative<event::Leaving>(event.detail);
        }
        EXPECT_NE(lost, wrote) << name;
        EXPECT_NE(lost, left) << name << ": who lost the lock is outside already";
        return lost;
    };
    EXPECT_TRUE(told("watchdog_owned"));
    EXPECT_TRUE(told("reentrant_watchdog"));
    EXPECT_FALSE(told("watchdog_unowned"));
}

TEST(ArticleTest, an_owned_watchdog_whose_renewal_is_not_answered_sends_it_again) {
    for (const char* name : {"watchdog_owned", "reentrant_watchdog"}) {
        SimConfig setup = config(name, 1, seconds(40));
        setup.plan = {{Hazard::lose_request, {ClientId{0}, 1, Phase::background, 0}, Duration(0)}};
        std::size_t wrote = 0;
        for (const Event& event : run(setup).events) {
            EXPECT_FALSE(std::holds_alternative<event::Lost>(event.detail)) << name;
            wrote += std::holds_alternative<event::Wrote>(event.detail) ? 1 : 0;
        }
        EXPECT_EQ(wrote, 1U) << name;
    }
}

TEST(ArticleTest, an_unowned_watchdog_ends_at_its_first_error) {
    SimConfig setup = config("watchdog_unowned", 1, seconds(40));
    setup.plan = {{Hazard::lose_request, {ClientId{0}, 1, Phase::background, 0}, Duration(0)}};
    EXPECT_EQ(commands(run(setup), ClientId{0}), "SET lock 1 NX EX 10 OK; DEL lock 0");
}

TEST(ArticleTest, no_watchdog_outlives_its_release) {
    for (const char* name : {"watchdog_unowned", "watchdog_owned", "reentrant_watchdog"}) {
        SimConfig setup = config(name, 1, milliseconds(10));
        setup.grants = 2;
        setup.workload.think = setup.workload.away = {seconds(60), seconds(60)};
        bool released = false;
        for (const Event& event : run(setup).events) {
            if (std::holds_alternative<event::Granted>(event.detail)) released = false;
            if (std::holds_alternative<event::Released>(event.detail)) released = true;
            EXPECT_FALSE(released && event.phase == Phase::background) << name;
        }
    }
}

}  // namespace
}  // namespace locklab::article_test
