// The runs of a live campaign, in batches: each runs on one server in the next free lane, and
// results are counted in order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/campaign/live_campaign.h"
#include "harness/live/runs_at_once.h"

namespace locklab {

class LiveBatches {
public:
    struct Run {
        std::size_t cell = 0;
        std::uint64_t run = 0;
        std::uint64_t batch = 0;  ///< of a swarm: the batch whose runs share a draw
    };
    using Batch = std::vector<Run>;

    /// A run, judged.
    struct Judged {
        Run of;
        std::optional<Disturbance> disturbance;
        std::string lost;  ///< why it shows nothing; empty: it shows something
        RunReport report;
        Inclusion inclusion;
        std::optional<History> witness;  ///< if it may be one
    };
    /// Result of a batch.
    struct Result {
        std::vector<Judged> runs;  ///< in order, without those that were interrupted
        bool interrupted = false;
        std::string trouble;    ///< why the servers cannot be used any more; empty if they can
        std::string keys_left;  ///< see LiveLoop::Summary
    };

    /// `cells` must outlive this.
    LiveBatches(std::vector<LiveCell>& cells, std::uint64_t seed);

    std::size_t runs() const;
    std::size_t batches() const { return batches_.size(); }
    const Batch& batch(std::size_t number) const { return batches_[number]; }
    /// Runs a batch. Can be called from any thread, each with a server of its own; changes nothing
    /// here.
    Result run(std::size_t batch, LiveServer& server, RunsAtOnce& at_once,
               const std::function<void()>& on_run) const;

    /// Takes the result of a batch, and counts all results whose turn has come. One thread at a
    /// time.
    void take(std::size_t batch, Result result);
    /// Whether it was interrupted, or its servers were in trouble.
    bool is_cut_short() const { return cut_short_; }
    /// Whether the results of all batches were taken, and none was cut short.
    bool is_whole() const { return next_ == batches_.size() && !cut_short_; }

    /// Adds batches with the runs that this machine disturbed, in order. Runs that are disturbed
    /// again are left out.
    void repeat_disturbed();
    /// Stops repeating: disturbed runs are left out.
    void leave_out_disturbed();
    bool has_disturbed() const { return !disturbed_.empty(); }

private:
    /// Runs of a batch that share the faults of their server, which one of them brings. Adds to the
    /// result. False: it is open whether the server is gone.
    bool run_part(std::span<const Run> runs, std::size_t first, LiveServer& server,
                  RunsAtOnce& at_once, const std::function<void()>& on_run, Result& result) const;
    struct Disturbed {
        Run run;
        Disturbance by;
    };

    Judged judged(const Run& of, const RunSpec& spec, LiveResult result) const;
    void count(Judged&& judged);
    void divide(const std::vector<Run>& runs);

    std::vector<LiveCell>& cells_;
    const std::uint64_t seed_;
    bool shares_ = false;  ///< some fault strikes all runs under way on a server
    bool drawn_ = false;   ///< a swarm is among the cells
    std::vector<Batch> batches_;
    std::map<std::size_t, Result> waiting_;
    std::size_t next_ = 0;  ///< the next batch to count
    bool cut_short_ = false;
    bool repeats_ = false;
    std::vector<Disturbed> disturbed_;
};

}  // namespace locklab
