// The suite's section on failovers: how many locks real Sentinels lose where the master dies just
// after a grant.

#include <algorithm>

#include "harness/failover/failover_plan.h"
#include "harness/failover/failover_text.h"
#include "harness/live/server_program.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kQuickRuns = 24;
constexpr std::uint64_t kManyRuns = 60;
/// Rare losses need more runs.
constexpr std::uint64_t kManyRunsWithLosses = 200;
constexpr std::uint64_t kFewRuns = 2;

FailoverPlan plan_of(const SuiteContext& context) {
    FailoverPlan plan;
    plan.shape.seed = context.seed;
    const FailoverCell worst{milliseconds(50), Safeguard::none};
    if (context.size.is_tried_out()) {
        plan.parts.push_back({worst, kFewRuns});
    } else if (!context.size.is_large()) {
        for (const FailoverCell& cell :
             {FailoverCell{milliseconds(0)}, FailoverCell{milliseconds(5)}, worst,
              FailoverCell{worst.lag, Safeguard::wait},
              FailoverCell{worst.lag, Safeguard::min_replicas}}) {
            plan.parts.push_back({cell, kQuickRuns});
        }
    } else {
        for (const SafeguardRow& row : kSafeguards) {
            const bool is_redis = server_program().kind == ServerKind::redis;
            if (row.safeguard == Safeguard::wait_on_disk && is_redis) continue;
            for (const Duration lag : {milliseconds(0), milliseconds(5), milliseconds(50)}) {
                const bool loses = row.safeguard == Safeguard::none && lag > Duration::zero();
                plan.parts.push_back(
                    {{lag, row.safeguard}, loses ? kManyRunsWithLosses : kManyRuns});
            }
        }
    }
    return plan;
}

}  // namespace

void run_failover_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                          SuiteResult& result) {
    const FailoverPlan plan = plan_of(context);
    Watcher watcher = context.watcher;
    watcher.on_show = [&](std::string_view text) { progress.show(text); };
    FailoverFile file(context.folder / kFailoversFile);
    std::vector<FailoverCount>& rows = result.failovers.emplace();
    const auto keep = [&](const FailoverCount& count) {
        rows.push_back(count);
        progress.tell("failovers, " + failover_line(count));
    };
    measure_failovers(plan, file, watcher, keep, run_failover);
    // A machine that was late is no reason to begin the section anew; one without servers is.
    const auto had_servers = [](const FailoverCount& row) { return !row.redis.empty(); };
    if (rows.empty() || std::ranges::any_of(rows, had_servers)) return;
    result.missing.push_back({"locks that Sentinels lose", rows.front().why_nothing});
}

}  // namespace locklab
