#include "harness/explore/every_schedule.h"

#include "harness/explore/plain_run.h"

namespace locklab {

namespace {

using Clocks = std::array<std::int16_t, Bounds::kMostClients>;

/// Adds every way to set the clocks that the budget allows.
void add_starts(const Bounds& bounds, std::uint32_t client, std::uint32_t budget, Clocks clocks,
                std::vector<Clocks>& starts) {
    if (client == bounds.clients || client == clocks.size()) {
        starts.push_back(clocks);
        return;
    }
    add_starts(bounds, client + 1, budget, clocks, starts);
    if (budget == 0) return;
    const auto off = static_cast<std::int16_t>(bounds.clock / std::chrono::milliseconds(1));
    for (const std::int16_t by : {off, static_cast<std::int16_t>(-off)}) {
        clocks[client] = by;
        add_starts(bounds, client + 1, budget - 1, clocks, starts);
    }
}

/// The picks of one schedule, and the number of choices at each: the next schedule increases the
/// last pick that can be larger, and drops those after it.
class Enumeration {
public:
    Enumeration(const Algorithm& algorithm, const Bounds& bounds)
        : algorithm_(algorithm), bounds_(bounds) {}

    /// Runs one schedule with those picks, then with first choices. False if it is no schedule: it
    /// picked a slow job, and no job begins there.
    bool run(const Clocks& clocks, Schedules& found) {
        PlainRun run(algorithm_, bounds_, scripts_, clocks);
        Path path;
        path.clocks = clocks;
        path.tokens = bounds_.tokens;
        for (std::size_t depth = 0; !run.is_violated(); ++depth) {
            const std::vector<Step> steps = run.offered();
            if (steps.empty()) break;
            if (depth == picks_.size()) picks_.push_back({0, 0});
            picks_[depth].of = steps.size();
            path.steps.push_back(steps[picks_[depth].pick]);
            if (run.make(path.steps.back())) continue;
            picks_.resize(depth + 1);
            return false;
        }
        ++found.count;
        found.steps += path.steps.size();
        found.coverage.add(run.coverage());
        if (run.is_violated()) {
            take(path, found.violated, found.shortest);
        } else if (const auto client = who_is_stuck(run, path, algorithm_, bounds_, scripts_)) {
            if (take(path, found.stuck, found.shortest_stuck)) found.stuck_client = *client;
        }
        return true;
    }

    /// Moves on to the next schedule. False if there is none.
    bool advance() {
        while (!picks_.empty() && picks_.back().pick + 1 == picks_.back().of) picks_.pop_back();
        if (picks_.empty()) return false;
        ++picks_.back().pick;
        return true;
    }

private:
    /// False if a known one is as short.
    static bool take(const Path& path, std::uint64_t& count, Path& shortest) {
        const bool first = count++ == 0;
        if (!first && path.steps.size() >= shortest.steps.size()) return false;
        shortest = path;
        return true;
    }

    struct Pick {
        std::size_t pick;
        std::size_t of;
    };

    const Algorithm& algorithm_;
    const Bounds& bounds_;
    ScriptEngine scripts_;
    std::vector<Pick> picks_;
};

}  // namespace

Schedules every_schedule(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t most,
                         const std::atomic<bool>& stop,
                         const std::function<void(std::uint64_t schedules)>& tell) {
    constexpr std::uint64_t kTellEvery = 1024;
    Schedules found;
    std::vector<Clocks> starts;
    add_starts(bounds, 0, bounds.faults[Hazard::clock_offset], Clocks(), starts);
    for (const Clocks& clocks : starts) {
        Enumeration enumeration(algorithm, bounds);
        do {
            if (stop || found.count == most) return found;
            if (enumeration.run(clocks, found) && found.count % kTellEvery == 0) tell(found.count);
        } while (enumeration.advance());
    }
    found.complete = true;
    return found;
}

}  // namespace locklab
