#include "harness/explore/random_search.h"

#include <algorithm>
#include <stdexcept>

#include "harness/explore/in_threads.h"

namespace locklab {

namespace {

/// Schedules walked between two checks for a violation. Must not depend on the number of threads.
constexpr std::uint64_t kBlock = 1U << 13;

struct Walked {
    std::uint32_t steps = 0;
    bool violated = false;
};

class Search {
public:
    Search(const Algorithm& algorithm, const Bounds& bounds, const RandomLimits& limits)
        : limits_(limits) {
        for (std::uint32_t t = 0; t < limits.threads; ++t) {
            walkers_.push_back(
                std::make_unique<Walker>(algorithm, bounds, limits.strategy, limits.changes));
        }
    }

    /// False if nothing is left to do.
    bool walk_block(RandomResult& result) {
        const std::uint64_t first = limits_.first + result.schedules;
        const std::uint64_t count = std::min(kBlock, limits_.schedules - first);
        walked_.assign(count, Walked());
        std::vector<std::string> errors(walkers_.size());
        in_threads(walkers_.size(), [&](std::size_t t) {
            try {
                for (std::uint64_t i = t; i < count; i += walkers_.size()) {
                    walked_[i].violated = walkers_[t]->walk(limits_.seed, first + i);
                    walked_[i].steps = static_cast<std::uint32_t>(walkers_[t]->path().steps.size());
                    if (walked_[i].violated && !limits_.count) return;
                }
            } catch (const std::length_error& too_many) {
                errors[t] = too_many.what();
            }
        });
        for (const std::string& error : errors) {
            if (error.empty()) continue;
            result.why_unknown = error;
            return false;
        }
        return take_in(result);
    }
    /// Independent of the number of threads only if all schedules were walked to the end.
    void tell_coverage(RandomResult& result) const {
        if (result.violated > 0 && !limits_.count) return;
        for (const auto& walker : walkers_) result.coverage.add(walker->coverage());
    }

private:
    bool take_in(RandomResult& result) {
        for (const Walked& walked : walked_) {
            const std::uint64_t number = limits_.first + result.schedules++;
            result.steps += walked.steps;
            if (!walked.violated) continue;
            if (result.violated++ == 0) {
                walkers_[0]->walk(limits_.seed, number);
                result.schedule = number;
                result.witness = walkers_[0]->path();
                result.verdict = Verdict::violated;
            }
            if (!limits_.count) return false;
        }
        return limits_.first + result.schedules < limits_.schedules;
    }

    const RandomLimits& limits_;
    std::vector<std::unique_ptr<Walker>> walkers_;
    std::vector<Walked> walked_;
};

}  // namespace

RandomResult joined(const Algorithm& algorithm, const Bounds& bounds, const RandomLimits& limits,
                    const std::vector<RandomResult>& parts) {
    RandomResult all;
    for (const RandomResult& part : parts) {
        all.schedules += part.schedules;
        all.steps += part.steps;
        if (part.violated > 0 && all.violated == 0) all.schedule = part.schedule;
        all.violated += part.violated;
        all.coverage.add(part.coverage);
        all.why_unknown = part.why_unknown;
        if (!all.why_unknown.empty() || (all.violated > 0 && !limits.count)) break;
    }
    if (all.violated == 0) return all;
    if (!limits.count) all.coverage = {};
    Walker walker(algorithm, bounds, limits.strategy, limits.changes);
    walker.walk(limits.seed, all.schedule);
    all.witness = walker.path();
    all.verdict = Verdict::violated;
    return all;
}

RandomResult search_randomly(const Algorithm& algorithm, const Bounds& bounds,
                             const RandomLimits& limits, const std::atomic<bool>& stop,
                             const std::function<void(std::uint64_t schedules)>& tell) {
    RandomResult result;
    Search search(algorithm, bounds, limits);
    if (limits.first >= limits.schedules) return result;
    while (!stop && search.walk_block(result)) tell(result.schedules);
    search.tell_coverage(result);
    return result;
}

}  // namespace locklab
