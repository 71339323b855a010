#include "harness/suite/cell_row.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/explore/sim_campaign.h"
#include "harness/record/json_line.h"
#include "tests/check/story.h"

namespace locklab::cell_row_test {
namespace {

History expired() {
    return Story()
        .wants(0)
        .wants(1)
        .sets(0, "a", 100)
        .granted(0, "a", 100)
        .at(101)
        .sets(1, "b", 100)
        .granted(1, "b", 100)
        .at(102)
        .wrote(1, 2, 0, 0, 1)
        .at(103)
        .wrote(0, 1, 0, 1, 2)
        .leaving(0)
        .end();
}

TEST(CellRow, a_campaign_row_has_the_keys_of_the_contract) {
    Tally tally;
    tally.add(judge(expired()));
    tally.add(judge(Story().wants(0).granted(0).leaving(0).end(97)));
    CellRow counted = counted_row(tally);
    counted.algorithm = "set_nx_lua";
    counted.hazards = {"pause"};
    counted.faults = "pause=1";
    counted.strikes = {{"pause", 7}};
    counted.replay = "locklab replay x";
    auto row = to_json(counted);
    for (const char* rate :
         {"overlaps_per_1000_grants", "erased_per_1000_writes", "violated_share"}) {
        std::string keys;
        for (const auto& item : row[rate].items()) keys += item.key() + " ";
        EXPECT_EQ(keys, "value low high ");
        row.erase(rate);
    }
    EXPECT_EQ(
        row.dump(),
        R"({"algorithm":"set_nx_lua","hazards":["pause"],"verdict":"violated","runs":2,)"
        R"("grants":3,"overlaps":1,"lost_updates":1,"fence_inversions":1,"stuck":0,)"
        R"("stuck_until_ttl":0,"longest_orphan_wait_us":0,"unknown_runs":0,)"
        R"("causes":{"expired_while_held":1,"late_reply":0,)"
        R"("foreign_delete":0,"foreign_renewal":0,"overwritten":0,"revived_key":0,)"
        R"("clock":0,"lost_data":0,"token_collision":0,"stale_write":0,"old_token":0,"no_key":0,)"
        R"("miscounted":0,"other_servers":0,"failover":0,"shared_object":0,)"
        R"("unexplained":0},"without_cause":0,"writes":2,)"
        R"("erased_writes":1,"denied":0,"violated_runs":1,)"
        R"("throughput_per_s":15.0,"wait_us":{"p50":0,"p99":101000,"p999":101000,"max":101000},)"
        R"("commands_per_grant":0.0,"jain":1.0,"unknown_answers":0,)"
        R"("notices":{"losses":1,"told":0,"never_told":1,"late":0,"false_alarms":0,)"
        R"("longest_us":3000},)"
        R"("refusals":{"refused":0,"falsely":0,"of_own":0,"of_nobodys":0},)"
        R"("error_answers":0,"failed_tries":0,"first_error":null,)"
        R"("replay":"locklab replay x","why_unknown":null,"faults":"pause=1",)"
        R"("false_refusal_run":null,"strikes":{"pause":7},"disturbed_runs":0,)"
        R"("disturbances":{"late":0,"unanswered":0,"disconnected":0,"refused":0,"clock":0,"words":null}})");
}

TEST(CellRow, an_interval_without_an_upper_end_has_null) {
    Tally tally;
    tally.add(judge(expired()));
    const auto rate = to_json(counted_row(tally))["overlaps_per_1000_grants"];
    EXPECT_EQ(rate["value"], 500.0);
    EXPECT_GT(rate["low"], 0.0) << "something was seen";
    EXPECT_TRUE(rate["high"].is_null());
}

/// A cell as a suite has it, of a lock that the hazard breaks.
SuiteCellRow broken_cell() {
    FaultBudget faults;
    faults[Hazard::pause] = 1;
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    RunSpec spec = make_run_spec(lock, lock.defaults, Duration::zero(), faults);
    spec.pauses = {std::chrono::seconds(100), std::chrono::seconds(1)};
    const StopFlag never{false};
    const CampaignCount count = run_sim_campaign(spec, {1, 10'000, 40}, never, {});
    SuiteCellRow row;
    row.world = WorldKind::sim;
    row.hazard = Hazard::pause;
    row.claim = "broken";
    row.as_claimed = true;
    row.cell = cell_row(spec, count, "replay");
    row.witness = "traces/x.json";
    row.command = "command";
    return row;
}

TEST(CellRow, what_is_read_is_what_was_written) {
    const SuiteCellRow cell = broken_cell();
    ASSERT_EQ(cell.cell.verdict, Verdict::violated);
    ASSERT_TRUE(cell.cell.pause_every);
    SuiteCellRow unbounded;
    unbounded.cell = counted_row(Tally());
    SuiteCellRow looked_at_again = cell;
    looked_at_again.like = LikeRuns{2500, 15, 1, "campaign"};
    SuiteCellRow slow = cell;
    slow.cell.disturbances.by_driver = 3;
    for (const SuiteCellRow& row : {cell, unbounded, looked_at_again, slow}) {
        const auto json = to_json(row);
        SuiteCellRow read;
        read_row(nlohmann::ordered_json::parse(json.dump()), read);
        EXPECT_EQ(to_json(read).dump(), json.dump());
    }
    SuiteCellRow read;
    read_row(to_json(cell), read);
    EXPECT_EQ(read.cell.waits.p99, cell.cell.waits.p99);
    EXPECT_EQ(read.cell.causes, cell.cell.causes);
    EXPECT_EQ(read.cell.strikes, cell.cell.strikes);
    EXPECT_EQ(read.cell.pause_length, cell.cell.pause_length);
}

TEST(CellRow, a_point_of_a_surface_keeps_what_it_shows) {
    SurfacePoint point{std::chrono::seconds(1), 5, std::chrono::seconds(2), {}, {}, {}};
    point.cell = broken_cell().cell;
    SurfacePoint read;
    read_row(to_json(point), read);
    EXPECT_EQ(to_json(read).dump(), to_json(point).dump());
    EXPECT_EQ(read.ttl, point.ttl);
    EXPECT_EQ(read.cell.overlaps, point.cell.overlaps);
}

TEST(CellRow, what_is_no_row_is_refused) {
    const auto row = to_json(broken_cell());
    SuiteCellRow read;
    for (const auto& [key, value] :
         {std::pair("verdict", "well"), {"world", "mars"}, {"hazard", "rain"}}) {
        auto wrong = row;
        wrong[key] = value;
        EXPECT_THROW(read_row(wrong, read), FormatError) << key;
    }
    for (const char* key : {"runs", "strikes", "wait_us", "command"}) {
        auto wrong = row;
        wrong.erase(key);
        EXPECT_THROW(read_row(wrong, read), nlohmann::json::exception) << key;
    }
}

TEST(CellRow, where_a_hazard_cannot_strike_there_is_no_verdict) {
    const auto json =
        not_applicable_json(WorldKind::live, *algorithm_named("no_lock"), Hazard::evict);
    EXPECT_TRUE(is_not_applicable(json));
    EXPECT_FALSE(is_not_applicable(to_json(broken_cell())));
}

}  // namespace
}  // namespace locklab::cell_row_test
