#include "harness/failover/failover_plan.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "harness/core/counted.h"
#include "harness/explore/in_threads.h"

namespace locklab {

namespace {

/// Deals the failovers of a plan to threads, and collects them.
class Measurement {
public:
    Measurement(const FailoverPlan& plan, FailoverFile& file, const Watcher& watcher,
                const std::function<void(const FailoverCount&)>& ended)
        : plan_(plan), file_(file), watcher_(watcher), ended_(ended) {
        for (const FailoverPlan::Part& part : plan.parts) {
            std::vector<bool> has(part.runs);
            std::vector<FailoverRun> kept = file.runs_of(part.cell, plan.shape, part.runs);
            for (const FailoverRun& run : kept) has[run.run] = true;
            for (std::uint64_t i = 0; i < part.runs; ++i) {
                if (!has[i]) asks_.push_back({runs_.size(), i});
            }
            runs_.push_back(std::move(kept));
        }
        all_ = asks_.size();
        end_cells();
    }

    void make(const FailoverMaker& maker) {
        try {
            while (const auto ask = next()) {
                const FailoverRun run = maker(plan_.parts[ask->part].cell, plan_.shape, ask->run);
                add(*ask, run);
            }
        } catch (...) {
            // The other threads are not to go on for nothing.
            const std::lock_guard guard(mutex_);
            failed_ = true;
            throw;
        }
    }
    std::vector<FailoverCount> take() { return std::move(counts_); }

private:
    struct Ask {
        std::size_t part;
        std::uint64_t run;
    };

    std::optional<Ask> next() {
        const std::lock_guard guard(mutex_);
        if (failed_ || watcher_.stopped() || asked_ == asks_.size()) return std::nullopt;
        return asks_[asked_++];
    }
    void add(const Ask& ask, const FailoverRun& run) {
        const std::lock_guard guard(mutex_);
        file_.add(run);
        runs_[ask.part].push_back(run);
        watcher_.show(counted(++made_, "failover") + " of " + std::to_string(all_));
        end_cells();
    }
    /// Cells end in order, since they begin in order; the last few of one beside the next.
    void end_cells() {
        while (counts_.size() < plan_.parts.size()) {
            const FailoverPlan::Part& part = plan_.parts[counts_.size()];
            const std::vector<FailoverRun>& runs = runs_[counts_.size()];
            if (runs.size() < part.runs) return;
            counts_.push_back(count_failovers(part.cell, plan_.shape, runs));
            ended_(counts_.back());
        }
    }

    const FailoverPlan& plan_;
    FailoverFile& file_;
    const Watcher& watcher_;
    const std::function<void(const FailoverCount&)>& ended_;
    std::vector<Ask> asks_;
    std::vector<std::vector<FailoverRun>> runs_;  ///< by part
    std::vector<FailoverCount> counts_;
    std::mutex mutex_;
    std::size_t asked_ = 0;
    std::uint64_t made_ = 0;
    std::uint64_t all_ = 0;
    bool failed_ = false;
};

}  // namespace

std::vector<FailoverRun> FailoverFile::runs_of(const FailoverCell& cell, const FailoverShape& shape,
                                               std::uint64_t runs) const {
    std::vector<FailoverRun> found;
    for (const FailoverRun& run : kept_.rows()) {
        const bool is_of_cell = run.cell == cell && run.shape == shape && run.run < runs;
        if (is_of_cell && run.why_nothing.empty()) found.push_back(run);
    }
    return found;
}

std::vector<FailoverCount> measure_failovers(const FailoverPlan& plan, FailoverFile& file,
                                             const Watcher& watcher,
                                             const std::function<void(const FailoverCount&)>& ended,
                                             const FailoverMaker& make) {
    Measurement measurement(plan, file, watcher, ended);
    in_threads(plan.at_once, [&](std::size_t) { measurement.make(make); });
    return measurement.take();
}

}  // namespace locklab
