// The table of libraries: what its file keeps, and what it says.

#include "harness/suite/library_table.h"

#include <gtest/gtest.h>

#include <fstream>

#include "algorithms/registry.h"
#include "harness/core/fault_text.h"
#include "harness/live/temp_folder.h"
#include "harness/record/json_line.h"
#include "tests/core/places.h"

namespace locklab::library_table_test {
namespace {

TableCell cell(const std::string& subject, const std::string& faults, Verdict verdict,
               std::uint64_t runs = 40) {
    TableCell cell;
    cell.subject = subject;
    cell.library = "A Lock";
    cell.version = "1.0";
    cell.world = "virtual";
    cell.faults = faults;
    cell.size = "seed 1, 40 plays";
    cell.verdict = verdict;
    cell.runs = runs;
    cell.goes_wrong_at_most = 0.0876;
    cell.replay = "locklab explore " + subject + " --faults " + faults;
    return cell;
}

TEST(LibraryTable, has_a_mark_for_each_verdict) {
    std::vector<TableCell> cells{
        cell("lib:a", "none", Verdict::holds),       cell("lib:a", "pause=1", Verdict::violated),
        cell("lib:a", "retry=1", Verdict::violated), cell("lib:b", "none", Verdict::not_seen, 3),
        cell("lib:b", "retry=1", Verdict::unknown),
    };
    cells[1].baseline = "Every lease breaks so.";
    cells[2].causes[Cause::late_reply] = 2;
    cells[4].why_unknown = "there was no grant";
    const std::string text = table_text(cells);
    EXPECT_NE(text.find("\nlib:a   .   x   X\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nlib:b   o   -   ?\n"), std::string::npos) << text;
    EXPECT_NE(text.find("retry=1: violated, after 40 plays; cause: late_reply 2\n"
                        "      locklab explore lib:a --faults retry=1\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("retry=1: not known: there was no grant\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("\n  pause=1: "), std::string::npos) << "it is no news: " << text;
    EXPECT_NE(text.find("in up to 8.76 % of runs"), std::string::npos) << text;
    const std::string page = table_markdown(cells);
    EXPECT_NE(page.find("| A Lock 1.0 (lib:a, virtual) | . | x | X |\n"), std::string::npos)
        << page;
    EXPECT_NE(table_text({}).find("no cell"), std::string::npos);
}

/// What breaks every lease is told once, and not of each library.
TEST(LibraryTable, says_once_why_every_lease_breaks) {
    std::vector<TableCell> cells{
        cell("lib:a", "pause=1", Verdict::violated), cell("lib:b", "pause=1", Verdict::violated),
        cell("lib:a", "retry=1", Verdict::holds), cell("lib:a", "evict=1", Verdict::violated)};
    cells[0].baseline = cells[1].baseline = "It cannot know.";
    cells[3].baseline = "It was forgotten.";
    const std::string text = table_text(cells);
    EXPECT_NE(text.find("\nx under pause=1: It cannot know.\nx under evict=1: It was forgotten.\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("cannot know"), text.rfind("cannot know")) << text;
}

/// Also of a library that holds: under a fault that not every lease breaks.
TEST(LibraryTable, says_what_was_found_beside_the_verdict) {
    std::vector<TableCell> cells{cell("lib:a", "retry=1", Verdict::holds),
                                 cell("lib:a", "pause=1", Verdict::violated)};
    cells[0].oracles = {{"late_grants", {2, 40, 40, 2, 7, std::nullopt}},
                        {"keys_left", {0, 9, 40, 0, {}, Verdict::holds}},
                        {"deaths", {1, 120, 40, 1, 3, Verdict::violated}}};
    cells[1].oracles = cells[0].oracles;
    cells[1].baseline = "It cannot know.";
    const std::string text = table_text(cells);
    const std::string found =
        "  retry=1: holds\n"
        "      granted after the validity had run out: 2 of 40 grants (no verdict: time was real)\n"
        "      a process ended by itself: 1 of 120 processes\n";
    EXPECT_NE(text.find(found), std::string::npos) << text;
    const std::string also =
        "  pause=1: violated\n"
        "      a process ended by itself: 1 of 120 processes\n";
    EXPECT_NE(text.find(also), std::string::npos) << "and no late grant: " << text;
    cells[0].hung = 3;
    cells[0].rules = "the rules do not allow 1 of 3 histories; the first, run 2: it is another";
    EXPECT_NE(table_text(cells).find("\n      the rules do not allow 1 of 3 histories"),
              std::string::npos);
    EXPECT_NE(
        table_text(cells).find("waited to the end for an answer that was lost: in 3 of 40 plays"),
        std::string::npos);
    TableCell read;
    read_row(to_json(cells[0]), read);
    EXPECT_EQ(to_json(read), to_json(cells[0]));
}

/// Of which message a fault strikes chance tries few.
TEST(LibraryTable, plays_with_one_choice_that_is_not_calm_are_made_where_a_message_is_struck) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    TableSize size;
    size.plays = 10;
    const auto size_of = [&](const char* faults, TableWorld world) {
        return table_cell({&subject, parse_faults(faults), world}, size).size;
    };
    EXPECT_EQ(size_of("retry=1", TableWorld::in_virtual_time),
              "seed 1, 10 plays, and 40 at most with one non-default choice");
    EXPECT_EQ(size_of("pause=1", TableWorld::in_virtual_time), "seed 1, 10 plays");
    EXPECT_EQ(size_of("retry=1", TableWorld::live), "seed 1, 40 runs");
}

/// Its watchdog does not renew any more where the first renewal is lost.
TEST(LibraryTable, a_cell_finds_what_one_message_of_many_breaks) {
    const Subject subject(*algorithm_named("watchdog_unowned"), built_program());
    TableSize size;
    size.plays = 3;
    Duration lag{0};
    const TableAsk ask{&subject, parse_faults("lose_request=1"), TableWorld::in_virtual_time};
    const TableCell cell = fill_cell(ask, size, Watcher(), 0, lag);
    EXPECT_EQ(cell.verdict, Verdict::violated) << cell.why_unknown;
    EXPECT_GT(cell.runs, size.plays) << "chance did not find it";
    EXPECT_NE(cell.replay.find(" --choices "), std::string::npos) << cell.replay;
}

TEST(LibraryTable, says_whether_a_lock_goes_on_while_one_of_its_servers_hangs) {
    std::vector<TableCell> cells{cell("lib:a", "freeze=1", Verdict::holds)};
    cells[0].hangs = Hangs{20, 18, std::chrono::milliseconds(700)};
    const std::string text = table_text(cells);
    EXPECT_NE(text.find("a server hung 20 times, and in 18 of them the lock was granted again"),
              std::string::npos)
        << text;
    TableCell again;
    read_row(to_json(cells[0]), again);
    ASSERT_TRUE(again.hangs);
    EXPECT_EQ(again.hangs->gone_on, 18U);
    EXPECT_EQ(again.hangs->longest_wait, std::chrono::milliseconds(700));
    read_row(to_json(cell("lib:a", "freeze=1", Verdict::holds)), again = {});
    EXPECT_FALSE(again.hangs);
}

TEST(LibraryTable, of_a_lock_that_takes_three_servers_has_them) {
    const Subject one(*algorithm_named("set_nx_lua"), built_program());
    const Subject three(*algorithm_named("redlock"), built_program());
    const FaultBudget hang = parse_faults("freeze=1");
    TableSize size;
    size.plays = 3;
    const auto size_of = [&](const Subject& subject, TableWorld world) {
        return table_cell({&subject, hang, world}, size).size;
    };
    EXPECT_EQ(size_of(one, TableWorld::live), "seed 1, 40 runs");
    EXPECT_EQ(size_of(three, TableWorld::live), "seed 1, 40 runs, masters:3");
    EXPECT_EQ(size_of(three, TableWorld::in_virtual_time), "seed 1, 3 plays, masters:3");
    Duration lag{0};
    const auto hangs_of = [&](const Subject& subject) {
        const TableAsk ask{&subject, hang, TableWorld::in_virtual_time};
        return fill_cell(ask, size, Watcher(), 0, lag).hangs;
    };
    EXPECT_FALSE(hangs_of(one)) << "that it waits for its only server is no news";
    ASSERT_TRUE(hangs_of(three));
}

TEST(LibraryTable, names_single_faults_before_pairs) {
    const std::vector<TableCell> cells{cell("lib:a", "delay_reply=1,retry=1", Verdict::holds),
                                       cell("lib:a", "retry=1", Verdict::holds)};
    const std::string text = table_text(cells);
    EXPECT_LT(text.find("1   retry=1\n"), text.find("2   delay_reply=1,retry=1\n")) << text;
}

TEST(LibraryTable, names_the_faults_that_were_made_in_another_world) {
    std::vector<TableCell> cells{cell("lib:a", "none", Verdict::holds),
                                 cell("lib:a", "failover=1", Verdict::violated)};
    EXPECT_NE(table_text(cells).find("\nlib:a: A Lock 1.0, virtual, "), std::string::npos);
    cells[1].world = "live";
    const std::string text = table_text(cells);
    EXPECT_NE(text.find("\nlib:a: A Lock 1.0, virtual, but live under failover=1, "),
              std::string::npos)
        << text;
}

TEST(LibraryTable, asks_live_what_virtual_time_cannot_make) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    TablePlan plan;
    plan.libraries = {{&subject, TableWorld::in_virtual_time}};
    const auto world_of = [&](Hazard hazard) -> std::optional<TableWorld> {
        FaultBudget faults;
        if (hazard != kNoFault) faults[hazard] = 1;
        for (const TableAsk& ask : first_asks(plan)) {
            if (ask.faults == faults) return ask.world;
        }
        return std::nullopt;
    };
    EXPECT_EQ(world_of(kNoFault), TableWorld::in_virtual_time);
    EXPECT_EQ(world_of(Hazard::pause), TableWorld::in_virtual_time);
    EXPECT_EQ(world_of(Hazard::failover), TableWorld::live);
    EXPECT_EQ(world_of(Hazard::stall), std::nullopt) << "neither can make it";
    plan.libraries[0].live_where_needed = false;
    EXPECT_EQ(world_of(Hazard::failover), std::nullopt);
    plan.size.options.topology = Topology{.masters = 3};
    plan.libraries[0].live_where_needed = true;
    EXPECT_EQ(world_of(Hazard::failover), std::nullopt) << "of three masters none takes over";
}

class TableFileTest : public testing::Test {
protected:
    const TempFolder folder_{"table-test"};
    const std::filesystem::path path_ = folder_.path() / "cells.jsonl";
};

TEST_F(TableFileTest, has_what_was_added_and_knows_what_is_another_cell) {
    const TableCell one = cell("lib:a", "none", Verdict::holds);
    TableFile(path_).add(one);
    const TableFile file(path_);
    ASSERT_NE(file.find(one), nullptr);
    EXPECT_EQ(to_json(*file.find(one)), to_json(one));
    for (std::string TableCell::*part :
         {&TableCell::subject, &TableCell::version, &TableCell::world, &TableCell::faults,
          &TableCell::size, &TableCell::made_by}) {
        TableCell other = one;
        other.*part += "2";
        EXPECT_EQ(file.find(other), nullptr);
    }
}

TEST_F(TableFileTest, leaves_out_a_last_line_that_was_cut_off_and_names_another) {
    TableFile(path_).add(cell("lib:a", "none", Verdict::holds));
    std::ofstream(path_, std::ios::app) << "{\"subject\":\"lib:b\"";
    EXPECT_EQ(TableFile(path_).cells().size(), 1U);
    std::ofstream(path_, std::ios::app) << "\n";
    try {
        const TableFile file(path_);
        ADD_FAILURE();
    } catch (const FormatError& error) {
        EXPECT_NE(std::string(error.what()).find("cells.jsonl:2: is no cell"), std::string::npos);
    }
}

}  // namespace
}  // namespace locklab::library_table_test
