// One cell of the table of libraries: the result of one library under one set of faults.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/campaign_spec.h"
#include "harness/check/judge.h"
#include "harness/core/watcher.h"
#include "harness/foreign/hangs.h"
#include "harness/foreign/subject.h"
#include "harness/record/oracle_fields.h"

namespace locklab {

/// The world of a cell's runs: a real server in virtual time, or in real time.
enum class TableWorld : std::uint8_t { in_virtual_time, live };
constexpr std::string_view name_of(TableWorld world) {
    return world == TableWorld::live ? "live" : "virtual";
}

/// The question of a cell.
struct TableAsk {
    const Subject* subject = nullptr;
    FaultBudget faults;  ///< each kind once, however often the world makes it
    TableWorld world = TableWorld::live;
};

/// The amount of work for a cell.
struct TableSize {
    std::uint64_t seed = 1;
    std::uint64_t plays = 100;  ///< at most, in virtual time: the first counterexample ends them
    std::uint64_t runs = 40;    ///< live
    CampaignOptions options{};  ///< of live runs; its runs and faults are ignored
};

struct TableCell {
    std::string subject;  ///< "lib:redis-py:asyncio"
    std::string library;  ///< as its authors write it
    std::string version;  ///< empty: it is a lock of ours
    std::string world;
    std::string faults;  ///< "none", "pause=1"
    std::string size;    ///< seed and numbers of runs: the same command would repeat these
    /// Digests of locklab, and of the library as installed. With another locklab, or a changed
    /// driver, the cell is made again.
    std::string made_by;
    std::string date;  ///< of the run, as year-month-day, UTC
    /// Why every lease breaks in this case, as a sentence; empty: the result tells this library
    /// from others.
    std::string baseline;
    Verdict verdict = Verdict::unknown;
    std::string why_unknown;
    std::uint64_t runs = 0;         ///< plays or runs that show something
    std::uint64_t broken_runs = 0;  ///< violated or stuck
    std::uint64_t left_out = 0;     ///< disturbed by the machine, or cut short
    std::uint64_t hung = 0;  ///< plays, at whose end a client waits for an answer that was lost
    double goes_wrong_at_most = 1;  ///< share of runs, 95 %; where nothing went wrong
    std::uint64_t grants = 0;
    CauseCounts causes;
    /// Beside the verdict (check/oracle.h): of all live runs, or of the plays up to the find.
    std::optional<OracleResults> oracles;
    /// Of several servers, one hung: what came of it. Nothing: none did.
    std::optional<Hangs> hangs;
    /// Of live runs, where the rules of Redis do not allow some of their histories, or it is not
    /// known: causes and columns are of the others. Empty: they allow all.
    std::string rules;
    std::string library_error;  ///< the first that it gave
    std::string replay;         ///< the command that shows it again
    double seconds = 0;

    /// Whether it broke, and not as every lease does.
    bool is_news() const { return is_broken(verdict) && baseline.empty(); }
};

nlohmann::ordered_json to_json(const TableCell& cell);
/// Throws FormatError, or what nlohmann::json throws.
void read_row(const nlohmann::ordered_json& json, TableCell& cell);

/// Whether the fault can be made for the subject in that world.
bool can_have(const Subject& subject, TableWorld world, Hazard hazard);

/// The fields that are known before any run.
TableCell table_cell(const TableAsk& ask, const TableSize& size);

/// Digests of locklab, and of a library as it is installed.
std::string maker_of(const Subject& subject);

/// Plays it in virtual time, or runs it live. If a driver breaks the protocol, that is the cell's
/// `why_unknown`. Throws std::runtime_error if there is no redis-server. `processor`: where plays
/// are made, of those that this process may use. `worst_lag`: how late this machine was, for live
/// runs.
TableCell fill_cell(const TableAsk& ask, const TableSize& size, const Watcher& watcher,
                    std::uint32_t processor, Duration& worst_lag);

}  // namespace locklab
