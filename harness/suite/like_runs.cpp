#include "harness/suite/like_runs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

constexpr double kMissed = 0.001;
constexpr std::uint64_t kMostRuns = 1'500;

std::string command_of(const RunSpec& spec, std::uint64_t runs, std::uint64_t seed) {
    return typed_program() + " campaign " + std::string(spec.algorithm->name) + " --faults " +
           to_string(spec.budget) + " --ttl " + to_string(spec.scale) + " --unit " +
           to_string(spec.options.clock_unit) + " --timeout " + to_string(spec.command_timeout) +
           " --retry " + to_string(spec.options.retry) + " --grants-per-run " +
           std::to_string(spec.grants) + " --runs " + std::to_string(runs) + " --seed " +
           std::to_string(seed);
}

}  // namespace

LikeRuns like_runs_of(const RunSpec& live, std::uint64_t runs, std::uint64_t seed,
                      const StopFlag& stop) {
    const CampaignGoal goal{seed, ~std::uint64_t{0}, runs};
    const Tally tally = run_sim_campaign(live, goal, stop, {}).tally();
    return {tally.runs(), tally.violated_runs(), tally.stuck_runs(), command_of(live, runs, seed)};
}

std::uint64_t runs_to_see(const LikeRuns& like) {
    const std::uint64_t failed = like.violated + like.stuck;
    if (failed == 0) return 0;
    if (failed >= like.runs) return 1;
    const double share = static_cast<double>(failed) / static_cast<double>(like.runs);
    const double runs = std::ceil(std::log(kMissed) / std::log(1 - share));
    return static_cast<std::uint64_t>(std::min<double>(runs, kMostRuns));
}

double chance_of_none(std::uint64_t failed, std::uint64_t of, std::uint64_t none_of) {
    double chance = 1;
    for (std::uint64_t i = 0; i < failed; ++i) {
        chance *= static_cast<double>(of - i) / static_cast<double>(of + none_of - i);
    }
    return chance;
}

}  // namespace locklab
