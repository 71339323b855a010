#include "harness/suite/library_table.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "harness/core/fault_text.h"
#include "harness/live/processors.h"
#include "harness/live/runs_at_once.h"

namespace locklab {

namespace {

/// Live cells under way at once, each with a server and a team of drivers; a runtime may be large.
constexpr RunsAtOnce::Bounds kLiveCells{4, 8, 16};
/// Libraries whose cells are played at once, each on a processor of its own.
constexpr std::size_t kMostPlayLanes = 16;
/// Plays leave the processors to live cells, whose time is real.
constexpr int kNiceOfPlays = 10;

FaultBudget once(Hazard hazard) {
    FaultBudget faults;
    if (hazard != kNoFault) faults[hazard] = 1;
    return faults;
}

FaultBudget both(const FaultBudget& one, const FaultBudget& other) {
    FaultBudget faults = one;
    for (const HazardRow& row : kHazards) faults[row.hazard] += other[row.hazard];
    return faults;
}

bool can_have(const Subject& subject, TableWorld world, const FaultBudget& faults) {
    return std::ranges::all_of(kHazards, [&](const HazardRow& row) {
        return faults[row.hazard] == 0 || can_have(subject, world, row.hazard);
    });
}

/// Nothing: no world of the column can make these faults.
std::optional<TableWorld> world_for(const TablePlan::Column& column, const FaultBudget& faults) {
    // Having no fault is possible everywhere.
    if (faults == FaultBudget()) return column.world;
    if (can_have(*column.subject, column.world, faults)) return column.world;
    const bool live = column.world != TableWorld::live && column.live_where_needed &&
                      can_have(*column.subject, TableWorld::live, faults);
    return live ? std::optional(TableWorld::live) : std::nullopt;
}

/// A late reply shows with another fault what neither shows alone. So would a job that is longer
/// than the lease: but of a lock that renews any job may be so long (play_of, spec_for), and that a
/// long one loses a lock that does not renew is no news.
std::vector<FaultBudget> pairs_for(const TablePlan::Column& column) {
    std::vector<FaultBudget> pairs;
    for (const HazardRow& first : kHazards) {
        if (first.size != FaultSize::reply_delay) continue;
        for (const HazardRow& row : kHazards) {
            const FaultBudget pair = both(once(first.hazard), once(row.hazard));
            const bool again = row.hazard == first.hazard || row.hazard == kNoFault ||
                               std::ranges::find(pairs, pair) != pairs.end();
            if (!again && can_have(*column.subject, column.world, pair)) pairs.push_back(pair);
        }
    }
    return pairs;
}

/// Whether one fault of the pair breaks the library alone; then the pair shows nothing new.
bool is_broken_by_part(const FaultBudget& pair, const TablePlan::Column& column,
                       std::span<const TableCell> cells) {
    return std::ranges::any_of(cells, [&](const TableCell& cell) {
        if (cell.subject != column.subject->operand() || !is_broken(cell.verdict)) return false;
        return std::ranges::any_of(kHazards, [&](const HazardRow& row) {
            return pair[row.hazard] > 0 && cell.faults == to_string(once(row.hazard));
        });
    });
}

void add(const TablePlan& plan, const TablePlan::Column& column, const FaultBudget& faults,
         std::vector<TableAsk>& asks) {
    // A failover needs exactly one master.
    const auto& asked = plan.size.options.topology;
    if (faults.takes_over() && asked && asked->masters > 1) return;
    if (const auto world = world_for(column, faults)) {
        asks.push_back({column.subject, faults, *world});
    }
}

/// One library's cells are played one after the other: if it cannot even run without a fault, the
/// others need not be tried.
std::vector<std::vector<std::size_t>> by_subject(const std::vector<TableAsk>& asks,
                                                 const std::vector<std::size_t>& places) {
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t place : places) {
        const bool again =
            !groups.empty() && asks[groups.back().front()].subject == asks[place].subject;
        if (!again) groups.emplace_back();
        groups.back().push_back(place);
    }
    return groups;
}

class TableMaker {
public:
    TableMaker(const TablePlan& plan, TableFile& file, const Watcher& watcher)
        : plan_(plan), file_(file), watcher_(watcher) {}

    std::vector<TableCell> make() {
        run(first_asks(plan_));
        if (plan_.faults.empty() && !watcher_.stopped()) run(pairs());
        return std::move(done_);
    }

private:
    std::vector<TableAsk> pairs() const {
        std::vector<TableAsk> asks;
        for (const TablePlan::Column& column : plan_.libraries) {
            for (const FaultBudget& pair : pairs_for(column)) {
                if (!is_broken_by_part(pair, column, done_)) add(plan_, column, pair, asks);
            }
        }
        return asks;
    }
    /// Results in the order of `asks`, whichever ends first.
    void run(const std::vector<TableAsk>& asks) {
        std::vector<std::optional<TableCell>> cells(asks.size());
        std::vector<std::size_t> live;
        std::size_t to_do = 0;
        for (std::size_t i = 0; i < asks.size(); ++i) {
            const TableCell* known = file_.find(table_cell(asks[i], plan_.size));
            if (known != nullptr) cells[i] = *known;
            to_do += known == nullptr ? 1 : 0;
        }
        all_ += to_do;
        std::vector<std::size_t> played;
        for (std::size_t i = 0; i < asks.size(); ++i) {
            if (cells[i]) continue;
            (asks[i].world == TableWorld::live ? live : played).push_back(i);
        }
        run_side_by_side(asks, live, played, cells);
        for (std::optional<TableCell>& cell : cells) {
            if (cell) done_.push_back(std::move(*cell));
        }
    }

    void run_side_by_side(const std::vector<TableAsk>& asks, const std::vector<std::size_t>& live,
                          const std::vector<std::size_t>& played,
                          std::vector<std::optional<TableCell>>& cells) {
        RunsAtOnce at_once(kLiveCells);
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            while (!watcher_.stopped() && next < live.size()) {
                if (!at_once.begin()) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    continue;
                }
                const std::size_t mine = next++;
                if (mine < live.size()) fill(asks[live[mine]], cells[live[mine]], &at_once);
                at_once.ended();
            }
        };
        std::atomic<bool> failed{false};
        const auto of_subjects = by_subject(asks, played);
        std::atomic<std::size_t> next_play{0};
        const auto play = [&](std::uint32_t processor) {
            if (!live.empty()) give_way(kNiceOfPlays);
            while (!watcher_.stopped() && !failed) {
                const std::size_t mine = next_play++;
                if (mine >= of_subjects.size()) return;
                for (const std::size_t cell : of_subjects[mine]) {
                    if (watcher_.stopped() || failed) return;
                    fill(asks[cell], cells[cell], nullptr, processor);
                }
            }
        };
        const auto or_end = [&](const auto& what) {
            try {
                what();
            } catch (...) {
                keep_first_error(std::current_exception());
                failed = true;
                next = live.size();  // the other lanes begin nothing more
            }
        };
        std::vector<std::jthread> lanes;
        const std::size_t of_plays =
            std::min({processors().size(), kMostPlayLanes, of_subjects.size()});
        for (std::uint32_t i = 0; i < of_plays; ++i) {
            lanes.emplace_back([&, i] { or_end([&] { play(i); }); });
        }
        for (std::size_t i = 0; i < std::min(kLiveCells.most, live.size()); ++i) {
            lanes.emplace_back([&] { or_end(work); });
        }
        lanes.clear();
        if (error_) std::rethrow_exception(error_);
    }

    void keep_first_error(std::exception_ptr error) {
        const std::lock_guard guard(mutex_);
        if (!error_) error_ = std::move(error);
    }

    /// Fills a cell, and repeats it once if this machine was too late for the load. If a driver
    /// cannot even run without a fault, skips its other cells, each of which would take as long.
    void fill(const TableAsk& ask, std::optional<TableCell>& cell, RunsAtOnce* at_once,
              std::uint32_t processor = 0) {
        if (is_given_up(ask)) return;
        const std::string what = ask.subject->operand() + " under " + to_string(ask.faults);
        show(what);
        Watcher quiet;
        quiet.stop = watcher_.stop;
        for (int go = 0; go < 2; ++go) {
            Duration lag{0};
            TableCell filled = fill_cell(ask, plan_.size, quiet, processor, lag);
            if (watcher_.stopped()) return;
            const bool late =
                at_once != nullptr && lag > RunsAtOnce::most_lag(ask.subject->usual_ttl());
            if (late) at_once->was_late();
            cell = std::move(filled);
            if (!late || cell->verdict != Verdict::unknown) break;
        }
        const std::lock_guard guard(mutex_);
        file_.add(*cell);
        ++ended_;
        const bool got_nothing = cell->grants == 0 && cell->verdict == Verdict::unknown;
        if (got_nothing && ask.faults == FaultBudget()) given_up_.insert(ask.subject->operand());
    }

    bool is_given_up(const TableAsk& ask) {
        const std::lock_guard guard(mutex_);
        return given_up_.contains(ask.subject->operand());
    }

    void show(const std::string& what) {
        const std::lock_guard guard(mutex_);
        watcher_.show("cell " + std::to_string(ended_ + 1) + " of " + std::to_string(all_) + ": " +
                      what);
    }

    const TablePlan& plan_;
    TableFile& file_;
    const Watcher& watcher_;
    std::vector<TableCell> done_;
    std::mutex mutex_;
    std::set<std::string> given_up_;
    std::exception_ptr error_;
    std::size_t all_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace

const TableCell* TableFile::find(const TableCell& wanted) const {
    const auto same = [&](const TableCell& cell) {
        return cell.subject == wanted.subject && cell.version == wanted.version &&
               cell.world == wanted.world && cell.faults == wanted.faults &&
               cell.size == wanted.size && cell.made_by == wanted.made_by;
    };
    const auto last = std::find_if(cells().rbegin(), cells().rend(), same);
    return last == cells().rend() ? nullptr : &*last;
}

std::vector<TableAsk> first_asks(const TablePlan& plan) {
    std::vector<TableAsk> asks;
    for (const TablePlan::Column& column : plan.libraries) {
        std::vector<FaultBudget> sets = plan.faults;
        if (sets.empty()) {
            for (const HazardRow& row : kHazards) sets.push_back(once(row.hazard));
        }
        for (const FaultBudget& faults : sets) add(plan, column, faults, asks);
    }
    return asks;
}

std::vector<TableCell> make_table(const TablePlan& plan, TableFile& file, const Watcher& watcher) {
    return TableMaker(plan, file, watcher).make();
}

}  // namespace locklab
