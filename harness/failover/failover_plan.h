// The failovers of a measurement, several groups of servers at once. Each one is kept in a file as
// it ends, so that a stopped measurement goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/failover/failover_count.h"
#include "harness/record/kept_rows.h"

namespace locklab {

/// Finished failovers, one line of JSON each.
class FailoverFile {
public:
    /// See KeptRows.
    explicit FailoverFile(std::filesystem::path path) : kept_(std::move(path), "no failover") {}

    /// Those of this cell and shape that show something, with numbers below `runs`.
    std::vector<FailoverRun> runs_of(const FailoverCell& cell, const FailoverShape& shape,
                                     std::uint64_t runs) const;
    /// Throws FileError.
    void add(const FailoverRun& run) { kept_.add(run); }

private:
    KeptRows<FailoverRun> kept_;
};

struct FailoverPlan {
    struct Part {
        FailoverCell cell;
        std::uint64_t runs = 0;
    };
    std::vector<Part> parts;
    FailoverShape shape;
    std::uint32_t at_once = 4;
};

/// Makes one failover: run_failover(), or what stands for it in a test.
using FailoverMaker =
    std::function<FailoverRun(const FailoverCell&, const FailoverShape&, std::uint64_t run)>;

/// Makes the failovers that the file lacks, cell by cell. `ended` hears each cell as it ends. If
/// stopped, waits for those under way, and returns the finished cells. Throws what a maker or the
/// file throws.
std::vector<FailoverCount> measure_failovers(const FailoverPlan& plan, FailoverFile& file,
                                             const Watcher& watcher,
                                             const std::function<void(const FailoverCount&)>& ended,
                                             const FailoverMaker& make);

}  // namespace locklab
