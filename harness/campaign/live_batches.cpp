#include "harness/campaign/live_batches.h"

#include <algorithm>
#include <stdexcept>

#include "harness/campaign/swarm.h"
#include "harness/check/disturbance.h"
#include "harness/core/random_choices.h"
#include "harness/inclusion/schedule.h"
#include "harness/live/probe.h"
#include "harness/record/trace_json.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// Runs per batch that share the faults of their server.
constexpr std::size_t kSharedBatch = 48;
/// Runs per batch otherwise: they are kept, since judging them during the batch would take too
/// long.
constexpr std::size_t kBatch = 400;
/// Of the lanes of a campaign, those that have runs to begin: the others wait for their last.
constexpr std::size_t kLanesWithRuns = 4;
/// A process that was late by more than a TTL over this paused all of its clients.
constexpr int kTtlPerLag = 5;

LiveConfig live_config(const RunSpec& spec, std::uint64_t seed, std::uint64_t run) {
    LiveConfig config{spec, spec};
    config.seed = seed;
    config.run = run;
    RandomChoices choices(seed, run);
    config.plan = draw_plan(spec.budget, fault_scale(spec), choices);
    config.draw = draw_of(spec);
    return config;
}

void leave_out_shared(std::vector<PlannedFault>& plan) {
    std::erase_if(plan, [](const PlannedFault& f) { return kSharedHazards.contains(f.hazard); });
}

/// Every run of every cell; cells take turns, so that all are under way together.
std::vector<LiveBatches::Run> runs_of(const std::vector<LiveCell>& cells) {
    std::vector<LiveBatches::Run> runs;
    std::uint64_t most = 0;
    for (const LiveCell& cell : cells) most = std::max(most, cell.runs);
    for (std::uint64_t run = 0; run < most; ++run) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (run >= cells[i].first && run < cells[i].runs) runs.push_back({i, run, 0});
        }
    }
    return runs;
}

/// `scale`: its TTL.
std::optional<Disturbance> disturbance_in(Duration scale, const LiveResult& result) {
    using Kind = Disturbance::Kind;
    std::optional<Disturbance> found = disturbance_of(result.history);
    const bool broke = found && found->kind == Kind::unanswered && !result.disconnected.empty();
    if (broke) return Disturbance{Kind::disconnected, result.disconnected};
    const auto by_machine =
        disturbance_by_machine(result.worst_lag, result.clock_step, scale / kTtlPerLag);
    const bool clock_set = by_machine && by_machine->kind == Kind::clock;
    return clock_set || !found ? by_machine : found;
}

/// Whether the cause is the machine, not the server: then the run may succeed another time.
bool is_passing(const Disturbance& disturbance) {
    using Kind = Disturbance::Kind;
    switch (disturbance.kind) {
        case Kind::late:
        case Kind::clock:
        case Kind::unanswered: return true;
        case Kind::disconnected:
        case Kind::refused:
        case Kind::driver: break;
    }
    return false;
}

/// Why the servers cannot be used any more; empty if they can.
std::string trouble_with(const LiveServer& server) {
    try {
        for (const Endpoint& endpoint : server.endpoints()) probe(endpoint);
    } catch (const std::runtime_error& error) {
        std::string why = error.what();
        if (why.ends_with('.')) why.pop_back();
        return why;
    }
    return {};
}

/// False if the run leaves it open whether the server is gone, or refuses to serve.
bool was_served(const LiveBatches::Judged& judged) {
    if (judged.disturbance) return judged.disturbance->kind == Disturbance::Kind::late;
    return judged.lost.empty();
}

/// Per cell and verdict, keeps only the shortest history of a batch as a possible witness.
void keep_shortest(std::vector<LiveBatches::Judged>& runs) {
    std::map<std::pair<std::size_t, Verdict>, LiveBatches::Judged*> shortest;
    for (LiveBatches::Judged& each : runs) {
        if (!each.witness) continue;
        LiveBatches::Judged*& kept = shortest[{each.of.cell, each.report.judgement.verdict}];
        if (kept != nullptr && kept->report.events <= each.report.events) {
            each.witness.reset();
            continue;
        }
        if (kept != nullptr) kept->witness.reset();
        kept = &each;
    }
}

}  // namespace

LiveBatches::LiveBatches(std::vector<LiveCell>& cells, std::uint64_t seed)
    : cells_(cells), seed_(seed) {
    shares_ = std::any_of(cells.begin(), cells.end(), [](const LiveCell& cell) {
        return std::ranges::any_of(kHazards, [&](const HazardRow& row) {
            return kSharedHazards.contains(row.hazard) && cell.spec.budget[row.hazard] > 0;
        });
    });
    drawn_ = std::any_of(cells.begin(), cells.end(),
                         [](const LiveCell& cell) { return static_cast<bool>(cell.of_run); });
    std::vector<Run> runs = runs_of(cells);
    const std::size_t most = shares_ ? kSharedBatch : kBatch;
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].batch = i - i % most;
    divide(runs);
}

/// Runs of a swarm stay with those that share their draw.
void LiveBatches::divide(const std::vector<Run>& runs) {
    const std::size_t most = shares_ ? kSharedBatch : kBatch;
    const std::size_t first = batches_.size();
    for (const Run& run : runs) {
        const bool fits = batches_.size() > first && batches_.back().size() < most &&
                          (!drawn_ || batches_.back().front().batch == run.batch);
        if (!fits) batches_.emplace_back();
        batches_.back().push_back(run);
    }
}

std::size_t LiveBatches::runs() const {
    std::size_t all = 0;
    for (const Batch& batch : batches_) all += batch.size();
    return all;
}

LiveBatches::Result LiveBatches::run(std::size_t batch, LiveServer& server, RunsAtOnce& at_once,
                                     const std::function<void()>& on_run) const {
    for (const LiveCell& cell : cells_) server.start(cell.spec.topology, cell.spec.budget);
    const Batch& runs = batches_[batch];
    std::size_t first = 0;
    for (std::size_t before = 0; before < batch; ++before) first += batches_[before].size();
    // A fault that they share is to strike them all: no more than can be under way together.
    const std::size_t together =
        shares_ ? std::max<std::size_t>(1, at_once.limit() / kLanesWithRuns) : runs.size();
    Result result;
    for (std::size_t i = 0; i < runs.size(); i += together) {
        const auto part = std::span(runs).subspan(i, std::min(together, runs.size() - i));
        const bool served = run_part(part, first + i, server, at_once, on_run, result);
        if (!served && !result.interrupted) result.trouble = trouble_with(server);
        if (result.interrupted || !result.trouble.empty()) break;
    }
    keep_shortest(result.runs);
    return result;
}

bool LiveBatches::run_part(std::span<const Run> runs, std::size_t first, LiveServer& server,
                           RunsAtOnce& at_once, const std::function<void()>& on_run,
                           Result& result) const {
    RandomChoices draw(seed_, first);
    const std::size_t bringer =
        draw.pick(ChoiceKind::fault, static_cast<std::uint32_t>(runs.size()));
    std::vector<LiveConfig> configs;
    std::vector<RunSpec> specs;
    for (const Run& each : runs) {
        const LiveCell& cell = cells_[each.cell];
        specs.push_back(cell.of_run ? cell.of_run(each.run, each.batch) : cell.spec);
        configs.push_back(live_config(specs.back(), seed_, each.run));
        if (configs.size() - 1 != bringer) leave_out_shared(configs.back().plan);
    }
    std::vector<std::optional<LiveResult>> results(configs.size());
    const LiveLoop::Summary summary =
        server.loop().run(std::move(configs), at_once, [&](std::size_t index, LiveResult made) {
            results[index] = std::move(made);
            on_run();
        });
    result.interrupted = summary.interrupted;
    if (!summary.keys_left.empty()) result.keys_left = summary.keys_left;
    bool served = false;
    bool late = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) continue;
        result.runs.push_back(judged(runs[i], specs[i], std::move(*results[i])));
        const Judged& last = result.runs.back();
        served = served || was_served(last);
        late = late || (last.disturbance && is_passing(*last.disturbance));
    }
    if (late) at_once.was_late();
    return served;
}

LiveBatches::Judged LiveBatches::judged(const Run& of, const RunSpec& spec,
                                        LiveResult result) const {
    Judged judged{of, {}, {}, {}, {}, {}};
    const std::optional<Draw>& draw = result.history.draw;
    const Duration scale = draw ? draw->ttl : cells_[of.cell].spec.scale;
    judged.disturbance = disturbance_in(scale, result);
    if (judged.disturbance) return judged;
    if (result.server_lost) {
        judged.lost = "the server did not answer any more";
        return judged;
    }
    if (result.history.threw.empty()) {
        judged.inclusion = find_inclusion(result.history, spec, result.worst_lag);
        tell_effects(result.history);
    } else {
        // The model's schedule would end there, too.
        judged.inclusion.found = Inclusion::Found::undecided;
        judged.inclusion.why = "its lock ended it by an exception";
    }
    judged.report = report_run(result.history);
    judged.report.lag = result.worst_lag;
    const Verdict verdict = judged.report.judgement.verdict;
    if (verdict == Verdict::violated || verdict == Verdict::stuck) {
        judged.witness = std::move(result.history);
        judged.witness->given = to_json(GivenRun{spec, result.worst_lag});
    }
    return judged;
}

void LiveBatches::take(std::size_t batch, Result result) {
    cut_short_ = cut_short_ || result.interrupted || !result.trouble.empty();
    waiting_.emplace(batch, std::move(result));
    for (auto ready = waiting_.find(next_); ready != waiting_.end();
         ready = waiting_.find(++next_)) {
        for (Judged& each : ready->second.runs) count(std::move(each));
        const Result& counted = ready->second;
        if (counted.interrupted || !counted.trouble.empty()) {
            for (LiveCell& cell : cells_) cell.count.cut_short(counted.trouble);
        }
        waiting_.erase(ready);
    }
}

void LiveBatches::count(Judged&& judged) {
    LiveCell& cell = cells_[judged.of.cell];
    if (judged.disturbance) {
        if (!repeats_ && is_passing(*judged.disturbance)) {
            disturbed_.push_back({judged.of, *judged.disturbance});
        } else {
            cell.count.leave_out_disturbed(*judged.disturbance);
        }
        return;
    }
    if (!judged.lost.empty()) return cell.count.cut_short(judged.lost);
    cell.inclusion.add(judged.inclusion, judged.of.run);
    cell.count.add(judged.report);
    if (cell.count.witness() == judged.of.run) cell.witness = std::move(judged.witness);
}

void LiveBatches::repeat_disturbed() {
    std::vector<Run> again;
    for (const Disturbed& each : disturbed_) again.push_back(each.run);
    disturbed_.clear();
    repeats_ = true;
    divide(again);
}

void LiveBatches::leave_out_disturbed() {
    for (const Disturbed& each : disturbed_) {
        cells_[each.run.cell].count.leave_out_disturbed(each.by);
    }
    disturbed_.clear();
}

}  // namespace locklab
