// What every simulated history must be like, whatever the lock and the faults: each command has
// one fate, each client one thread of life, and the bytes depend on nothing but the seed.

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/explore/sim_run.h"
#include "harness/record/history_json.h"

namespace locklab::sim_history_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRuns = 1;
#else
constexpr std::uint64_t kRuns = 6;
#endif

RunSpec spec_of(const Algorithm& algorithm, const FaultBudget& budget) {
    LockOptions options = with_ttl(algorithm.defaults, seconds(1));
    options.retry = milliseconds(10);
    return make_run_spec(algorithm, options, seconds(1), budget);
}

FaultBudget two_of(Hazard hazard) {
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 2;
    return budget;
}

FaultBudget one_of_each() {
    FaultBudget budget;
    for (const HazardRow& row : kSimulatedHazards) budget[row.hazard] = 1;
    budget[Hazard::contention] = 0;
    return budget;
}

/// Every algorithm under every hazard, and under all at once.
template <class Use>
void for_every_cell(Use use) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kSimulatedHazards) use(spec_of(algorithm, two_of(row.hazard)));
        use(spec_of(algorithm, one_of_each()));
    }
}

std::string bytes(const History& history) {
    std::ostringstream text;
    write_history(text, history);
    return text.str();
}

/// What became of one command.
struct Call {
    Event sent;
    std::vector<Reply> executed;
    std::vector<Event> replied;
    HazardSet struck;
};

struct Fates {
    std::map<std::uint64_t, Call> calls;
    std::map<std::uint32_t, bool> over;  ///< clients that finished or crashed
    bool silenced = false;
    bool held_up = false;

    explicit Fates(const History& history) {
        for (const Event& event : history.events) {
            if (std::get_if<event::Finished>(&event.detail)) over[event.client.value] = true;
            if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
                EXPECT_TRUE(calls.emplace(sent->call, Call{event, {}, {}, {}}).second);
            } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
                calls.at(ran->call).executed.push_back(ran->reply);
            } else if (std::get_if<event::Replied>(&event.detail)) {
                calls.at(std::get<event::Replied>(event.detail).call).replied.push_back(event);
            } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
                see(event.client, *fault);
            }
        }
    }

private:
    void see(ClientId client, const event::Fault& fault) {
        if (fault.call != 0) calls.at(fault.call).struck = {fault.hazard};
        if (fault.hazard == Hazard::crash) over[client.value] = true;
        silenced |= silences_server(fault.hazard);
        held_up |= fault.hazard == Hazard::pause || fault.hazard == Hazard::stall;
    }
};

void check_call(const Fates& fates, const Call& call, const History& history, Duration timeout) {
    const bool retried = call.struck.contains(Hazard::retry);
    const bool lost = call.struck.contains(Hazard::lose_request);
    EXPECT_LE(call.executed.size(), retried ? 2U : 1U);
    const bool refused = call.struck.contains(Hazard::error_reply);
    if (lost || refused) {
        EXPECT_TRUE(call.executed.empty());
    }
    EXPECT_LE(call.replied.size(), 1U);
    const Event& sent = call.sent;
    const bool still_in_time = history.end - sent.at <= timeout * 2;
    if (call.replied.empty()) {
        const bool nobody_waits = fates.over.count(sent.client.value) > 0 ||
                                  sent.phase == Phase::background || fates.held_up;
        EXPECT_TRUE(nobody_waits || still_in_time) << "a waiting client is never told";
        return;
    }
    const Event& told = call.replied[0];
    const Reply& reply = std::get<event::Replied>(told.detail).reply;
    if (!fates.held_up) {
        EXPECT_LE(told.at - sent.at, retried ? timeout * 2 : timeout);
    }
    if (reply.is_unknown()) {
        EXPECT_TRUE(!call.struck.empty() || fates.silenced) << "only a fault hides an answer";
        return;
    }
    EXPECT_EQ(reply.is_error(), refused);
    if (refused) return;
    ASSERT_FALSE(call.executed.empty());
    EXPECT_EQ(reply, call.executed.back());
}

TEST(SimHistoryTest, every_command_has_one_fate) {
    for_every_cell([](const RunSpec& spec) {
        SimRunner runner(spec);
        for (std::uint64_t run = 0; run < kRuns && !testing::Test::HasFailure(); ++run) {
            const History history = runner.run(11, run).history;
            SCOPED_TRACE(history.algorithm + " run " + std::to_string(run));
            const Fates fates(history);
            for (const auto& [number, call] : fates.calls) {
                SCOPED_TRACE("call " + std::to_string(number));
                check_call(fates, call, history, spec.command_timeout);
            }
        }
    });
}

/// The reader's rules: no grant to one who is inside, no life after a crash, time that goes on.
TEST(SimHistoryTest, every_history_can_be_read_back_to_the_same_bytes) {
    for (const Algorithm& algorithm : algorithms()) {
        const std::string text =
            bytes(SimRunner(spec_of(algorithm, one_of_each())).run(12, 0).history);
        std::istringstream file(text);
        EXPECT_EQ(bytes(read_history(file, algorithm.name)), text);
    }
}

TEST(SimHistoryTest, a_run_does_not_depend_on_those_before_it) {
    for (const Algorithm& algorithm : algorithms()) {
        const RunSpec spec = spec_of(algorithm, one_of_each());
        SimRunner used(spec);
        for (std::uint64_t run = 0; run < kRuns; ++run) (void)used.run(13, run);
        EXPECT_EQ(bytes(used.run(13, 7).history), bytes(SimRunner(spec).run(13, 7).history));
    }
}

/// A run ends because all have done what they had to, not because patience ran out on somebody
/// who was only held up.
TEST(SimHistoryTest, however_many_pauses_there_are_nobody_is_taken_for_stuck) {
    FaultBudget budget;
    budget[Hazard::pause] = 40;
    SimRunner runner(spec_of(*algorithm_named("perfect_lock"), budget));
    for (std::uint64_t run = 0; run < 40; ++run) {
        EXPECT_EQ(Fates(runner.run(14, run).history).over.size(), 3U) << run;
    }
}

/// FNV-1a of all bytes: the same under every compiler, library and build type. It changes with
/// what a run means (the workload, the order of picks, one of these locks); then write it anew.
TEST(SimHistoryTest, the_bytes_are_those_of_every_other_build) {
    std::uint64_t digest = 0xCBF29CE484222325U;
    const auto add = [&digest](Hazard hazard) {
        for (const char* name : {"setnx_del", "setnx_getset_objects", "watchdog_owned"}) {
            const RunSpec spec = spec_of(*algorithm_named(name), two_of(hazard));
            for (const char c : bytes(SimRunner(spec).run(15, 0).history)) {
                digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
            }
        }
    };
    const HazardSet later{Hazard::failover, Hazard::freeze,    Hazard::error_reply,
                          Hazard::reset,    Hazard::partition, Hazard::flush};
    for (const HazardRow& row : kSimulatedHazards) {
        if (!later.contains(row.hazard)) add(row.hazard);
    }
    EXPECT_EQ(digest, 5079934585604443192U);
    add(Hazard::failover);
    EXPECT_EQ(digest, 13783879833321793781U);
    add(Hazard::freeze);
    EXPECT_EQ(digest, 16827905693114468218U);
    add(Hazard::error_reply);
    EXPECT_EQ(digest, 18128775828894674041U);
    add(Hazard::reset);
    EXPECT_EQ(digest, 9869746494151423710U);
    add(Hazard::partition);
    EXPECT_EQ(digest, 10690293063742606100U);
    add(Hazard::flush);
    EXPECT_EQ(digest, 10493077770277610616U);
}

}  // namespace
}  // namespace locklab::sim_history_test
