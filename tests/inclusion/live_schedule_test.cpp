// What live clients make of their replies is a schedule of Cluster: of every lock, under every
// fault that live can make. Spoiled at one place, it is none, and the first event is named.

#include <gtest/gtest.h>

#include <functional>

#include "algorithms/registry.h"
#include "harness/campaign/live_campaign.h"
#include "harness/inclusion/schedule.h"
#include "harness/suite/suite.h"

namespace locklab::live_schedule_test {
namespace {

using Found = Inclusion::Found;

RunSpec spec_of(const Algorithm& lock, Hazard hazard) {
    return spec_for(lock, suite_options(WorldKind::live, hazard));
}

/// A short run of the lock under each fault that live can make, except old data: what a server had
/// a while ago is not followed, and all runs on that server would be left open.
void add_cells(const Algorithm& lock, std::uint32_t tasks, std::vector<LiveCell>& cells) {
    for (const HazardRow& row : kHazards) {
        if (!is_made_in(FaultWorld::live, row.hazard) || !applies(lock, row.hazard)) continue;
        if (row.size == FaultSize::age) continue;
        RunSpec spec = spec_of(lock, row.hazard);
        if (tasks > 1) spec.clients = 2;
        spec.tasks = tasks;
        spec.grants = 10;
        spec.patience = std::chrono::seconds(3);
        cells.emplace_back(std::move(spec), 1);
    }
}

TEST(LiveSchedule, accepts_every_lock_under_every_fault) {
    std::vector<LiveCell> cells;
    for (const Algorithm& lock : algorithms()) add_cells(lock, 1, cells);
    // A live run does not tell what a stopwatch showed.
    for (const Algorithm& lock : other_forms()) {
        const bool is_here = lock.server == ServerKind::redis;
        if (is_here && !lock.reads_monotonic_clock && !lock.renews) add_cells(lock, 1, cells);
    }
    LiveServer server("", Watcher());
    EXPECT_EQ(run_live_campaign(cells, 7, server, {}), "");
    std::uint64_t accepted = 0;
    for (const LiveCell& cell : cells) {
        const RunSpec& spec = cell.spec;
        EXPECT_EQ(cell.inclusion.refused, 0U)
            << spec.algorithm->name << ": " << cell.inclusion.first_why;
        const bool goes_by_what_is_not_told =
            spec.algorithm->reads_wall_clock || spec.algorithm->control == Control::never_wrong;
        // On a busy machine, so much can be under way that a search gives up: no fault of the run.
        const bool gave_up = cell.inclusion.first_undecided == kTooManyOrders ||
                             cell.inclusion.first_undecided.starts_with(kLaterThanNoticed);
        if (!goes_by_what_is_not_told && !gave_up) {
            EXPECT_EQ(cell.inclusion.undecided, 0U)
                << spec.algorithm->name << ": " << cell.inclusion.first_undecided;
        }
        accepted += cell.inclusion.accepted;
    }
    EXPECT_GT(accepted, cells.size() / 2);
}

TEST(LiveSchedule, accepts_tasks_that_share_a_lock_object) {
    std::vector<LiveCell> cells;
    for (const char* name : {"set_nx_lua", "watchdog_owned"}) {
        add_cells(*algorithm_named(name), 2, cells);
    }
    LiveServer server("", Watcher());
    EXPECT_EQ(run_live_campaign(cells, 7, server, {}), "");
    std::uint64_t accepted = 0;
    for (const LiveCell& cell : cells) {
        EXPECT_EQ(cell.inclusion.refused, 0U) << cell.inclusion.first_why;
        accepted += cell.inclusion.accepted;
    }
    EXPECT_GT(accepted, cells.size() / 2);
}

/// Those that are refused, and those that are not.
TEST(LiveSchedule, accepts_guarded_writes) {
    std::vector<LiveCell> cells;
    for (const char* name : {"set_nx_lua", "reentrant_watchdog"}) {
        for (const Hazard hazard : {Hazard::contention, Hazard::pause, Hazard::slow_job}) {
            RunSpec spec = spec_of(*algorithm_named(name), hazard);
            spec.grants = 10;
            spec.guards_writes = true;
            cells.emplace_back(std::move(spec), 3);
        }
    }
    LiveServer server("", Watcher());
    EXPECT_EQ(run_live_campaign(cells, 7, server, {}), "");
    std::uint64_t denied = 0;
    std::uint64_t accepted = 0;
    for (const LiveCell& cell : cells) {
        EXPECT_EQ(cell.inclusion.refused, 0U) << cell.inclusion.first_why;
        EXPECT_EQ(cell.count.tally().lost_updates(), 0U) << cell.spec.algorithm->name;
        accepted += cell.inclusion.accepted;
        denied += cell.count.tally().denied();
    }
    EXPECT_GT(denied, 0U);
    EXPECT_GT(accepted, cells.size());
}

/// Two clients and a lock whose holder deletes it, by hand: A is granted, B is refused.
class ByHand : public testing::Test {
protected:
    static constexpr auto kMs = std::chrono::milliseconds(1);

    ByHand() {
        spec_ = spec_of(*algorithm_named("set_nx_del"), Hazard::contention);
        spec_.clients = 2;
        spec_.grants = 1;
        spec_.options.ttl = std::chrono::seconds(1);
        spec_.options.retry = 20 * kMs;
        spec_.workload.wait.delay = 20 * kMs;
        spec_.workload.job = {50 * kMs, 60 * kMs};
        history_.world = "live";
        history_.clients = 2;
        history_.key = "lock";
        const Command set = Command::of("SET", history_.key, "1", "NX", "PX", 1000);
        const Command del = Command::of("DEL", history_.key);
        add(0, 0, Phase::acquire, event::Wants{});
        add(0, 0, Phase::acquire, event::Sent{1, {}, set});
        add(0, 1, Phase::acquire, event::Wants{});
        add(0, 1, Phase::acquire, event::Sent{2, {}, set});
        answer(1, 0, Phase::acquire, 1, set, Reply::ok());
        add(1, 0, Phase::inside, event::Granted{1, Token{"1"}, spec_.options.ttl});
        add(1, 0, Phase::inside, event::Read{0});
        answer(2, 1, Phase::acquire, 2, set, Reply::nil());
        add(2, 1, Phase::acquire, event::Refused{});
        add(20, 1, Phase::acquire, event::Finished{});
        add(55, 0, Phase::inside, event::Wrote{0, 0, 1, 1});
        add(55, 0, Phase::inside, event::Leaving{});
        add(55, 0, Phase::release, event::Sent{3, {}, del});
        answer(56, 0, Phase::release, 3, del, Reply::integer(1));
        add(56, 0, Phase::release, event::Released{Release::yes});
        add(70, 0, Phase::idle, event::Finished{});
        history_.end = Instant(70 * kMs);
    }

    void add(int ms, std::uint32_t client, Phase phase, EventDetail detail) {
        history_.events.push_back({Instant(ms * kMs), ClientId{client}, phase, std::move(detail)});
    }
    void answer(int ms, std::uint32_t client, Phase phase, std::uint64_t call,
                const Command& command, const Reply& reply) {
        add(ms, client, phase, event::Executed{call, {}, Instant(), command, reply});
        add(ms, client, phase, event::Replied{call, reply});
    }
    Inclusion found() const { return find_schedule(history_, spec_, Duration::zero()); }
    /// The place of the nth event of a kind.
    template <class Kind>
    std::size_t nth(std::size_t n) const {
        for (std::size_t i = 0; i < history_.events.size(); ++i) {
            if (std::holds_alternative<Kind>(history_.events[i].detail) && n-- == 0) return i;
        }
        ADD_FAILURE() << "there are not so many";
        return 0;
    }
    template <class Kind>
    Kind& detail(std::size_t place) {
        return std::get<Kind>(history_.events[place].detail);
    }
    void expect_refused_at(std::size_t place) const {
        const Inclusion inclusion = found();
        ASSERT_EQ(inclusion.found, Found::refused);
        EXPECT_EQ(*inclusion.event, place) << inclusion.why;
    }

    RunSpec spec_;
    History history_;
};

TEST_F(ByHand, accepts_what_is_one) {
    const Inclusion inclusion = found();
    EXPECT_EQ(inclusion.found, Found::accepted) << to_text(inclusion);
}

/// A server's clock jumps for all runs that are on it, and stays so for those that come after.
TEST_F(ByHand, accepts_what_a_server_still_has_of_an_earlier_run) {
    const event::Fault jump{.hazard = Hazard::server_clock_jump, .amount = std::chrono::minutes(1)};
    history_.events.insert(history_.events.begin(), {Instant(), ClientId{0}, Phase::idle, jump});
    const Inclusion inclusion = found();
    EXPECT_EQ(inclusion.found, Found::accepted) << to_text(inclusion);
}

TEST_F(ByHand, rejects_a_client_that_is_paused_before_it_begins) {
    const event::Fault pause{.hazard = Hazard::pause, .amount = std::chrono::seconds(1)};
    history_.events.insert(history_.events.begin(), {Instant(), ClientId{0}, Phase::idle, pause});
    expect_refused_at(0);
}

TEST_F(ByHand, rejects_a_grant_after_a_refusal) {
    const std::size_t refused = nth<event::Refused>(0);
    history_.events[refused].detail = event::Granted{2, Token{"1"}, spec_.options.ttl};
    expect_refused_at(refused);
}

TEST_F(ByHand, rejects_a_command_of_a_client_that_was_not_granted) {
    const std::size_t refused = nth<event::Refused>(0);
    history_.events[refused].detail = event::Sent{3, {}, Command::of("DEL", Key{history_.key})};
    expect_refused_at(refused);
}

TEST_F(ByHand, rejects_a_wait_that_ends_before_its_time) {
    const std::size_t over = nth<event::Finished>(0);
    history_.events[over].at = Instant(11 * kMs);
    expect_refused_at(over);
}

TEST_F(ByHand, rejects_a_job_that_never_ends) {
    const std::size_t wrote = nth<event::Wrote>(0);
    history_.events.resize(wrote);
    history_.end = Instant(std::chrono::minutes(1));
    expect_refused_at(wrote - 1);
}

TEST_F(ByHand, rejects_a_release_that_is_told_otherwise) {
    const std::size_t released = nth<event::Released>(0);
    detail<event::Released>(released).outcome = Release::not_ours;
    expect_refused_at(released);
}

TEST_F(ByHand, rejects_a_reply_to_another_command) {
    const std::size_t replied = nth<event::Replied>(0);
    detail<event::Replied>(replied).call = 2;
    expect_refused_at(replied);
}

TEST_F(ByHand, rejects_a_reply_that_nobody_gave) {
    const std::size_t replied = nth<event::Replied>(1);
    detail<event::Replied>(replied).reply = Reply::ok();
    expect_refused_at(replied);
}

TEST_F(ByHand, rejects_giving_up_before_the_time_out) {
    const std::size_t ran = nth<event::Executed>(1);
    history_.events.erase(history_.events.begin() + static_cast<std::ptrdiff_t>(ran));
    detail<event::Replied>(ran).reply = Reply::unknown();
    expect_refused_at(ran);
}

TEST_F(ByHand, rejects_what_a_crashed_or_paused_client_does) {
    const std::size_t wrote = nth<event::Wrote>(0);
    for (const Hazard hazard : {Hazard::crash, Hazard::pause}) {
        History whole = history_;
        history_.events.insert(history_.events.begin() + static_cast<std::ptrdiff_t>(wrote),
                               {Instant(54 * kMs), ClientId{0}, Phase::inside,
                                event::Fault{hazard, std::chrono::seconds(1)}});
        expect_refused_at(wrote + 1);
        history_ = std::move(whole);
    }
}

TEST_F(ByHand, rejects_a_job_that_was_slow_by_no_fault) {
    const std::size_t wrote = nth<event::Wrote>(0);
    for (std::size_t i = wrote; i < history_.events.size(); ++i) {
        history_.events[i].at += std::chrono::seconds(30);
    }
    expect_refused_at(wrote);
}

/// Within the longest job and a little more, it is the machine's doing, whatever was measured.
TEST_F(ByHand, leaves_open_a_job_that_was_a_little_slow) {
    for (std::size_t i = nth<event::Wrote>(0); i < history_.events.size(); ++i) {
        history_.events[i].at += 1310 * kMs;
    }
    history_.end += 1310 * kMs;
    EXPECT_EQ(found().found, Found::undecided);
    EXPECT_EQ(found().why,
              "the machine was later than was noticed: client A does nothing though "
              "its sleep is over");
}

}  // namespace
}  // namespace locklab::live_schedule_test
