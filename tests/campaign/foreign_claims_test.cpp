// Our own locks as driver processes behind the fault proxy: their verdicts are those of their
// rows, for every hazard that driver processes can have. For each there is a lock that it breaks
// and one that it does not; a hazard that never strikes is a failure, for it would be vacuous.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "algorithms/registry.h"
#include "harness/campaign/campaign_spec.h"
#include "harness/campaign/foreign_campaign.h"
#include "tests/core/places.h"

namespace locklab::foreign_claims_test {
namespace {

using enum Hazard;

constexpr Duration kTtl = std::chrono::milliseconds(250);
/// Runs of a cell: until what breaks is seen to break, and what holds has held so often. A machine
/// that is busy with something else disturbs many.
constexpr std::uint64_t kMostRuns = 40;
constexpr std::uint64_t kRunsThatHold = 3;

RunSpec spec_of(const Subject& subject, Hazard hazard) {
    CampaignOptions options;
    options.world = WorldKind::live;
    options.ttl = kTtl;
    options.grants_per_run = 12;
    options.job = DurationRange{kTtl / 100, kTtl * 2 / 5};
    const std::uint32_t strikes = hazard == crash ? 1 : strikes_messages(hazard) ? 4 : 2;
    if (hazard != contention) options.budget[hazard] = strikes;
    return spec_for(subject.row(), options);
}

/// The verdict as soon as it is known: what is to break is given more runs than what is to hold.
/// Unknown if it never was.
Verdict verdict_of(const char* lock, Hazard hazard, bool holds) {
    const Subject subject(*algorithm_named(lock), built_program());
    EXPECT_TRUE(is_made_in(FaultWorld::drivers, hazard));
    Team team(subject);
    ForeignCell cell(spec_of(subject, hazard), 1);
    for (std::uint64_t seed = 1; seed <= kMostRuns; ++seed) {
        run_foreign_campaign(cell, subject, seed, team, Watcher());
        const Tally& tally = cell.count.tally();
        const InclusionCount& included = cell.inclusion;
        EXPECT_EQ(included.refused, 0U) << to_text(included);
        const bool asks = subject.row().control == Control::none;
        EXPECT_EQ(included.accepted + included.undecided, asks ? tally.runs() : 0);
        const bool struck = !cell.count.never_struck();
        const bool broke = tally.violated_runs() + tally.stuck_runs() > 0;
        if (broke || (holds && struck && tally.runs() >= kRunsThatHold)) return tally.verdict();
    }
    const bool seen = !cell.count.never_struck() && cell.count.tally().runs() > kMostRuns / 2;
    return seen ? cell.count.verdict() : Verdict::unknown;
}

struct Cell {
    const char* lock;
    Hazard hazard;
};
std::ostream& operator<<(std::ostream& out, const Cell& cell) {
    return out << cell.lock << " under " << name_of(cell.hazard);
}

class ForeignClaims : public testing::TestWithParam<Cell> {};

TEST_P(ForeignClaims, a_row_says_what_its_driver_does) {
    const Cell& cell = GetParam();
    const Algorithm& row = *algorithm_named(cell.lock);
    const bool safe = row.safe_under.contains(cell.hazard);
    ASSERT_NE(safe, row.broken_by.contains(cell.hazard));
    const Verdict verdict = verdict_of(cell.lock, cell.hazard, safe);
    ASSERT_NE(verdict, Verdict::unknown) << "the machine was too slow, or nothing struck";
    EXPECT_EQ(is_clean(verdict), safe) << cell;
}

std::string name_of_cell(const testing::TestParamInfo<Cell>& info) {
    return std::string(info.param.lock) + "_under_" + std::string(name_of(info.param.hazard));
}

INSTANTIATE_TEST_SUITE_P(
    EachHazard, ForeignClaims,
    testing::Values(
        Cell{"no_lock", contention}, Cell{"perfect_lock", contention}, Cell{"set_nx_lua", slow_job},
        Cell{"watchdog_owned", slow_job}, Cell{"setnx_del", crash}, Cell{"set_nx_lua", crash},
        Cell{"set_nx_del", pause}, Cell{"perfect_lock", pause}, Cell{"setnx_del", lose_request},
        Cell{"set_nx_del", lose_request}, Cell{"setnx_del", lose_reply},
        Cell{"set_nx_lua", lose_reply}, Cell{"set_nx_del", delay_request},
        Cell{"set_nx_lua", delay_request}, Cell{"set_nx_del", delay_reply},
        Cell{"setnx_del", delay_reply}, Cell{"set_nx_del", retry}, Cell{"set_nx_lua", retry},
        Cell{"set_nx_lua", restart}, Cell{"perfect_lock", restart}, Cell{"set_nx_lua", evict},
        Cell{"setnx_del", evict}, Cell{"setnx_timestamp_del", clock_offset},
        Cell{"set_nx_lua", clock_offset}, Cell{"setnx_timestamp_del", clock_jump},
        Cell{"set_nx_lua", clock_jump}, Cell{"set_nx_lua", server_clock_jump},
        Cell{"setnx_del", server_clock_jump}, Cell{"fenced", crash}, Cell{"set_nx_lua", failover},
        Cell{"perfect_lock", failover}, Cell{"set_nx_lua", restart_snapshot},
        Cell{"perfect_lock", restart_snapshot}, Cell{"setnx_del", error_reply},
        Cell{"set_nx_lua", error_reply}, Cell{"setnx_del", reset}, Cell{"set_nx_lua", reset}),
    name_of_cell);

struct Reason {
    Cell cell;
    Cause cause;
};

class ForeignReasons : public testing::TestWithParam<Reason> {};

/// As in our own live world. What came to the servers is known, so that each overlap has its cause.
TEST_P(ForeignReasons, an_overlap_has_the_cause_that_its_commands_show) {
    const auto& [cell, cause] = GetParam();
    const Subject subject(*algorithm_named(cell.lock), built_program());
    Team team(subject);
    ForeignCell campaign(spec_of(subject, cell.hazard), 1);
    const CauseCounts& causes = campaign.count.tally().causes();
    for (std::uint64_t seed = 1; seed <= kMostRuns && causes[cause] == 0; ++seed) {
        run_foreign_campaign(campaign, subject, seed, team, Watcher());
    }
    EXPECT_GT(causes[cause], 0U);
    EXPECT_EQ(causes[Cause::unexplained], 0U);
    EXPECT_EQ(causes[Cause::no_key], 0U);
}

std::string name_of_reason(const testing::TestParamInfo<Reason>& info) {
    return name_of_cell({info.param.cell, info.index});
}

INSTANTIATE_TEST_SUITE_P(Each, ForeignReasons,
                         testing::Values(Reason{{"set_nx_del", retry}, Cause::foreign_delete},
                                         Reason{{"setnx_getset_epoch", pause},
                                                Cause::expired_while_held},
                                         Reason{{"set_nx_lua", delay_reply}, Cause::late_reply},
                                         Reason{{"set_nx_lua", server_clock_jump}, Cause::clock},
                                         Reason{{"fenced", pause}, Cause::expired_while_held},
                                         Reason{{"watchdog_owned", restart}, Cause::lost_data},
                                         Reason{{"set_nx_lua", failover}, Cause::failover}),
                         name_of_reason);

/// A few words of shell, which grant where these do, and answer so to a step. `more`: other cases.
Library odd(const std::string& step, const std::string& grants, const std::string& frees,
            const std::string& more = "") {
    Library library;
    library.name = library.library = "odd";
    library.version = "1";
    library.run = {
        "bash", "-c",
        "while read -r line; do id=${line#*:}; id=${id%%,*}; id=${id%\\}}\n"
        "more=; case $line in\n"
        "*hello*) more=',\"library\":\"x\",\"version\":\"1\",\"nodes\":\"one\",\"waits\":false,"
        "\"renews\":false,\"extends\":false,\"tells\":false,\"fences\":false';;\n"
        "*acquire*) " +
            grants +
            " && more=',\"granted\":true' || more=',\"granted\":false';;\n"
            "*release*) " +
            frees +
            "; more=',\"released\":true';;\n"
            "*step*) more=',\"ok\":" +
            step + "';;\n" + more +
            "esac; echo \"{\\\"id\\\":$id,\\\"called_us\\\":0,\\\"answered_us\\\":0$more}\"; done"};
    library.installed = "/";
    return library;
}

/// The verdict on drivers that grant always, or where the folder can be made.
std::string why_unknown(const std::string& step, std::uint32_t clients = 3,
                        const std::string& folder = "") {
    const std::string grants = folder.empty() ? "true" : "mkdir " + folder + " 2>/dev/null";
    const std::string frees = folder.empty() ? "true" : "rmdir " + folder;
    const Library library = odd(step, grants, frees);
    const Subject subject(library);
    Team team(subject);
    ForeignCell cell(spec_of(subject, contention), 1);
    cell.spec.clients = clients;
    for (std::uint64_t seed = 1; seed <= kMostRuns && cell.count.tally().runs() == 0; ++seed) {
        // A run that was disturbed leaves the folder of a driver that hangs.
        if (!folder.empty()) std::filesystem::remove(folder);
        cell.count = CampaignCount(cell.spec.budget, orphan_limit(cell.spec));
        run_foreign_campaign(cell, subject, seed, team, Watcher());
    }
    return std::string(name_of(cell.count.verdict())) + ": " + cell.count.why_unknown();
}

TEST(ForeignCampaign, where_nobody_was_proved_to_be_inside_nothing_is_shown) {
    EXPECT_EQ(why_unknown("false,\"lost\":false"),
              "unknown: no client was ever proved to be inside: no step of a job was answered ok");
    EXPECT_EQ(why_unknown("true,\"lost\":false"), "violated: ");
}

TEST(ForeignCampaign, where_one_client_alone_was_inside_nothing_is_shown) {
    EXPECT_EQ(why_unknown("true,\"lost\":false", 1),
              "unknown: only one client was ever proved to be inside: no other's step was answered "
              "ok");
}

/// Each of them hangs in its third step.
TEST(ForeignCampaign, where_drivers_hang_little_is_shown) {
    const std::string folder = testing::TempDir() + "hung_lock_" + std::to_string(getpid());
    const std::string said = why_unknown(
        "true,\"lost\":false'; n=$((n+1)); [ $n -gt 2 ] && sleep 1000; more=$more'", 3, folder);
    EXPECT_EQ(said.rfind("unknown: its runs got ", 0), 0U) << said;
    EXPECT_NE(said.find(" of 12 grants: client "), std::string::npos) << said;
    EXPECT_NE(said.find(" has not answered 'step' for "), std::string::npos) << said;
    std::filesystem::remove(folder);
}

/// One of them hangs in a step and frees the lock, so that the others get all the grants.
TEST(ForeignCampaign, where_one_driver_hangs_nothing_is_shown_though_the_others_go_on) {
    const std::string folder = testing::TempDir() + "freed_lock_" + std::to_string(getpid());
    const std::string once = folder + "_hangs";
    const std::string said =
        why_unknown("true,\"lost\":false'; mkdir " + once + " 2>/dev/null && rmdir " + folder +
                        " && sleep 1000; more=$more'",
                    3, folder);
    std::filesystem::remove(once);
    std::filesystem::remove(folder);
    EXPECT_EQ(said.rfind("unknown: in 1 of 1 run a driver hung: client ", 0), 0U) << said;
    EXPECT_NE(said.find(" has not answered 'step' for "), std::string::npos) << said;
}

/// Folders are a lock that excludes, and asks no server.
TEST(ForeignCampaign, where_a_server_is_never_asked_nothing_is_shown) {
    const std::string folder = testing::TempDir() + "odd_lock_" + std::to_string(getpid());
    EXPECT_EQ(why_unknown("true,\"lost\":false", 3, folder),
              "unknown: no command that names the lock's key came to redis 1 of 1");
}

/// Any key is evicted, as in the simulator: a counter that is forgotten gives tokens out again.
TEST(ForeignCampaign, an_eviction_takes_a_counter_as_well) {
    const Subject subject(*algorithm_named("fenced"), built_program());
    Team team(subject);
    ForeignCell cell(spec_of(subject, evict), 1);
    const Tally& tally = cell.count.tally();
    for (std::uint64_t seed = 1; seed <= kMostRuns && tally.fence_inversions() == 0; ++seed) {
        run_foreign_campaign(cell, subject, seed, team, Watcher());
    }
    EXPECT_GT(tally.fence_inversions(), 0U);
    EXPECT_GT(tally.causes()[Cause::lost_data], 0U);
    EXPECT_EQ(tally.causes()[Cause::unexplained], 0U);
    EXPECT_EQ(cell.inclusion.refused, 0U) << to_text(cell.inclusion);
}

/// What was evicted was no lock: its key was never there.
TEST(ForeignCampaign, an_eviction_of_nothing_shows_nothing) {
    Library library = odd("true,\"lost\":false", "true", "true");
    const Subject subject(library);
    Team team(subject);
    ForeignCell cell(spec_of(subject, evict), 1);
    for (std::uint64_t seed = 1; seed <= kMostRuns && cell.count.tally().runs() == 0; ++seed) {
        run_foreign_campaign(cell, subject, seed, team, Watcher());
    }
    EXPECT_EQ(cell.count.tally().runs(), 1U);
    EXPECT_EQ(cell.count.never_struck(), evict);
}

/// Its second client object takes no lock: no further run begins.
TEST(ForeignCampaign, what_was_counted_stays_counted_where_a_driver_fails_later) {
    const Library library = odd("true,\"lost\":false", "[ $opens -le 1 ]", "true",
                                "*'\"open\"'*) opens=$((opens+1));;\n");
    const Subject subject(library);
    Team team(subject);
    ForeignCell cell(spec_of(subject, contention), 3);
    for (std::uint64_t seed = 1; seed <= kMostRuns && cell.count.tally().runs() == 0; ++seed) {
        team.end();
        cell.count = CampaignCount(cell.spec.budget, orphan_limit(cell.spec));
        try {
            run_foreign_campaign(cell, subject, seed, team, Watcher());
        } catch (const DriverTrouble&) {
            // Its first run was disturbed, so nothing was counted.
        }
    }
    EXPECT_EQ(cell.count.tally().runs(), 1U);
    EXPECT_EQ(cell.count.verdict(), Verdict::violated);
    EXPECT_FALSE(cell.count.complete());
    team.end();
    EXPECT_THROW(
        {
            Library never = odd("true,\"lost\":false", "false", "true");
            const Subject other(never);
            Team others(other);
            ForeignCell none(spec_of(other, contention), 3);
            run_foreign_campaign(none, other, 1, others, Watcher());
        },
        DriverTrouble);
}

/// The first that works ends its process; then each does.
TEST(ForeignCampaign, a_process_that_ends_by_itself_is_a_finding_and_costs_no_more_than_its_run) {
    const std::string file = testing::TempDir() + "died_" + std::to_string(getpid());
    const auto library_that_dies = [&](const std::string& where) {
        return odd("true,\"lost\":false'; " + where + "exit 3; more=$more'", "true", "true");
    };
    const Library once = library_that_dies("mkdir " + file + " 2>/dev/null && ");
    const Subject subject(once);
    Team team(subject);
    ForeignCell cell(spec_of(subject, contention), 4);
    for (std::uint64_t seed = 1; seed <= kMostRuns && cell.count.tally().runs() == 0; ++seed) {
        run_foreign_campaign(cell, subject, seed, team, Watcher());
    }
    EXPECT_EQ(cell.count.oracles().of(Oracle::deaths).count.found, 1U);
    EXPECT_TRUE(cell.count.complete());
    const Library always = library_that_dies("");
    const Subject other(always);
    Team others(other);
    ForeignCell none(spec_of(other, contention), 4);
    run_foreign_campaign(none, other, 1, others, Watcher());
    EXPECT_GT(none.count.oracles().of(Oracle::deaths).count.found, 1U);
    EXPECT_EQ(none.count.verdict(), Verdict::unknown);
    std::filesystem::remove(file);
}

TEST(ForeignCampaign, a_fault_that_never_struck_shows_nothing) {
    const Subject subject(*algorithm_named("perfect_lock"), built_program());
    Team team(subject);
    ForeignCell cell(spec_of(subject, lose_reply), 1);
    run_foreign_campaign(cell, subject, 1, team, Watcher());
    EXPECT_EQ(cell.count.verdict(), Verdict::unknown);
}

}  // namespace
}  // namespace locklab::foreign_claims_test
