#include "harness/campaign/threshold_runs.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "harness/core/counted.h"
#include "harness/explore/in_threads.h"
#include "harness/record/stopwatch.h"

namespace locklab {

namespace {

/// Locks searched at once: each search may use all of its memory (SearchLimits).
constexpr std::size_t kSideBySide = 4;

/// Locks that renew, or compare clocks, take longest.
std::vector<ThresholdRun*> slow_first(std::vector<ThresholdRun>& runs) {
    std::vector<ThresholdRun*> waiting;
    for (const bool slow : {true, false}) {
        for (ThresholdRun& run : runs) {
            const bool is_slow = run.algorithm->renews || run.algorithm->reads_wall_clock;
            if (is_slow == slow) waiting.push_back(&run);
        }
    }
    return waiting;
}

}  // namespace

void run_thresholds(std::vector<ThresholdRun>& runs, const std::atomic<bool>& stop,
                    const ThresholdNews& news) {
    const std::vector<ThresholdRun*> waiting = slow_first(runs);
    std::mutex telling;
    std::size_t begun = 0;
    std::size_t done = 0;
    const auto next = [&]() -> ThresholdRun* {
        const std::lock_guard one_at_a_time(telling);
        return begun < waiting.size() && !stop ? waiting[begun++] : nullptr;
    };
    const auto show = [&](const ThresholdRun& run, const std::string& more) {
        const std::lock_guard one_at_a_time(telling);
        news.show(std::string(run.algorithm->name) + more, done);
    };
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    in_threads(std::min(processors, kSideBySide), [&](std::size_t) {
        while (ThresholdRun* const run = next()) {
            show(*run, "");
            const Stopwatch stopwatch;
            run->found = find_thresholds(*run->algorithm, run->question, run->limits, stop,
                                         [&](const SearchProgress& now) {
                                             show(*run, ", " + counted(now.states, "state"));
                                         });
            run->seconds = stopwatch.seconds();
            const std::lock_guard one_at_a_time(telling);
            if (!run->complete()) return;  // interrupted
            news.found(*run);
            ++done;
        }
    });
}

}  // namespace locklab
