// The suite's surface: how often each lock is violated as its TTL and the length of pauses vary.
// The workload is that of Jepsen's set test of etcd's lock, so that the results can be compared.

#include <iterator>
#include <span>

#include "algorithms/registry.h"
#include "harness/core/duration_text.h"
#include "harness/explore/sim_campaign.h"
#include "harness/record/typed.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTtls[] = {milliseconds(500), seconds(1), seconds(2),
                              seconds(4),        seconds(8), seconds(16)};
/// The first row has no pauses: it shows the effect of jobs that outlast their lease.
constexpr Duration kPauses[] = {Duration::zero(), milliseconds(500), seconds(1),
                                seconds(2),       seconds(4),        seconds(8)};
/// Longest jobs; the shortest take no time. Jepsen's outlast the smallest TTLs, the short ones no
/// TTL.
constexpr Duration kLongestJobs[] = {seconds(2), milliseconds(400)};
constexpr std::uint64_t kQuickGrants = 2'000;
constexpr std::uint64_t kFullGrants = 40'000;

/// All, or the first few if the suite is only tried out.
std::span<const Duration> as_many(std::span<const Duration> all, const SuiteSize& size) {
    return size.is_tried_out() ? all.first(2) : all;
}

/// A point of a surface.
struct Point {
    Duration longest_job;
    Duration ttl;
    Duration pause;
};

/// Five clients, jobs of 0 to 2 s, hardly a break between them, a pause every 5 s: the set test in
/// https://github.com/jepsen-io/etcd (src/jepsen/etcd/lock.clj), with the parameters of
/// https://jepsen.io/analyses/etcd-3.4.3. In addition the same with shorter jobs.
/// Each square has a seed of its own: two that agree are two experiments.
CampaignOptions options_for(const SuiteContext& context, const Point& point, std::uint64_t square) {
    CampaignOptions options;
    options.seed = context.seed + square;
    options.grants_per_run = 40;
    options.grants = context.size.mode == "full" ? kFullGrants : kQuickGrants;
    if (context.size.is_tried_out()) options.grants = options.grants_per_run = 10;
    options.clients = 5;
    options.job = DurationRange{Duration::zero(), point.longest_job};
    options.think = DurationRange{Duration::zero(), milliseconds(100)};
    options.retry = milliseconds(100);
    options.unit = milliseconds(1);
    options.ttl = point.ttl;
    if (point.pause > Duration::zero()) options.pauses = {seconds(5), point.pause};
    return options;
}

std::string replay_of(const Algorithm& lock, const CampaignOptions& options) {
    const auto range = [](const DurationRange& times) {
        return to_string(times.least) + "-" + to_string(times.most);
    };
    const std::string pauses = options.pauses.every == Duration::zero()
                                   ? ""
                                   : " --pause-every " + to_string(options.pauses.every) +
                                         " --pause-length " + to_string(options.pauses.length);
    return typed_program() + " campaign " + std::string(lock.name) + " --faults none --clients " +
           std::to_string(options.clients) + " --job " + range(*options.job) + " --think " +
           range(*options.think) + " --retry " + to_string(*options.retry) + " --unit " +
           to_string(*options.unit) + " --ttl " + to_string(*options.ttl) + pauses +
           " --grants-per-run " + std::to_string(options.grants_per_run) + " --grants " +
           std::to_string(options.grants) + " --seed " + std::to_string(options.seed);
}

SurfacePoint run_point(const Algorithm& lock, const CampaignOptions& options,
                       const StopFlag& stop) {
    const RunSpec spec = spec_for(lock, options);
    const CampaignCount count = run_sim_campaign(spec, campaign_goal(options), stop, {});
    SurfacePoint point;
    if (lock.defaults.ttl != Duration::zero()) point.ttl = options.ttl;
    point.clients = options.clients;
    point.longest_job = options.job->most;
    point.pause_length = options.pauses.length;
    point.pause_every = options.pauses.every;
    point.cell = cell_row(spec, count, replay_of(lock, options));
    return point;
}

}  // namespace

void run_surface_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                         SuiteResult& result) {
    std::size_t done = 0;
    std::uint64_t piece = 0;
    const std::size_t all = std::size(kLongestJobs) * algorithms().size();
    for (const Duration longest_job : kLongestJobs) {
        for (const Algorithm& lock : algorithms()) {
            progress.can_draw();
            const bool expires = lock.defaults.ttl != Duration::zero();
            for (const Duration ttl : as_many(kTtls, context.size)) {
                // A lock without a TTL has one row of pauses.
                if (!expires && ttl != kTtls[0]) break;
                progress.show("jobs up to " + to_string(longest_job) + ", " +
                                  std::string(lock.name) + ", TTL " + to_string(ttl),
                              done, all);
                for (const Duration pause : as_many(kPauses, context.size)) {
                    const std::uint64_t square = piece++;
                    if (!context.has(square)) continue;
                    SurfacePoint point =
                        run_point(lock, options_for(context, {longest_job, ttl, pause}, square),
                                  *context.watcher.stop);
                    if (context.watcher.stopped()) return;
                    result.surface.push_back(std::move(point));
                }
            }
            ++done;
        }
    }
}

}  // namespace locklab
