// The runs of a live campaign, in batches: each is run on one server by the next lane that is free,
// and they are counted in their order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
        std::uint64_t batch = 0;  ///< of a swarm: the batch whose runs have their draw in common
    };
    using Batch = std::vector<Run>;

    /// A run, judged.
    struct Judged {
        Run of;
        std::optional<Disturbance> disturbance;
        std::string lost;  ///< why nothing follows from it; empty: something does
        RunReport report;
        Inclusion inclusion;
        std::optional<History> witness;  ///< where it may be one
    };
    /// What came of a batch.
    struct Result {
        std::vector<Judged> runs;  ///< in their order; those that were interrupted are not among
                                   ///< them
        bool interrupted = false;
        std::string trouble;    ///< why the servers cannot be gone on with; empty if they can
        std::string keys_left;  ///< see LiveLoop::Summary
    };

    /// `cells` outlive this.
    LiveBatches(std::vector<LiveCell>& cells, std::uint64_t seed);

    std::size_t runs() const;
    std::size_t batches() const { return batches_.size(); }
    const Batch& batch(std::size_t number) const { return batches_[number]; }
    /// Runs a batch. From any thread, each on a server of its own; changes nothing here.
    Result run(std::size_t batch, LiveServer& server, RunsAtOnce& at_once,
               const std::function<void()>& on_run) const;

    /// Takes what came of a batch, and counts what follows what was counted. One thread at a time.
    void take(std::size_t batch, Result result);
    /// Whether it was interrupted, or its servers were in trouble.
    bool is_cut_short() const { return cut_short_; }
    /// Whether the results of all batches were taken, and none was cut short.
    bool is_whole() const { return next_ == batches_.size() && !cut_short_; }

    /// Batches of the runs that this machine disturbed, in their order. They count from now on as
    /// further batches, and what is disturbed in them is left out.
    void repeat_disturbed();
    /// Nothing is repeated any more: what was disturbed is left out.
    void leave_out_disturbed();
    bool has_disturbed() const { return !disturbed_.empty(); }

private:
    struct Disturbed {
        Run run;
        Disturbance by;
    };

    Judged judged(const Run& of, const RunSpec& spec, LiveResult result) const;
    void count(Judged&& judged);
    void divide(const std::vector<Run>& runs);

    std::vector<LiveCell>& cells_;
    const std::uint64_t seed_;
    bool shares_ = false;  ///< some fault strikes all runs that are under way on a server
    bool drawn_ = false;   ///< a swarm is among the cells
    std::vector<Batch> batches_;
    std::map<std::size_t, Result> waiting_;
    std::size_t next_ = 0;  ///< the batch that is counted next
    bool cut_short_ = false;
    bool repeats_ = false;
    std::vector<Disturbed> disturbed_;
};

}  // namespace locklab
